import AudioSession

@testable import Jukebox

/// A brain in virtual time, with lines, timers, models of engine and recorder, and everything that was logged.
///
/// Headphones, dock and speaker, priorities 30, 20 and 10; a button of each kind; contacts of a page, an alarm and the
/// mute line; a microphone; tracks of a minute, and cues of three seconds.
final class Kiosk {
  static let rate = 48_000
  static let trackTime = Duration.seconds(60)
  static let cueTime = Duration.seconds(3)

  var jukebox: Jukebox
  var engine = EngineModel()
  private(set) var now = Instant.powerOn
  private(set) var timers: [TimerID: Instant] = [:]
  /// The events since the last `forget()`.
  private(set) var events: [Event] = []
  private(set) var commands: [AudioCommand] = []
  private(set) var replies: [String] = []
  /// How often the music was to be listed again.
  private(set) var listings = 0
  /// What the Bluetooth adapter was told.
  private(set) var headsetCommands: [HeadsetCommand] = []
  private(set) var lamps: [LampPattern] = []
  /// The signals that are asserted, and every edge of them: `1.250 LIGHT on`.
  private(set) var signals: [String: LampPattern] = [:]
  private(set) var signalEdges: [String] = []
  /// What the headset was asked for.
  private(set) var headsetLevels: [Int] = []
  private(set) var saves: [SavedState] = []
  /// Everything counted since power on.
  private(set) var counted: [Counted] = []
  /// Tracks that cannot be decoded.
  var bad: [TrackID: String] = [:]
  /// Tracks whose files are not there, on a storage that can be read.
  var absent: Set<TrackID> = []
  /// Tracks whose storage cannot be read.
  var unreadable: Set<TrackID> = []
  /// How far the decoder is ahead of what is heard, as far as it matters: where it has come to the end of the last track,
  /// no other can follow it without a gap.
  var decodedAhead = Duration.seconds(2)
  /// How many tracks the decoder has open, the one that is heard among them.
  var mostDecoded = 3
  /// The length of single tracks; `trackTime` for all others.
  var times: [TrackID: Duration] = [:]
  /// What the decoder finds in every track.
  var tags = TrackTags()
  /// Whether the headers of the tracks say how long they are.
  var knowsLengths = false
  var storageFault: String?
  /// Why the ledger cannot be written; nil: it can.
  var ledgerFault: String?
  /// Writes of the ledger are not answered.
  var holdsLedger = false
  /// As it was written.
  var ledgers: [Ledger] = []
  /// When the storage was asked for each.
  private(set) var ledgerTimes: [Instant] = []
  /// What the counters say; nil: nobody reads them.
  var ranking: RankingReport?
  /// How often they were to be read.
  private(set) var rankings = 0
  private(set) var isAmplifierMuted = true
  private(set) var isCapturing = false
  private(set) var recorderCommands: [RecorderCommand] = []
  private var recorderReports: [RecorderReport] = []
  /// Why no recording can begin; nil where one can.
  var recorderFault: String?
  /// A driver or a disk holds the recorder: it answers nothing.
  var recorderHangs = false
  private var cueEnd: Instant?
  private var levels: [String: Bool] = [:]
  /// A second library of two folders and a track in none, for rows about playlists.
  static let folders = [
    "deutsch/1 Haus.mp3", "deutsch/2 Hof.mp3", "english/1 House.mp3", "english/2 Yard.mp3", "loose.mp3",
  ]

  static let allPorts = [
    OutputPort(port: .headphones, sense: .line("JACK"), priority: 30, isPrivate: true, ceiling: 80),
    OutputPort(port: .lineOut, sense: .line("DOCK"), priority: 20, isPrivate: true),
    OutputPort(port: .speaker, sense: .always, priority: 10, isPrivate: false, ceiling: 50),
  ]

  static let allCues = [
    Cue(name: "welcome", path: "/c/welcome.mp3"), Cue(name: "closing", path: "/c/closing.mp3"),
    Cue(name: "call", path: "/c/call.mp3", client: "page"),
  ]

