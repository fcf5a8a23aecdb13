import ALSADevices
import BluetoothPorts
import Board
import BoardFiles
import CardReaders
import Firmware
import GPIOLines
import InputDevices

/// The lines of a board that is not simulated.
enum RealLines {
  /// Opens what the board file names: lines of GPIO chips, keys and switches of input devices, readers, jacks of sound
  /// cards, and Bluetooth headsets.
  static func open(_ board: BoardDescription) throws(LineError) -> any LineSet {
    let chips = try GPIOLineBackend().open(board.lineRequests())
    let coins = board.lines.filter(\.role.isCoin).map(\.name)
    return BoardLines(chips: chips, devices: devices(of: board), counted: Set(coins))
  }

  /// The devices that the board file names, not yet opened. A sound card may be a USB device that
  /// holds every call for seconds, or be held by its volume control: its jacks have a thread. GPIO chips and input
  /// devices of a board answer at once, and headsets are asked for without waiting. These are the first to be opened,
  /// because they know what the input devices with their keys are called (B5).
  ///
  /// - Parameter patience: how long pcscd may take to answer for a card reader.
  static func devices(of board: BoardDescription, patience: Duration = CardReaders.patience) -> [any LineDevice] {
    let headsets = BluetoothHeadsets.devices(for: board.headsetRequests())
    return headsets + InputDevice.devices(for: board.inputRequests()) { headsets.first?.keys(of: $0) }
      + readers(of: board) + cardReaders(of: board, patience: patience) + axes(of: board)
      + SoundCardJacks.cards(for: board.jackRequests()).map { LineDeviceThread($0) }
  }

  /// The input devices that are knobs.
  static func axes(of board: BoardDescription) -> [AxisDevice] { AxisDevice.devices(for: board.axisRequests()) }

  /// The readers that say whether a card lies on them.
  static func cardReaders(
    of board: BoardDescription, patience: Duration = CardReaders.patience
  ) -> [any LineDevice] {
    CardReaders.devices(
      for: board.cardReaderRequests(), clock: MonotonicClock(startsNow: false), patience: patience)
  }

  /// The readers that type.
  static func readers(of board: BoardDescription) -> [KeyReader] {
    board.readers.filter { $0.lift == nil }.compactMap { reader in
      reader.device.map { KeyReader(reader.name, device: $0) }
    }
  }
}
