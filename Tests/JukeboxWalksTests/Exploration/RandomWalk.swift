import AudioSession

@testable import Jukebox
@testable import JukeboxTestSupport

/// Random inputs to a whole kiosk: a seed decides their order, their times and the settings.
struct RandomWalk {
  let setup: Setup
  private var generator: SplitMix64
  var world: World
  /// The steps so far.
  private(set) var steps: [Step] = []

  init(seed: UInt64) {
    var generator = SplitMix64(state: seed)
    setup = Self.setup(&generator)
    world = Self.start(setup, &generator)
    self.generator = generator
  }

  private static func start(_ setup: Setup, _ generator: inout SplitMix64) -> World {
    let lines = setup.lines.indices.filter { _ in Bool.random(using: &generator) && Bool.random(using: &generator) }
    return World(setup, plugged: Set(lines.map(LineID.init)))
  }

  // MARK: - The kiosk

  private static let ports = [
    OutputPort(port: .headphones, sense: .line("JACK"), priority: 30, isPrivate: true, ceiling: 80),
    OutputPort(port: .lineOut, sense: .line("DOCK"), priority: 20, isPrivate: true),
    OutputPort(port: .usb, sense: .line("USB"), priority: 15, isPrivate: false),
    OutputPort(port: .speaker, sense: .always, priority: 10, isPrivate: false, ceiling: 50),
  ]

  private static let commands = [
    "play", "play", "play", "pause", "stop", "next", "previous", "track 1", "track 2", "track 3", "seek 1s",
    "seek +2s", "seek -10s", "seek 9:00", "record", "record",
    "cue welcome", "cue closing", "cue call", "cue sign", "cue nothing", "interrupt begin page", "interrupt end page",
    "interrupt end page resume",
    "interrupt begin radio", "interrupt end radio resume", "interrupt begin alarm", "interrupt end alarm resume",
    "interrupt begin sign", "interrupt end sign", "interrupt begin whisper", "interrupt end whisper resume",
    "volume 20", "volume 90", "route speaker", "route headphones", "route line-out", "route auto", "route auto",
    "category playback", "category playback", "category ambient", "category solo-ambient", "category multi-route",
    "category record", "category play-and-record", "status", "nonsense", "",
  ]

