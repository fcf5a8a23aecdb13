/// A reader of untrusted bytes, and what it promises for any bytes.
///
/// Tests replay the corpus, which includes every input that once broke something; `Tests/run fuzz` lets libFuzzer look for
/// more.
public enum FuzzTarget: String, CaseIterable, Sendable {
  case toml, settings, board, scenario, state, counters, database
  case console, control
  case recording
  case mpeg, wave, flac, vorbis, opus
  /// Any other data beside MPEG audio, and in its place.
  case junk
  /// AIFF, CAF, AU and Wave64.
  case others
  /// A megabyte of any of these formats that says the same again and again.
  case repetitive
  /// What the process that decodes sends.
  case answers

  /// Runs the reader on `bytes`; throws `BrokenPromise` where a promise does not hold. One thread at a time.
  ///
  /// - Returns: how many samples were found in them: decoding takes a time for each, of which FLAC packs half a million
  ///   into 30 bytes.
  @discardableResult
  public func check(_ bytes: [UInt8]) throws -> Int {
    switch self {
    case .toml: try TextFiles.checkTOML(bytes)
    case .settings: try TextFiles.checkSettings(bytes)
    case .board: try TextFiles.checkBoard(bytes)
    case .scenario: try TextFiles.checkScenario(bytes)
    case .state: try SavedStates.check(bytes)
    case .counters: try SavedCounters.check(bytes)
    case .database: try KeptDatabases.check(bytes)
    case .console: try TypedCommands.check(bytes)
    case .control: try SentCommands.check(bytes)
    case .recording: try TornRecordings.check(bytes)
    case .mpeg: return try SoundFiles.check(bytes, isMPEG: true)
    case .junk: try JunkData.check(bytes)
    case .flac: return try SoundFiles.check(bytes, isFLAC: true)
    case .vorbis, .opus, .others: return try SoundFiles.check(bytes)
    case .repetitive: return try SoundFiles.check(SoundFiles.repeated(bytes), isMPEG: true)
    case .answers: try DecoderAnswers.check(bytes)
    case .wave:
      // The bytes may be RIFF around MPEG audio.
      try SoundFiles.checkMicrophone(bytes)
      return try SoundFiles.check(bytes, isMPEG: true)
    }
    return 0
  }

  /// Folders and files of the repository that are inputs, too, beside the corpus.
  public var seeds: [String] {
    switch self {
    case .toml: ["deploy/jackdaw.toml"]
    case .settings: ["deploy", "board/sim/examples"]
    case .board: ["board"]
    case .scenario: ["board/sim", "board/sim/examples", "Tests/SimulatorTests/Scenarios"]
    case .mpeg, .flac, .vorbis, .opus: ["Tests/TrackDecodingTests/Fixtures"]
    case .state, .counters, .database, .console, .control, .recording, .wave, .junk, .others, .repetitive, .answers:
      []
    }
  }

  /// The file name extensions of the inputs.
  public var endings: [String] {
    switch self {
    case .toml, .settings, .board: [".toml"]
    case .scenario: [".scenario"]
    case .mpeg: [".mp3"]
    case .flac: [".flac", ".oga"]
    case .vorbis: [".ogg"]
    case .opus: [".opus"]
    case .state, .counters, .database, .console, .control, .recording, .wave, .junk, .others, .repetitive, .answers:
      []
    }
  }
}

/// A promise that was broken.
public struct BrokenPromise: Error, CustomStringConvertible {
  public var description: String

  init(_ description: String) { self.description = description }
}

/// Throws `promise` where it does not hold.
func hold(_ holds: Bool, _ promise: @autoclosure () -> String) throws {
  if !holds { throw BrokenPromise(promise()) }
}
