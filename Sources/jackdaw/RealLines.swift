import ALSADevices
import Board
import GPIOLines
import InputDevices

/// The lines of a board that is not simulated.
enum RealLines {
  /// Opens what the board file names: lines of GPIO chips, keys and switches of input devices, jacks
  /// of sound cards.
  static func open(_ board: BoardDescription) throws(LineError) -> any LineSet {
    let chips = try GPIOLineBackend().open(board.lineRequests())
    let inputs = InputDevice.devices(for: board.inputRequests())
    let cards = SoundCardJacks.cards(for: board.jackRequests())
    return try BoardLines(chips: chips, devices: inputs + cards)
  }
}