  init(
    plugged: Set<String> = [], tracks: Int = 3, ports: [OutputPort] = Kiosk.allPorts, saved: PowerOn.Saved = .nothing,
    seed: UInt64 = 0, bad: [TrackID: String] = [:], clients: [SessionClient] = [], cues: [Cue] = Kiosk.allCues,
    input: InputPort? = .microphone, buttons: [Button] = [], selectors: [Line] = [], knobs: [Knob] = [],
    names: [String]? = nil, absent: Set<TrackID> = [], isMusicKept: Bool = false,
    isMusicComplete: Bool = true, readerLength: Int? = nil, hours: HoursReport? = nil, timetable: TimetableState? = nil,
    quiet: HoursReport? = nil, ledger: SavedLedger = .nothing, lifts: [String: Duration] = [:],
    _ change: (inout Settings) -> Void = { _ in }
  ) {
    var settings = Settings()
    settings.timetable = Self.daily(cues)
    change(&settings)
    var lines = [Line(name: "JACK", role: .sense), Line(name: "DOCK", role: .sense)]
    lines += (Button.single + buttons).map { Line(name: Self.name(of: $0), role: .button($0)) }
    lines += [
      Line(name: "PAGE", role: .interrupter("page")), Line(name: "ALARM", role: .interrupter("alarm")),
      Line(name: "MUTE", role: .mute),
    ]
    lines += selectors
    var configuration = Configuration(
      rate: Self.rate, lines: lines, readers: ["keypad", "card"], knobs: knobs, ports: ports, input: input,
      clients: clients, cues: cues, settings: settings)
    if let readerLength { configuration.readerLengths["keypad"] = readerLength }
    configuration.readerLifts = lifts
    let names = names ?? (1...max(1, tracks)).prefix(tracks).map { "\($0).mp3" }
    let library = names.map { Track(path: "/m/\($0)", name: $0) }
    jukebox = Jukebox(configuration: configuration, library: library)
    self.bad = bad
    self.absent = absent
    levels = Dictionary(uniqueKeysWithValues: plugged.map { ($0, true) })
    feed(
      .powerOn(
        PowerOn(
          asserted: Set(plugged.map(line)), saved: saved, seed: seed, hours: hours, timetable: timetable,
          quiet: quiet, ledger: ledger,
          isMusicKept: isMusicKept,
          isMusicComplete: isMusicComplete)))
  }

  var status: Status { jukebox.status(at: now) }
  /// The sound that a listener hears, and on which port.
  var sounding: Port? { engine.phase == .running ? engine.port : nil }
  var heard: Position? { engine.position(at: now) }

  /// The line of a button: one of those that a kiosk may have several of is called like what it chooses, too.
  static func name(of button: Button) -> String { button.word + (button.choice.map { " \($0.name)" } ?? "") }

  func line(_ name: String) -> LineID {
    LineID(jukebox.configuration.lines.firstIndex { $0.name == name } ?? 99)
  }

  func forget() {
    headsetCommands = []
    events = []
    commands = []
    replies = []
    lamps = []
    signalEdges = []
    headsetLevels = []
    saves = []
  }

  // MARK: - What happens

  /// - Parameter time: passes after it, as after all other actions; nil: nothing that is due happens either.
  func feed(_ input: Input, then time: Duration? = nil) {
    for effect in jukebox.handle(input, at: now) { run(effect) }
    answer()
    if let time { wait(time) }
  }

  private func run(_ effect: Effect) {
    switch effect {
    case .audio(let command):
      commands.append(command)
      decodeEnd()
      engine.obey(command, at: now)
    case .record(let command): run(command)
    case .muteAmplifier(let isMuted): isAmplifierMuted = isMuted
    case .lamp(let pattern): lamps.append(pattern)
    case .signal(let line, let pattern): noteSignal(jukebox.configuration.lines[line.index].name, pattern)
    case .setTimer(let timer, let at): timers[timer] = at
    case .cancelTimer(let timer): timers[timer] = nil
    case .log(let event): events.append(event)
    case .reply(let text): replies.append(text)
    case .count(let step): counted.append(step)
    case .replyStatistics(let form): replies.append("stats \(form)")
    case .rank:
      rankings += 1
      if let ranking { feed(.ranking(ranking)) }
    case .listMusic: listings += 1
    case .setHeadsetVolume(_, let level): headsetLevels.append(level)
    case .headset(let command): headsetCommands.append(command)
    case .keep(let ledger, let number):
      ledgers.append(ledger)
      ledgerTimes.append(now)
      if !holdsLedger { feed(.ledger(ledgerFault.map { .failed(number, reason: $0) } ?? .kept(number))) }
    case .save(let state):
      saves.append(state)
      feed(.storage(storageFault.map { .failed(reason: $0) } ?? .saved))
    }
  }

  private func noteSignal(_ name: String, _ pattern: LampPattern) {
    signals[name] = pattern == .off ? nil : pattern
    signalEdges.append("\((now - .powerOn).logSeconds) \(name) \(pattern.rawValue)")
  }

  private func run(_ command: RecorderCommand) {
    recorderCommands.append(command)
    if recorderHangs { return }
    switch command {
    case .start:
      if let recorderFault { return recorderReports.append(.failed(reason: recorderFault)) }
      isCapturing = true
      recorderReports.append(.started(file: "1.wav"))
    case .stop:
      isCapturing = false
      recorderReports.append(.stopped(file: "1.wav", frames: 48_000, lost: 0, fault: nil))
    }
  }

