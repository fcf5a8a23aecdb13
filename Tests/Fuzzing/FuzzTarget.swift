/// Whatever reads bytes that strangers wrote, typed or sent, with what it promises of all of them.
///
/// Tests replay the corpus and what was found once; `deploy/fuzz` lets libFuzzer look for more.
public enum FuzzTarget: String, CaseIterable, Sendable {
  case toml, settings, board, scenario, state
  case console, control
  case recording
  case mpeg, wave, flac, vorbis, opus
  /// AIFF, CAF, AU and Wave64.
  case others

  /// Feeds it with `bytes`; throws `Broken` where a promise does not hold. Any one thread.
  public func check(_ bytes: [UInt8]) throws {
    switch self {
    case .toml: try TextFiles.checkTOML(bytes)
    case .settings: try TextFiles.checkSettings(bytes)
    case .board: try TextFiles.checkBoard(bytes)
    case .scenario: try TextFiles.checkScenario(bytes)
    case .state: try SavedStates.check(bytes)
    case .console: try TypedCommands.check(bytes)
    case .control: try SentCommands.check(bytes)
    case .recording: try TornRecordings.check(bytes)
    case .mpeg: try SoundFiles.check(bytes, isMPEG: true)
    case .flac, .vorbis, .opus, .others: try SoundFiles.check(bytes)
    case .wave:
      // It may be RIFF around MPEG audio.
      try SoundFiles.check(bytes, isMPEG: true)
      try SoundFiles.checkMicrophone(bytes)
    }
  }

  /// Folders and files of the repository that it is fed with at first, beside its corpus.
  public var seeds: [String] {
    switch self {
    case .toml: ["deploy/jackdaw.toml"]
    case .settings: ["deploy", "board/sim/examples"]
    case .board: ["board"]
    case .scenario: ["board/sim", "board/sim/examples", "Tests/SimulatorTests/Scenarios"]
    case .mpeg, .flac, .vorbis, .opus: ["Tests/TrackDecodingTests/Fixtures"]
    case .state, .console, .control, .recording, .wave, .others: []
    }
  }

  /// Endings of the names of seeds.
  public var endings: [String] {
    switch self {
    case .toml, .settings, .board: [".toml"]
    case .scenario: [".scenario"]
    case .mpeg: [".mp3"]
    case .flac: [".flac", ".oga"]
    case .vorbis: [".ogg"]
    case .opus: [".opus"]
    case .state, .console, .control, .recording, .wave, .others: []
    }
  }
}

/// A promise that was broken.
public struct Broken: Error, CustomStringConvertible {
  public var description: String

  init(_ description: String) { self.description = description }
}

/// Throws `promise` where it does not hold.
func hold(_ holds: Bool, _ promise: @autoclosure () -> String) throws {
  if !holds { throw Broken(promise()) }
}
