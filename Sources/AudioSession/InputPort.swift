/// An input for recording, by its name in the log and the board file.
public enum InputPort: String, Hashable, Sendable, CaseIterable {
  case microphone
  case lineIn = "line-in"
}
