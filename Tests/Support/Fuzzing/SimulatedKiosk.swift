import AudioSession
import BoardFiles
import Files
import Jukebox
import TestSupport

/// A brain by itself. Checks what it logs and replies: one line each, in plain ASCII in the log.
struct SimulatedKiosk {
  static let cues = [Cue(name: "welcome", path: "/cues/welcome.mp3"), Cue(name: "closing time", path: "/cues/c.mp3")]
  static let track = "a.mp3"
  private static let library = [Track(path: "/music/a.mp3", name: track), Track(path: "/music/b.mp3", name: "b.mp3")]

  private var brain: Jukebox
  private var now = Instant.powerOn
  private var loaded: (stream: UInt8, Position)?
  /// Replies to the last command.
  private(set) var replies: [String] = []

  /// The simulated board of the repository.
  static func board() throws -> BoardDescription {
    guard let simulated else { throw BrokenPromise("board/sim.toml cannot be read") }
    return simulated
  }

  private static let simulated = try? BoardFile.read(repositoryPath("board/sim.toml"))

  init(_ configuration: Configuration, saved: PowerOn.Saved = .nothing) throws {
    brain = Jukebox(configuration: configuration, library: Self.library)
    let asserted = Set(configuration.lines.indices.filter { configuration.lines[$0].role == .sense }.map(LineID.init))
    try take(.powerOn(PowerOn(asserted: asserted, saved: saved)))
  }

  /// Gives the brain a command, as one that was typed or sent.
  mutating func obey(_ command: String) throws { try take(.console(command)) }

  static func tryOut(_ configuration: Configuration) throws {
    var kiosk = try SimulatedKiosk(configuration)
    try kiosk.tryOut()
  }

  /// One input of every kind that settings and board influence.
  mutating func tryOut() throws {
    for command in ["play", "volume 100", "volume 0", "interrupt begin page", "cue welcome", "status"] {
      try obey(command)
    }
    for line in brain.configuration.lines.indices {
      try take(.edge(LineID(line), asserted: true, at: now))
      try take(.timer(.settle(LineID(line))))
      try take(.timer(.held(LineID(line))))
      try take(.timer(.stuck(LineID(line))))
    }
    for timer: TimerID in [
      .doublePress, .resumeWindow, .promptTimeout, .trial, .idleReset, .visitGap, .interruptionLimit, .closing, .save,
    ] {
      try take(.timer(timer))
    }
    try take(.shutdown(reason: "end"))
  }

  /// Lets the engine carry out the last command: sound runs from where the brain wanted it.
  mutating func sound() throws {
    if let (stream, position) = loaded { try take(.audio(.playback(.started(stream: stream, position, at: now)))) }
  }

  private mutating func take(_ input: Input) throws {
    now = now + .seconds(1)
    replies = []
    for effect in brain.handle(input, at: now) {
      switch effect {
      case .log(let event):
        try checkLine(event, at: now)
      case .reply(let text):
        for line in text.split(separator: "\n") {
          let line = String(line)
          try hold(Wording.oneLine(line) == line, "an answer with control characters: \(Wording.oneLine(line))")
        }
        replies.append(text)
      case .audio(.load(let stream, let position)): loaded = (stream, position)
      case .audio, .record, .lamp, .signal, .muteAmplifier, .setTimer, .cancelTimer, .save, .keep, .rank, .count,
        .replyStatistics, .listMusic, .setHeadsetVolume, .headset:
        break
      }
    }
    let status = brain.status(at: now)
    try hold(status.frame >= 0 && status.line.utf8.allSatisfy { $0 >= 0x20 }, "status: \(status.line)")
  }
}
