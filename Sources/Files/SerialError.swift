import Glibc

/// A failed call on a serial device or terminal: what was tried, on which one, and why it failed. After `read` and
/// `write` the device is lost: let it go and open it again later.
public struct SerialError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Operation: String, Hashable, Sendable {
    case open, configure, read, write
  }
  public var operation: Operation
  public var device: String
  /// Positive `errno`.
  public var code: CInt
  public var message: String
}

extension SerialError {
  package init(_ operation: Operation, _ device: String, code: CInt) {
    let message =
      switch code {
      case ENOTTY: "not a serial device or terminal"
      default: String(cString: strerror(code))
      }
    self.init(operation: operation, device: device, code: code, message: message)
  }

  public var description: String { "\(device): \(operation.rawValue): \(message)" }
}
