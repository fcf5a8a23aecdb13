/// An input that sound can be recorded from, under the name that the log and the board file use.
public enum InputPort: String, Hashable, Sendable, CaseIterable {
  case microphone
  case lineIn = "line-in"
}
