import AudioSession

/// The firmware's brain: a value that answers every input with effects. It has no clock, does no I/O and never
/// fails; instants come in with the inputs, timers go out as effects and come back as inputs.
///
/// The board and the simulator drive the same brain. Use it from one thread at a time.
public struct Jukebox: Hashable, Sendable {
  public let configuration: Configuration
  public let library: [Track]

  var isOn = false
  var lines: [LineState] = []
  /// Play was pressed a moment ago.
  var secondPress: SecondPress?
  var routes: RouteMonitor
  var transport = Transport()
  var queue: Queue
  var stream = Stream()
  var tags: [Int: TrackTags] = [:]
  var playhead = Playhead()
  var volumes: VolumeControl
  var isPromptShown = false
  /// Who has the session, and the mute line.
  var session = SessionArbiter()
  var isMuted = false
  /// Interrupters that a contact or the console holds, and contacts that were refused and are still closed.
  var standing: Set<String> = []
  var refusedContacts: Set<String> = []
  /// Clients that have ducked the music for longer than anybody speaks, and still would.
  var overlongDuckers: Set<String> = []
  var speech = Speech()
  var recording = Recording.idle
  var playbackLog = PlaybackLog()
  var outputRetries = 0
  var saving: Saving
  var health = HealthBook(played: 0, at: .powerOn)
  var commanded = Commanded()
  /// When the edge at hand happened: what follows from it dates back to it.
  var edgeInstant: Instant?
  /// Whose duck has reached its limit with the input at hand.
  var limitedDucker: String?
  var outbox = Outbox()

  /// What the world was last told, so that only differences go out.
  struct Commanded: Hashable {
    var isSounding = false
    /// The stream whose last frame the engine has still to name.
    var silenced: UInt8?
    /// Output and decoder were closed for the time of an interruption.
    var isReleased = false
    var port: Port?
    var volume = 0
    var others: [Port: Int] = [:]
    var isDucked = false
    /// Who ducks with a limit that runs.
    var limitedDuckers: Set<String> = []
    var isRecording = false
    var isAmplifierMuted = true
    /// Nothing counts towards the idle reset.
    var isBusy = false
    /// The limit of interruptions runs.
    var isLimited = false
    var lamp = LampPattern.off
  }

  /// What a second press of Play would be.
  enum SecondPress: Hashable {
    case awaited
    /// The rest of a gesture in whose middle the private port was lost.
    case overtaken
  }

  /// A line with its debouncer and, for a button, what its presses mean.
  struct LineState: Hashable {
    var debouncer: Debouncer
    var gestures: ButtonGestures?
  }

  /// - Parameter library: the tracks in the order of play without shuffle.
  public init(configuration: Configuration, library: [Track]) {
    self.configuration = configuration
    self.library = library
    let settings = configuration.settings
    routes = RouteMonitor(ports: configuration.ports, plugged: [], forced: settings.route)
    queue = Queue(count: library.count, repeats: settings.repeats, shuffle: nil)
    saving = Saving(interval: settings.saveInterval, at: .powerOn)
    volumes = VolumeControl(ports: configuration.ports, start: settings.startVolume)
  }

  /// The one door. Before `powerOn` and after `shutdown` nothing but `powerOn` is heard, and how a
  /// recording ended.
  public mutating func handle(_ input: Input, at now: Instant) -> [Effect] {
    if case .powerOn(let state) = input {
      powerOn(state, at: now)
    } else {
      guard isOn else { return hearLastWord(input, at: now) }
      take(input, at: now)
    }
    settle(at: now)
    return outbox.takeEffects()
  }

  /// A recording that the shutdown ended still says what became of it.
  private mutating func hearLastWord(_ input: Input, at now: Instant) -> [Effect] {
    guard case .recorder(let report) = input, recording != .idle else { return [] }
    heard(report, at: now)
    return outbox.takeEffects()
  }

  private mutating func take(_ input: Input, at now: Instant) {
    switch input {
    case .powerOn: break
    case .edge(let line, let asserted, let at):
      edge(line, asserted: asserted, at: at)
      touch(at: now)
    case .timer(let timer): fired(timer, at: now)
    case .console(let line):
      obey(line, at: now)
      touch(at: now)
    case .audio(let report): heard(report, at: now)
    case .storage(let report): stored(report, at: now)
    case .health(let report): health.note(report)
    case .recorder(let report): heard(report, at: now)
    case .scheduled(let cue):
      speak(cue: cue, at: now)
      touch(at: now)
    case .woke(let asserted, let slept): woke(asserted: asserted, slept: slept, at: now)
    case .category(let category): change(to: category, at: now)
    case .shutdown(let reason): shutDown(reason: reason, at: now)
    }
  }

  private mutating func fired(_ timer: TimerID, at now: Instant) {
    switch timer {
    case .settle(let line):
      settled(line, at: now)
      touch(at: now)
    case .held(let line): heldTimerFired(line, at: now)
    case .stuck(let line): stuckTimerFired(line)
    case .doublePress: secondPress = nil
    case .resumeWindow: closeResumeWindow()
    case .promptTimeout: expirePrompt(at: now)
    case .idleReset: returnToStart(because: .idle, at: now)
    case .interruptionLimit: limitInterruption(at: now)
    case .cueLimit: cancelCue(.limit)
    case .duckLimit(let client):
      commanded.limitedDuckers.remove(client)
      overlongDuckers.insert(client)
      limitedDucker = client
    case .recordingLimit: stopRecording(.timeLimit)
    case .outputRetry: outbox.append(.audio(.reopen))
    case .save: saveNow(at: now)
    }
  }

  mutating func log(
    _ name: EventName, _ level: Event.Level = .info, _ fields: KeyValuePairs<String, String?> = [:],
    _ health: Health? = nil
  ) {
    var event = Event(name, level, fields)
    event.fields += health?.fields ?? []
    outbox.log(event)
  }

  /// The frame heard at `now`, as the log names it.
  func frame(at now: Instant) -> String { String(playhead.frame(at: now, rate: configuration.rate)) }

  /// Someone or something was here: the time until the idle reset starts again (K8).
  mutating func touch(at now: Instant) {
    guard configuration.settings.idleReset > .zero else { return }
    if commanded.isBusy {
      outbox.append(.cancelTimer(.idleReset))
    } else {
      outbox.append(.setTimer(.idleReset, now + configuration.settings.idleReset))
    }
  }
}
