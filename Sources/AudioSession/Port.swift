/// An output that a listener can hear, by its name in the log, the scenarios and the board file.
public enum Port: String, Hashable, Sendable, CaseIterable {
  case headphones
  /// The dock connector's output.
  case lineOut = "line-out"
  case speaker
  case bluetooth
  case usb
}
