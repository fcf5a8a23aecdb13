import AudioSession

/// Pairs and calls Bluetooth headsets. Control thread; no call may block.
public protocol HeadsetController: AnyObject {
  var pollDescriptors: [PollDescriptor] { get }
  /// When to call `takeReports` although no descriptor is ready; nil if that is not needed.
  var next: Instant? { get }

  /// Reads what has come in, and returns what follows from it, in order.
  func takeReports(at now: Instant) -> [HeadsetReport]
  func obey(_ command: HeadsetCommand, at now: Instant)
}