  private static func setup(_ generator: inout SplitMix64) -> Setup {
    func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &generator)] }
    // Mostly with the speaker, since without it there may be no port at all.
    var setup = Setup(
      ports: one([ports, ports, Array(ports.dropLast()), [ports[0], ports[3]]]), tracks: one([1, 2, 4]))
    setup.contacts = ["page", "alarm", "sign", "radio"]
    setup.hasMute = true
    setup.buttons = Button.single + [.track(.number(2)), .track(.number(9))]
    setup.hasReader = true
    setup.cards = ["1", "2", "7"]
    setup.input = one([.microphone, .microphone, .microphone, nil])
    setup.clients = clients(&generator)
    setup.cues = cues(&generator)
    setup.commands = commands
    setup.categories = SessionCategory.allCases
    setup.hasFaults = true
    setup.hasRateChanges = true
    setup.hasBadFiles = true
    setup.hasBadCues = true
    setup.hasRecorderFaults = true
    setup.hasIdleReset = true
    setup.keepsStaleReports = true
    setup.hasClock = true
    setup.backlog = one([1, 4, 12])
    setup.settings = settings(&generator)
    setup.settings.timetable = Kiosk.daily(setup.cues)
    return setup
  }

  private static func clients(_ generator: inout SplitMix64) -> [SessionClient] {
    func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &generator)] }
    let music = SessionClient(
      name: "music", category: one([.playback, .playback, .ambient, .soloAmbient, .multiRoute, .playAndRecord]),
      priority: 10, isSpeech: one([false, false, true]))
    let recorder = SessionClient(
      name: "recorder", category: one([.record, .record, .playAndRecord]),
      options: one([[.notifyOthers], [], [.notifyOthers, .mixWithOthers]]), priority: 30)
    let cue = SessionClient(
      name: "cue", category: one([.playback, .playback, .ambient]),
      options: one([[.duckOthers, .notifyOthers], [.notifyOthers], [.notifyOthers, .mixWithOthers]]), priority: 20)
    return [
      music, recorder, cue,
      SessionClient(name: "alarm", category: .playback, priority: 90),
      SessionClient(name: "radio", category: .playback, options: [.notifyOthers], priority: 10),
      SessionClient(
        name: "sign", category: one([.playback, .ambient]), options: [.duckOthers, .notifyOthers],
        priority: one([20, 40])),
      SessionClient(name: "whisper", category: .playback, options: [.mixWithOthers], priority: 5),
    ]
  }

  private static func cues(_ generator: inout SplitMix64) -> [Cue] {
    func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &generator)] }
    let events: [EventName?] = [
      nil, nil, .promptShown, .interruptionBegan, .playbackPaused, .sessionActivated, .recordingStarted,
    ]
    return [
      Cue(name: "welcome", path: "w", event: one([nil, nil, .promptShown])),
      Cue(name: "closing", path: "c", event: one(events)),
      Cue(name: "call", path: "p", client: "page", event: one(events)),
      Cue(name: "sign", path: "s", client: "sign"),
    ]
  }

  private static func settings(_ generator: inout SplitMix64) -> Settings {
    func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &generator)] }
    var settings = Settings()
    settings.resumeWindow = one([.seconds(300), .seconds(5), .zero])
    settings.promptTimeout = one([.seconds(300), .seconds(5), .zero])
    settings.onConnect = one(Settings.OnConnect.allCases)
    settings.route = one([nil, nil, .speaker])
    settings.playOnBoot = one([false, true])
    settings.repeats = one(Settings.Repeat.allCases)
    settings.shuffle = one([false, true])
    settings.again = one(Settings.Again.allCases)
    settings.afterTrack = one(Settings.AfterTrack.allCases)
    settings.playHeld = one(Settings.GestureAction.allCases)
    settings.playTwice = one(Settings.GestureAction.allCases)
    settings.idleReset = one([.seconds(600), .seconds(20), .zero])
    settings.interruptionPolicy = one(Settings.InterruptionPolicy.allCases)
    settings.interruptionLimit = one([.seconds(600), .seconds(10), .zero])
    settings.recordingLimit = one([.seconds(600), .seconds(10), .zero])
    settings.cueButton = one(["welcome", "call", "nothing"])
    settings.visitGap = one([.seconds(10), .seconds(10), .seconds(1), .zero])
    settings.readerRepeat = one([.seconds(3), .seconds(30), .zero])
    return settings
  }

  // MARK: - Walking

  /// Takes one more random step.
  mutating func step() {
    let step = choose()
    steps.append(step)
    world.take(step, setup)
  }

  private let keys = [TypedKey.enter, .enter, .clear, .lost] + (TypedKey.keys(of: "1234A") ?? [])

  private static let waits: [Int64] = [0, 1, 5, 10, 30, 30, 50, 100, 400, 1_000, 1_000, 5_000, 30_000, 700_000]

  private mutating func choose() -> Step {
    func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &generator)] }
    let due = world.timers.filter { $0.value <= world.now }.keys.sorted { "\($0)" < "\($1)" }
    switch Int.random(in: 0..<100, using: &generator) {
    case 0..<40:
      let moves = world.worldSteps(setup).filter { !isRare($0) }
      if !moves.isEmpty { return one(moves) }
    case 40..<60: if !due.isEmpty { return .timer(one(due)) }
    case 60..<75:
      return .edge(Int.random(in: world.brain.lines.indices, using: &generator))
    case 75..<77: return .key(one(keys))
    case 77: return .card(one([nil, nil] + setup.cards))
    case 78..<90: return .command(Int.random(in: setup.commands.indices, using: &generator))
    case 90: return rare()
    default: break
    }
    // Timers may be late, but they fire in the end.
    if let first = due.first, Bool.random(using: &generator) { return .timer(first) }
    return .wait(one(Self.waits) * 1_000_000 + Int64.random(in: 0..<1_000_000, using: &generator))
  }

  private func isRare(_ step: Step) -> Bool {
    switch step {
    case .undecodable, .deviceBreaks, .deviceReshaped, .cueFails, .recorderCannot, .recorderBreaks: true
    default: false
    }
  }

  private mutating func rare() -> Step {
    func one<Value>(_ values: [Value]) -> Value { values[Int.random(in: 0..<values.count, using: &generator)] }
    let moves = world.worldSteps(setup).filter(isRare)
    switch Int.random(in: 0..<10, using: &generator) {
    case 0: return .category(one(SessionCategory.allCases))
    case 1:
      return .scheduled(Int.random(in: 0..<setup.cues.count, using: &generator), day: one([1, 1, 1, 2]))
    case 2:
      return .slept(
        moved: UInt32.random(in: 0..<(1 << 16), using: &generator) & .random(in: 0 ... .max, using: &generator))
    case 3: return one([.underrun, .brokeOff, .saveFails, .otherBreaks])
    case 4: return .reboot
    default: return moves.isEmpty ? .underrun : one(moves)
    }
  }
}
