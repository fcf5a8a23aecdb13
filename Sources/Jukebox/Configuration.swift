import AudioSession

/// What the brain knows of the board it runs on and of its owner's wishes. Fixed from power on to power off.
public struct Configuration: Hashable, Sendable {
  /// Frames a second of every position the brain names.
  public var rate: Int
  public var lines: [Line]
  /// Names of its keypads, and of its bar-code and card readers, as in the board file and in the event log.
  public var readers: [String]
  /// How many characters a token of a reader has, by the reader's name, where its board file says so (T5.3).
  public var readerLengths: [String: Int] = [:]
  /// How long a card may be gone before it counts as lifted, by the names of the readers that report lifts (L rows).
  public var readerLifts: [String: Duration] = [:]
  public var knobs: [Knob]
  public var ports: [OutputPort]
  /// What the recorder records from; nil: the board has no input.
  public var input: InputPort?
  /// Whom the settings name, and how; those of `SessionClient` that it leaves out are as defined there.
  public var clients: [SessionClient]
  public var cues: [Cue]
  public var settings: Settings

  public init(
    rate: Int, lines: [Line], readers: [String] = [], knobs: [Knob] = [], ports: [OutputPort],
    input: InputPort? = nil, clients: [SessionClient] = [],
    cues: [Cue] = [], settings: Settings
  ) {
    self.rate = rate
    self.lines = lines
    self.readers = readers
    self.knobs = knobs
    self.ports = ports
    self.input = input
    self.clients = clients
    self.cues = cues
    self.settings = settings
  }
}

/// One line of the board, without where it is: that is the driver's business.
public struct Line: Hashable, Sendable {
  public enum Role: Hashable, Sendable {
    /// Asserted while something is plugged in; its port names the line.
    case sense
    case button(Button)
    /// Asserted while the session client of this name wants the session: a page, an alarm.
    case interrupter(ClientName)
    /// Asserted while ambient sound is to be silent.
    case mute
    /// The level selects a playlist (T4): this one while it is asserted, and `released` while it is not; nil: nothing.
    case selector(playlist: String, released: String?)
    /// Asserted while the kiosk is to be closed, for this long at most; zero: however long (H1).
    case silence(backAfter: Duration)
    /// Each train of its pulses is a coin (J3).
    case coin(CoinLine)
    /// Asserted while requests take nothing (J4).
    case freePlay
    case lamp
    /// Asserted while what it follows is true, or for a pulse. A board may have any number of them.
    case signal(OutputSignal)
    /// Asserted while the amplifier is to be silent: whenever nothing sounds.
    case ampMute
    /// Asserted while no coin may be taken, and while the firmware is not there to count it (J4).
    case coinInhibit

    public var isCoin: Bool { if case .coin = self { true } else { false } }
  }
  /// As in the board file and in the event log.
  public var name: String
  public var role: Role
  /// How long a level must hold before it counts.
  public var debounce: Duration
  /// The manners of a contact that is not a button; nil: it is one, or not a press.
  public var manners: Manners?

  public init(name: String, role: Role, debounce: Duration = .milliseconds(30), manners: Manners? = nil) {
    self.name = name
    self.role = role
    self.debounce = debounce
    self.manners = manners
  }
}

/// A sound file to be spoken over the music, or instead of it.
public struct Cue: Hashable, Sendable {
  /// As in the settings, the log and the console: the file's name without its ending.
  public var name: String
  /// What to open; empty: the settings name it, and its file is missing (D8).
  public var path: String
  /// Who speaks it: `cue` ducks the music, `page` or another interrupter stops it.
  public var client: ClientName
  /// The event that has it spoken.
  public var event: EventName?

  public init(name: String, path: String, client: ClientName = .cue, event: EventName? = nil) {
    self.name = name
    self.path = path
    self.client = client
    self.event = event
  }

  public var isMissing: Bool { path.isEmpty }
}

/// An output port of the board.
public struct OutputPort: Hashable, Sendable {
  public enum Sense: Hashable, Sendable {
    /// Soldered in: always connected.
    case always
    /// Connected while the line of this name is asserted.
    case line(String)
  }
  public var port: Port
  public var sense: Sense
  /// The connected port with the highest priority is the route.
  public var priority: Int
  /// Heard only by whoever plugged it in: losing it pauses.
  public var isPrivate: Bool
  /// Loudest volume allowed on it, 0...100.
  public var ceiling: Int
  /// The softest volume that a button makes on it, 0...ceiling.
  public var floor: Int
  public var channels: PortChannels
  /// Reached by radio: that its device fails means that it is switched off or out of range, whatever the line says (B2).
  public var isWireless: Bool
  /// The only headset that counts on a wireless port; nil: any.
  public var headset: BluetoothAddress?

  public init(
    port: Port, sense: Sense, priority: Int, isPrivate: Bool, ceiling: Int = 100, floor: Int = 0,
    channels: PortChannels = .stereo, isWireless: Bool = false, headset: BluetoothAddress? = nil
  ) {
    self.port = port
    self.sense = sense
    self.priority = priority
    self.isPrivate = isPrivate
    self.ceiling = ceiling
    self.floor = floor
    self.channels = channels
    self.isWireless = isWireless
    self.headset = headset
  }
}

