/// An output a listener can hear, under the name that the log, the scenarios and the board file use.
public enum Port: String, Hashable, Sendable, CaseIterable {
  case headphones
  /// The dock connector's output.
  case lineOut = "line-out"
  case speaker
  case bluetooth
  case usb
}