  /// Delivers the reports of engine, decoder and recorder until there are none.
  private func answer() {
    while true {
      if !recorderReports.isEmpty {
        feed(.recorder(recorderReports.removeFirst()))
      } else if !engine.reports.isEmpty {
        feed(.audio(engine.reports.removeFirst()))
      } else if case .opening(let track) = engine.decoder, engine.tracks.count < mostDecoded {
        if unreadable.contains(track) {
          engine.storageFails(at: now)
        } else if absent.contains(track) {
          engine.failed("no such file", isMissing: true)
        } else if let reason = bad[track] {
          engine.failed(reason)
        } else {
          engine.decoded(tags(of: track), at: now)
        }
      } else if engine.isCueDue {
        engine.cueBegins(at: now)
        cueEnd = now + Self.cueTime
      } else {
        return
      }
    }
  }

  private func tags(of track: TrackID) -> TrackTags {
    knowsLengths ? TrackTags(frames: (times[track] ?? Self.trackTime).frames(rate: Self.rate)) : tags
  }

  func edge(_ name: String, _ asserted: Bool, then time: Duration? = nil) {
    levels[name] = asserted
    feed(.edge(line(name), asserted: asserted, at: now), then: time)
  }

  /// Lets time pass, with everything that is due in it.
  func wait(_ time: Duration) {
    let end = now + time
    while let next = [timers.values.min(), trackEnd, speechEnd].compactMap({ $0 }).min(), next <= end {
      now = max(now, next)
      if let end = speechEnd, end <= next {
        engine.cueHeardOut(at: now)
        answer()
      } else if let end = trackEnd, end <= next {
        engine.heardOut(at: now)
        answer()
        // The decoder was not given the next track, so it runs dry.
        if let end = trackEnd, end <= now { engine.phase = .silent }
      } else if let due = timers.min(by: { ($0.value, "\($0.key)") < ($1.value, "\($1.key)") })?.key {
        timers[due] = nil
        feed(.timer(due))
      }
    }
    now = end
  }

  private var speechEnd: Instant? { engine.speaking == nil ? nil : cueEnd }

  private var trackEnd: Instant? {
    guard engine.phase == .running, let heard else { return nil }
    let left = (times[heard.track] ?? Self.trackTime).frames(rate: Self.rate) - heard.frame
    return now + .covering(frames: max(0, left), rate: Self.rate)
  }
}

// MARK: - Actions of a visitor

extension Kiosk {
  func plug(_ name: String, then time: Duration? = nil) {
    edge(name, true, then: .milliseconds(30))
    if let time { wait(time) }
  }

  func unplug(_ name: String, then time: Duration? = nil) {
    edge(name, false, then: .milliseconds(30))
    if let time { wait(time) }
  }

  func press(_ button: Button, for held: Duration = .milliseconds(100), then time: Duration? = nil) {
    edge(Self.name(of: button), true, then: max(held, .milliseconds(30)))
    edge(Self.name(of: button), false, then: .milliseconds(30))
    if let time { wait(time) }
  }

  /// A press that is not part of a double press.
  func pressOnce(_ button: Button, then time: Duration? = nil) {
    press(button, then: .milliseconds(500))
    if let time { wait(time) }
  }

  func type(_ command: String, then time: Duration? = nil) { feed(.console(command), then: time) }

  /// Types at the keypad, or at another reader.
  func read(_ text: String, reader: Int = 0, isEnded: Bool = true, then time: Duration? = nil) {
    for key in (TypedKey.keys(of: text) ?? []) + (isEnded ? [.enter] : []) { feed(.typed(ReaderID(reader), key)) }
    if let time { wait(time) }
  }

  /// Lists the music again: these files.
  func list(_ names: [String], missing: [LibraryReport.Missing] = [], then time: Duration? = nil) {
    let tracks = names.map { Track(path: "/m/\($0)", name: $0) }
    feed(.library(LibraryReport(Library(tracks, after: jukebox.library), missing: missing)), then: time)
  }

  func names(_ name: EventName) -> [Event] { events.filter { $0.name == name } }

  func last(_ name: EventName) -> Event? { events.last { $0.name == name } }

  var eventNames: [EventName] { events.map(\.name) }

  func loseOutput(then time: Duration? = nil) {
    engine.deviceWorks = false
    engine.lose(at: now)
    feed(.audio(engine.reports.removeFirst()), then: time)
  }
}

extension Kiosk {
  /// Playing on headphones, pulled out after five seconds.
  static func held(plugged: Set<String> = ["JACK"], _ change: (inout Settings) -> Void = { _ in }) -> Kiosk {
    let kiosk = Kiosk(plugged: plugged, change)
    kiosk.type("volume 40")
    kiosk.type("play", then: .seconds(5))
    kiosk.forget()
    kiosk.unplug("JACK")
    return kiosk
  }

  static let heldFrame = 5 * rate
}