/// The owner's wishes: `deploy/jackdaw.toml`, where each is described.
public struct Settings: Hashable, Sendable {
  public enum OnConnect: String, Hashable, Sendable, CaseIterable {
    /// A plug gives back what an unplug held (P3).
    case resume
    /// A plug also starts what was stopped or paused (P6).
    case play
    /// A plug starts nothing.
    case nothing
  }
  public enum Repeat: String, Hashable, Sendable, CaseIterable { case off, queue, track }
  /// What the button of the track that is playing does (T2).
  public enum Again: String, Hashable, Sendable, CaseIterable { case restart, pause, ignore }
  /// What follows a track that was chosen (T3).
  public enum AfterTrack: String, Hashable, Sendable, CaseIterable { case next, stop, `repeat` }
  /// Where a playlist that is chosen begins (T4).
  public enum PlaylistStart: String, Hashable, Sendable, CaseIterable { case beginning, resume }
  /// What an interruption does to output and decoder (I10, I11).
  public enum InterruptionPolicy: String, Hashable, Sendable, CaseIterable {
    /// They stay open, and go on where they stood.
    case hold
    /// They are closed at once and opened again at the saved frame.
    case recreate
  }
  /// What buttons do while no card lies on a reader that says so (L4).
  public enum WithoutCard: String, Hashable, Sendable, CaseIterable { case play, silent }
  public enum Content: String, Hashable, Sendable, CaseIterable { case music, speech }
  /// What a gesture on the Play button does (K3).
  public enum GestureAction: String, Hashable, Sendable, CaseIterable { case next, previous, nothing }

  /// How long after an unplug a plug resumes; zero: forever.
  public var resumeWindow: Duration = .seconds(300)
  /// How long the question after an unplug stays; zero: forever.
  public var promptTimeout: Duration = .seconds(300)
  public var onConnect: OnConnect = .resume
  /// A wireless port that takes no sound for this long is lost (B3).
  public var bluetoothStall: Duration = .milliseconds(250)
  /// The headsets that may pair and are called; empty: all (B7).
  public var bluetoothAllowed: [BluetoothAddress] = []
  /// Route to force from power on; nil: the best connected port.
  public var route: Port?
  /// Whether boot goes on with what was playing, if its port is there (W2).
  public var playOnBoot = false
  public var repeats: Repeat = .off
  public var shuffle = false
  public var again: Again = .restart
  public var afterTrack: AfterTrack = .next
  public var playlistStart: PlaylistStart = .beginning
  /// Volume of every port that nobody has set yet, 0...100.
  public var startVolume = 60
  /// How much later one press of the Sleep button lets the music end.
  public var sleepStep: Duration = .seconds(900)
  /// What one press of a volume button adds or takes, 1...100.
  public var volumeStep = 5
  public var playHeld: GestureAction = .next
  public var playTwice: GestureAction = .previous
  /// A button down for longer than this is taken for a short circuit.
  public var stuckAfter: Duration = .seconds(15)
  /// The next visitor may come when the last private port has been out for this long; zero: that ends no visit (V2).
  public var visitGap: Duration = .seconds(10)
  /// No input and no sound for this long: back to the start values; zero: never.
  public var idleReset: Duration = .seconds(600)
  public var interruptionPolicy: InterruptionPolicy = .hold
  /// An interruption that lasts longer is a pause; zero: none does.
  public var interruptionLimit: Duration = .seconds(600)
  /// Speech pauses for a cue where music is ducked (D6).
  public var content: Content = .music
  /// The level of the music during a cue, in dB: -60...0.
  public var duckLevel = -12.0
  public var duckFadeDown: Duration = .milliseconds(200)
  public var duckFadeUp: Duration = .milliseconds(500)
  /// Name of the cue that the Cue button has spoken.
  public var cueButton = "welcome"
  /// What tokens mean, by their text in upper case.
  public var tokens: [String: Choice] = [:]
  /// What is typed at a reader and not ended by Enter is forgotten after this time without a key.
  public var typingTimeout: Duration = .seconds(5)
  /// The same token again within this time of its last reading is the same reading (T5); zero: every reading counts.
  public var readerRepeat: Duration = .seconds(3)
  public var withoutCard: WithoutCard = .play
  /// A recording that gets longer is ended; zero: none is.
  public var recordingLimit: Duration = .seconds(600)
  /// When the kiosk is open (H rows); nil: always.
  public var hours: HoursSettings?
  /// What is done at times of the day: cues with an `at` first, then `[[timetable]]` (H3).
  public var timetable: [TimetableEntry] = []
  /// How requests wait their turn (J rows); nil: every choice cuts what plays.
  public var requests: RequestSettings?
  /// When nothing is louder than a ceiling (H4); nil: never.
  public var quiet: QuietSettings?
  /// What a power cut may cost of the place in the track: the state is saved no more often, as a rule.
  public var saveInterval: Duration = .seconds(60)

  public init() {}

  /// How long this port may take no sound; nil: forever.
  public func stallLimit(of port: OutputPort) -> Duration? { port.isWireless ? bluetoothStall : nil }

  /// A bar code with nothing but digits is not the number of a track.
  static let mostDigits = 7

  /// What somebody means who types this, in upper case: by `tokens`, else the number of a track; nil: nothing is known.
  func choice(of token: String) -> Choice? {
    if let choice = tokens[token] { return choice }
    guard token.utf8.count <= Self.mostDigits, case .number(let number) = TrackName(token) else { return nil }
    return .track(.number(number))
  }
}
