import Board
import CDecoders

/// The libraries that decode and convert, of which each is loaded when the first file needs it.
///
/// A process that may open no file loads the ones that it is going to need beforehand, and is sealed; what turns out to
/// need another one then fails, and that one is `missed`.
public struct DecoderLibraries: OptionSet, Hashable, Sendable {
  public var rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }
  private init(_ library: decoder_library) { rawValue = 1 << library.rawValue }

  public static let mpg123 = DecoderLibraries(decoder_library_mpg123)
  public static let flac = DecoderLibraries(decoder_library_flac)
  public static let vorbisFile = DecoderLibraries(decoder_library_vorbisfile)
  public static let opusFile = DecoderLibraries(decoder_library_opusfile)
  public static let sndFile = DecoderLibraries(decoder_library_sndfile)
  public static let soxr = DecoderLibraries(decoder_library_soxr)
  public static let all = DecoderLibraries(rawValue: 1 << decoder_libraries.rawValue - 1)

  /// The libraries that this process was asked for in vain since it was sealed.
  public static var missed: DecoderLibraries { DecoderLibraries(rawValue: decoder_libraries_missed()) }

  /// From now on this process loads no library.
  public static func seal() { decoder_libraries_seal() }

  /// The libraries that a file most likely needs, by the ending of its name. The content may show that it needs others.
  public static func likely(at path: String) -> DecoderLibraries {
    guard let dot = path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return [] }
    return switch path[path.index(after: dot)...].lowercased() {
    case "mp3", "mp2", "mp1", "mpga", "mpa", "bit": .mpg123
    case "flac", "oga": .flac
    case "ogg": .vorbisFile
    case "opus": .opusFile
    case let ending: SoundFileName.endings.contains(ending) ? .sndFile : []
    }
  }

  /// Loads them. What cannot be loaded shows when a file needs it.
  public func load() {
    for library in 0..<decoder_libraries.rawValue where rawValue & 1 << library != 0 {
      _ = decoder_library_load(CInt(library))
    }
  }

  /// Loads the one that a file needs.
  func require(for path: String) throws(TrackError) {
    guard let reason = decoder_library_load(CInt(rawValue.trailingZeroBitCount)) else { return }
    throw TrackError(operation: .open, path: path, reason: "cannot be decoded: \(String(cString: reason)) is missing")
  }
}
