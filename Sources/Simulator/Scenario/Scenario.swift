import AudioSession
import Jukebox

/// A scenario: the steps that are performed on a simulated board. `jackdaw help simulate` describes its language.
public struct Scenario: Hashable, Sendable {
  /// The file's name in errors.
  public var file: String
  /// In the order of the file, which is also their order in time.
  public var steps: [Step]

  public struct Step: Hashable, Sendable {
    /// Line of the file, from 1.
    public var line: Int
    public var at: Instant
    public var action: Action
    /// Whether the firmware is expected to refuse the command.
    public var isRefused = false
  }

  public enum Action: Hashable, Sendable {
    case plug(Port, bounce: Duration)
    case unplug(Port, bounce: Duration)
    /// The button goes down and, after `hold`, up again.
    case press(Button, hold: Duration)
    /// The knob of this name is turned by detents, up if positive, in this much time; nil: without haste.
    case turn(String, detents: Int, in: Duration?, bounce: Duration)
    /// A coin of this many pulses falls into the acceptor at this line.
    case coin(String, pulses: Int)
    /// Somebody types at the reader of this name, and Enter if it is `ended`.
    case type(String, reader: String, isEnded: Bool)
    /// A card is laid on the reader of this name, or the one that lies there is taken away (nil).
    case card(String?, reader: String)
    /// Sets the logical level of an input line.
    case line(String, asserted: Bool)
    /// A command, as typed at the console. `choose`, `seek`, `route`, `interrupt` and `cue` are such.
    case console(String)
    /// The serial console stops or resumes taking output.
    case consoleBlocked(Bool)
    case headset(BluetoothAddress, SimulatedHeadsets.Change)
    case microphone(MicrophoneChange)
    case output(OutputFault)
    /// The device goes away and comes back at this rate.
    case outputRate(Int)
    /// Another card at this port: the one before goes away.
    case outputCard(Port, SimulatedCard)
    /// The volume is turned at a Bluetooth headset, 0 to 127; nil: it takes none.
    case outputVolume(Port, level: Int?)
    /// The device of this port takes this long to be opened from now on.
    case outputOpening(Port, Duration)
    /// The radio link of this port falls silent, or is heard again.
    case outputLink(Port, isSilent: Bool)
    case storage(StorageState)
    case music(MusicChange)
    case power(PowerChange)
    /// Sets the local clock; nil: nobody has set it, as on a board without a clock chip. Without a day that stays as it is.
    case clock(TimeOfDay?, second: Int, day: CalendarDay? = nil)
    case expect([Expectation])
    case end
  }

  /// How long a `press` without `for` holds the button: longer than any sensible debounce time, shorter
  /// than a human press.
  static let pressTime = Duration.milliseconds(60)
}

public enum MicrophoneChange: Hashable, Sendable {
  /// It hears this WAV file from now on, from its start.
  case file(String)
  case fail
  case restore
}

public enum PowerChange: String, Hashable, Sendable, CaseIterable { case cut, on, sleep, wake }

extension Scenario.Action {
  /// Whether it changes the surroundings of the board, powered or not. At 0 s it sets their state at power on.
  public var changesSurroundings: Bool {
    switch self {
    case .plug, .unplug, .line, .card, .microphone, .outputCard, .outputVolume, .headset, .storage, .music, .clock,
      .outputOpening, .outputLink,
      .consoleBlocked:
      true
    case .press, .turn, .coin, .type, .console, .output, .outputRate, .power, .expect, .end: false
    }
  }

  /// Whether it is a command to the firmware, which may refuse it.
  public var isCommand: Bool {
    if case .console = self { true } else { false }
  }
}

/// One condition that `expect` checks at one moment.
public enum Expectation: Hashable, Sendable {
  case state(Status.State)
  /// nil: nothing holds the music.
  case hold(HoldName?)
  case route(Port?)
  case volume(Int)
  case track(Int)
  /// nil: all the music.
  case playlist(String?)
  case duck(Bool)
  case prompt(Bool)
  case lamp(LampPattern)
  /// What an output of role `signal` shows.
  case signal(LineID, name: String, LampPattern)
  /// Whether the amplifier's mute line is asserted.
  case amplifier(isMuted: Bool)
  case silence(Port)
  case sound(Port)
  /// An event with these fields was logged since the previous `expect`.
  case event(EventName, [Event.Field])
  /// A line of the console's replies since the previous `expect` has these fields.
  case reply([Event.Field])
}
