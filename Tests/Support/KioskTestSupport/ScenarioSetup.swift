import AudioSession
import Board
import BoardFiles
import Glibc
import Jukebox
import TestSupport

@testable import Simulator

/// What a scenario did: its log and what every port sounded like.
struct ScenarioResult {
  var log: [String]
  var replies: [String]
  var outcome: Simulation.Outcome
  /// Left samples by port, one per frame since power on.
  var left: [Port: [Int16]]
  var right: [Port: [Int16]]

  /// The ranges of the port's frames that are not silent.
  func runs(_ port: Port) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    (left[port] ?? []).withUnsafeBufferPointer { samples in
      var start: Int?
      var index = 0
      while index < samples.count {
        if samples[index] == 0 {
          if let first = start { runs.append(first..<index) }
          start = nil
        } else if start == nil {
          start = index
        }
        index &+= 1
      }
      if let start { runs.append(start..<samples.count) }
    }
    return runs
  }

  /// The events, without time stamps and levels.
  func events(_ name: String) -> [String] {
    log.compactMap { line in
      let fields = line.split(separator: " ", maxSplits: 3)
      return fields.count > 2 && fields[2] == name ? fields.dropFirst(2).joined(separator: " ") : nil
    }
  }
}

/// Plays scenarios in tests, on a simulated board with counting tracks.
struct ScenarioSetup {
  static let rate = 44_100
  /// The fade of the engine, in frames.
  static let fade = 176

  var board = ScenarioSetup.board()
  var settings: Settings = {
    var settings = Settings()
    settings.startVolume = 100
    return settings
  }()
  var clients: [SessionClient] = []
  var cues: [Cue] = []
  /// Lengths in frames of the cues' files, by path.
  var cueFiles: [String: Int] = [:]
  /// Names and lengths in frames.
  var tracks: [(name: String, frames: Int)] = [("a", 30 * rate), ("b", 20 * rate), ("c", 10 * rate)]
  var missing: Set<String> = []
  var breaks: [String: Int] = [:]
  /// Right channels near full scale; the tracks' names are to be small numbers.
  var isLoud = false

  static func board(withSpeaker: Bool = true) -> BoardDescription {
    func line(_ name: String, _ role: Line.Role) -> LineDescription {
      LineDescription(name: name, role: role, debounce: .milliseconds(30))
    }
    func port(_ port: Port, _ sense: OutputPort.Sense, _ priority: Int, _ isPrivate: Bool) -> PortDescription {
      PortDescription(
        output: OutputPort(port: port, sense: sense, priority: priority, isPrivate: isPrivate), pcm: port.rawValue)
    }
    let buttons: [(String, Button)] = [
      ("BTN_PLAY", .play), ("BTN_STOP", .stop), ("BTN_VOL_UP", .volumeUp), ("BTN_VOL_DOWN", .volumeDown),
      ("BTN_NEXT", .next), ("BTN_PREVIOUS", .previous), ("BTN_RECORD", .record), ("BTN_CUE", .cue),
    ]
    let lines =
      [line("JACK_SENSE", .sense), line("DOCK_SENSE", .sense)] + buttons.map { line($0.0, .button($0.1)) }
      + [line("PAGE", .interrupter("page")), line("MUTE", .mute)]
      + [line("LED_STATUS", .lamp), line("AMP_MUTE", .ampMute)]
    let plugs = [
      port(.headphones, .line("JACK_SENSE"), 30, true), port(.lineOut, .line("DOCK_SENSE"), 20, true),
    ]
    return BoardDescription(
      name: "test", rate: rate, buffer: .milliseconds(200), lines: lines,
      ports: plugs + (withSpeaker ? [port(.speaker, .always, 10, false)] : []),
      input: InputDescription(port: .microphone, pcm: "microphone"))
  }

  func play(_ scenario: String) throws -> ScenarioResult {
    let scenario = try ScenarioParser.parse(scenario, file: "test.scenario", board: board)
    let present = tracks.filter { !missing.contains($0.name) }
    let lengths = Dictionary(uniqueKeysWithValues: present.map { ($0.name, $0.frames) })
    let opener = CountingTracks(lengths.merging(cueFiles) { track, _ in track }, breaks: breaks, loud: isLoud)
    let library = tracks.map { Track(path: $0.name, name: $0.name) }
    return try ScenarioSetup.perform(
      scenario, board: board, settings: settings, clients: clients, cues: cues, library: library, opener: opener)
  }

  static func perform(
    _ scenario: Scenario, board: BoardDescription, settings: Settings, clients: [SessionClient] = [], cues: [Cue] = [],
    library: [Track], opener: any TrackOpener, hearing: Bool = true
  ) throws -> ScenarioResult {
    let folder = try TemporaryFolder()
    var log: [String] = []
    var replies: [String] = []
    let simulation = try Simulation(
      scenario: scenario, board: board, settings: settings, clients: clients, cues: cues, library: library,
      opener: opener, audio: hearing ? folder.path : nil, onLine: { log.append($0) }, onReply: { replies.append($0) })
    let outcome = try simulation.run()
    var performance = ScenarioResult(log: log, replies: replies, outcome: outcome, left: [:], right: [:])
    for port in board.ports.map(\.output.port) where hearing {
      let samples = try folder.wav("\(port.rawValue).wav")
      performance.left[port] = channel(0, of: samples)
      performance.right[port] = channel(1, of: samples)
    }
    return performance
  }

  /// One channel of interleaved stereo; raw pointers, because tests run unoptimised.
  private static func channel(_ channel: Int, of samples: [Int16]) -> [Int16] {
    samples.withUnsafeBufferPointer { samples in
      [Int16](unsafeUninitializedCapacity: samples.count / 2) { buffer, count in
        count = samples.count / 2
        var frame = 0
        while frame < count {
          buffer[frame] = samples[frame &* 2 &+ channel]
          frame &+= 1
        }
      }
    }
  }
}
