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
  var awaitsSecondPress = false
  var routes: RouteMonitor
  var transport = Transport()
  var queue: Queue
  var stream = Stream()
  var tags: [Int: TrackTags] = [:]
  var playhead = Playhead()
  var volumes: VolumeControl
  var isPromptShown = false
  /// A start that the log has not told of, because something held the sound back.
  var untold: Untold?
  var outputRetries = 0
  var isSavePending = false
  var hasReportedStorage = false
  var commanded = Commanded()
  /// When the edge at hand happened: what follows from it dates back to it.
  var edgeInstant: Instant?
  /// Effects of the input at hand, in order; empty between inputs.
  var outbox: [Effect] = []

  /// What the world was last told, so that only differences go out.
  struct Commanded: Hashable {
    var isSounding = false
    var port: Port?
    var volume = 0
    var lamp = LampPattern.off
  }

  struct Untold: Hashable {
    var isStart: Bool
    var cause: String
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
    volumes = VolumeControl(ports: configuration.ports, start: settings.startVolume)
  }

  /// The one door. Before `powerOn` and after `shutdown` nothing but `powerOn` is heard.
  public mutating func handle(_ input: Input, at now: Instant) -> [Effect] {
    if case .powerOn(let state) = input {
      powerOn(state, at: now)
    } else {
      guard isOn else { return [] }
      take(input, at: now)
    }
    settle(at: now)
    defer { outbox = [] }
    return outbox
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
    case .storage(let report): stored(report)
    case .recorder, .scheduled, .woke: break
    case .category(let category): apply(routes.change(to: category), at: now)
    case .shutdown(let reason): shutDown(reason: reason, at: now)
    }
  }

  private mutating func fired(_ timer: TimerID, at now: Instant) {
    switch timer {
    case .settle(let line): settled(line, at: now)
    case .held(let line): heldTimerFired(line, at: now)
    case .stuck(let line): stuckTimerFired(line)
    case .doublePress: awaitsSecondPress = false
    case .resumeWindow: closeResumeWindow()
    case .promptTimeout: expirePrompt(at: now)
    case .idleReset: returnToStart(cause: "idle", at: now)
    case .interruptionLimit, .cueLimit, .recordingLimit: break
    case .outputRetry: outbox.append(.audio(.reopen))
    case .save: saveNow(at: now)
    }
  }

  // MARK: - Towards the world

  /// Brings the world in line with what is wanted: silence first, then the route, then sound on it (R13).
  private mutating func settle(at now: Instant) {
    weighSuspicion(at: edgeInstant ?? now)
    let wantsSound = isOn && transport.isAudible && !queue.isEmpty
    let wasSounding = commanded.isSounding
    // A stream that was unloaded under running sound is another track: the old one fades out first.
    if commanded.isSounding && (!wantsSound || !stream.isLoaded) {
      // The engine will say exactly which frame was heard last; the clock's estimate stands until then.
      playhead.stand(at: playhead.frame(at: edgeInstant ?? now, rate: configuration.rate))
      outbox.append(.audio(.silence(edge: edgeInstant)))
      commanded.isSounding = false
    }
    edgeInstant = nil
    settleRoute()
    if transport.intent != .playing { untold = nil }
    if wantsSound && !commanded.isSounding {
      logUntold(at: now)
      if !stream.isLoaded, let track = queue.track {
        outbox.append(
          .audio(.load(stream: stream.load(queue.place), Position(track: track, frame: playhead.frame))))
      }
      outbox.append(.audio(.play))
      commanded.isSounding = true
    }
    if wasSounding != commanded.isSounding { touch(at: now) }
    settleLamp()
  }

  private mutating func settleRoute() {
    let port = routes.route.port
    let volume = port.map { volumes.volume(of: $0) } ?? 0
    if port != commanded.port {
      outbox.append(.audio(.route(port, volume: volume)))
      // What was lost may have been the old port only.
      if port != nil && transport.outputLoss != nil { outbox.append(.audio(.reopen)) }
    } else if volume != commanded.volume {
      outbox.append(.audio(.volume(volume)))
    }
    commanded.port = port
    commanded.volume = volume
  }

  private mutating func settleLamp() {
    let lamp = lampPattern
    guard lamp != commanded.lamp else { return }
    commanded.lamp = lamp
    outbox.append(.lamp(lamp))
  }

  var lampPattern: LampPattern {
    if !isOn { return .off }
    return isPromptShown ? .blink : transport.isAudible ? .on : .off
  }

  mutating func log(
    _ name: EventName, _ level: Event.Level = .info, _ fields: KeyValuePairs<String, String?> = [:]
  ) {
    outbox.append(.log(Event(name, level, fields)))
  }

  /// The frame heard at `now`, as the log names it.
  func frame(at now: Instant) -> String { String(playhead.frame(at: now, rate: configuration.rate)) }

  /// Someone or something was here: the time until the idle reset starts again (K8).
  mutating func touch(at now: Instant) {
    guard configuration.settings.idleReset > .zero else { return }
    if commanded.isSounding {
      outbox.append(.cancelTimer(.idleReset))
    } else {
      outbox.append(.setTimer(.idleReset, now + configuration.settings.idleReset))
    }
  }
}
