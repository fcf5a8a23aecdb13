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
    /// The firmware is expected to refuse the command.
    public var isRefused = false

    public init(line: Int, at: Instant, action: Action, isRefused: Bool = false) {
      self.line = line
      self.at = at
      self.action = action
      self.isRefused = isRefused
    }
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
    /// The serial console takes no output any more, or takes it again.
    case consoleBlocked(Bool)
    /// The session client of this name wants the session.
    case interruptBegin(String)
    /// It has done with it; `resume`: whom it interrupted is to go on.
    case interruptEnd(String, resume: Bool)
    case cue(String)
    case microphone(MicrophoneChange)
    case output(OutputFault)
    /// The device goes away and comes back at this rate.
    case outputRate(Int)
    case storage(StorageState)
    case power(PowerChange)
    /// The local clock is set.
    case clock(TimeOfDay, second: Int)
    case expect([Expectation])
    case end
  }

  /// How long a `press` without `for` holds the button: longer than any debounce time that makes sense, shorter than
  /// an operator's.
  static let pressTime = Duration.milliseconds(60)
}

public enum MicrophoneChange: Hashable, Sendable {
  /// What it hears from now on: a WAV, from its start.
  case file(String)
  case fail
  case restore
}

public enum PowerChange: String, Hashable, Sendable, CaseIterable { case cut, on, sleep, wake }

extension Scenario.Action {
  /// Does something to what is around the board, powered or not: at 0 s, that is how power on finds it.
  public var isOfSurroundings: Bool {
    switch self {
    case .plug, .unplug, .line, .microphone, .storage, .clock, .consoleBlocked: true
    case .press, .route, .console, .interruptBegin, .interruptEnd, .cue, .output, .outputRate, .power, .expect, .end:
      false
    }
  }

  /// Is a command to the firmware, which may refuse it.
  public var isTyped: Bool {
    switch self {
    case .route, .console, .interruptBegin, .interruptEnd, .cue: true
    case .plug, .unplug, .press, .line, .consoleBlocked, .microphone, .output, .outputRate, .storage, .power, .clock,
      .expect, .end:
      false
    }
  }
}

/// One claim about the board at one moment.
public enum Expectation: Hashable, Sendable {
  case state(Status.State)
  /// nil: no hold.
  case hold(HoldName?)
  case route(Port?)
  case volume(Int)
  case track(Int)
  case duck(Bool)
  case prompt(Bool)
  case lamp(LampPattern)
  /// Whether its mute line is asserted.
  case amplifier(isMuted: Bool)
  case silence(Port)
  case sound(Port)
  /// An event with these fields since the `expect` before.
  case event(EventName, [Event.Field])
}
