import AudioSession
import Board
import Glibc

/// Opens hard devices.
final class HardDevices: PCMOpener {
  /// Otherwise the device's threads open them.
  let answersAtOnce: Bool
  let taps: [Port: FrameRecorder] = [
    .headphones: FrameRecorder(), .speaker: FrameRecorder(), .bluetooth: FrameRecorder(),
  ]
  /// How many openings fail from now on.
  var failures = 0
  /// Called in the middle of every opening.
  var whileOpening: () -> Void = {}
  /// Ports whose devices cannot be opened.
  var dead: Set<Port> = []
  /// The rate of devices opened from now on, Hz; nil: the requested one, or their quirk's.
  var rate: Int?
  /// The buffer of devices opened from now on; nil: the requested one.
  var buffer: Duration?
  private(set) var opened: [HardDevice] = []
  private let quirks: HardDevice.Quirks
  private let special: [Port: HardDevice.Quirks]
  private let clock: any BoardClock
  private var names: [ObjectIdentifier: String] = [:]

  /// - Parameter special: the quirks of ports that have others.
  init(
    _ quirks: HardDevice.Quirks, of special: [Port: HardDevice.Quirks] = [:], clock: any BoardClock,
    answersAtOnce: Bool = true
  ) {
    self.quirks = quirks
    self.special = special
    self.answersAtOnce = answersAtOnce
    self.clock = clock
  }

  func open(port: Port, name: String, rate: Int, buffer: Duration) throws(PCMError) -> any PCM {
    whileOpening()
    let isBusy = opened.contains { names[ObjectIdentifier($0)] == name && !$0.isClosed }
    guard failures == 0, !isBusy, !dead.contains(port), let tap = taps[port] else {
      failures = max(0, failures - 1)
      throw PCMError(operation: .open, device: name, code: EBUSY, message: "busy")
    }
    let device = HardDevice(
      special[port] ?? quirks, port: port, rate: self.rate ?? rate, buffer: self.buffer ?? buffer, clock: clock,
      tap: tap)
    opened.append(device)
    names[ObjectIdentifier(device)] = name
    return device
  }
}
