import AudioSession
import Jukebox

/// A story told to a simulated board, step by step; see the scenario language in the README.
public struct Scenario: Hashable, Sendable {
  /// As errors name it.
  public var file: String
  /// In the order of the file, which is the order of time.
  public var steps: [Step]

  public struct Step: Hashable, Sendable {
    /// Line of the file, from 1.
    public var line: Int
    public var at: Instant
    public var action: Action
  }

  public enum Action: Hashable, Sendable {
    case plug(Port, bounce: Duration)
    case unplug(Port, bounce: Duration)
    /// Down and, after the time, up again.
    case press(Button, hold: Duration)
    /// The logical level of an input line.
    case line(String, asserted: Bool)
    /// nil: `route auto`.
    case route(Port?)
    case console(String)
    case output(OutputFault)
    case powerCut
    case powerOn
    case expect([Expectation])
    case end
  }

  /// How long a `press` without `for` holds the button: longer than any debounce time that makes sense, shorter than
  /// a person's.
  static let pressTime = Duration.milliseconds(60)
}

public enum OutputFault: String, Hashable, Sendable, CaseIterable { case fail, restore, underrun }

/// One claim about the board at one moment.
public enum Expectation: Hashable, Sendable {
  case state(Status.State)
  /// nil: no hold.
  case hold(HoldName?)
  case route(Port?)
  case volume(Int)
  case track(Int)
  case prompt(Bool)
  case lamp(LampPattern)
  case silence(Port)
  case sound(Port)
  /// An event with these fields since the `expect` before.
  case event(EventName, [Event.Field])
}
