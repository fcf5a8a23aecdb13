import Board
import Glibc
import TestSupport
import Testing

@testable import ALSADevices

/// All tests with the real libasound, in one serial suite, because libasound's configuration belongs to the process.
@Suite("ALSA devices", .serialized) struct ALSAPlayback {
  let folder: ALSAFolder

  init() throws { folder = try ALSAFolder.shared.get() }
}

/// A folder with the ALSA configuration of these tests, and what their `file` PCMs wrote. It stays until the process
/// ends, because libasound keeps its configuration.
final class ALSAFolder: Sendable {
  static let shared = Result { try ALSAFolder() }
  private let folder: TemporaryFolder

  private init() throws {
    folder = try TemporaryFolder()
    folder.write("asound.conf", Self.configuration(folder.path) + NamedCard.configuration(in: folder.path))
    setenv("ALSA_CONFIG_PATH", folder.path(of: "asound.conf"), 1)
    atexit { try? ALSAFolder.shared.get().folder.remove() }
  }

  private static func configuration(_ path: String) -> String {
    """
    pcm.null { type null }
    pcm.recorder { type file slave.pcm null file "\(path)/recorder.raw" format raw }
    pcm.loop { type file slave.pcm null file "/dev/null" infile "\(path)/voice.raw" format raw }
    pcm.unreadable { type file slave.pcm null file "/dev/null" infile "\(path)/missing.raw" format raw }
    pcm.unwritable { type file slave.pcm null file "\(path)/missing/recorder.raw" truncate false }

    """
  }

  func write(_ text: String, to name: String) { folder.write(name, text) }

  func write(_ samples: [Int16], to name: String) { samples.withUnsafeBytes { _ = folder.write(name, $0) } }

  func read(_ name: String) -> [UInt8] { folder.read(name) ?? [] }

  func openDescriptors(on name: String) -> Int { folder.openDescriptors(on: name) }
}

/// Interleaved stereo frames that can be told apart: frame *n* is (n, -n).
func frames(_ numbers: Range<Int>) -> [Int16] {
  numbers.flatMap { [Int16($0), -Int16($0)] }
}

/// The `PCMError` that `work` throws.
func failure<Value>(of work: () throws -> Value) -> PCMError? {
  do {
    _ = try work()
    return nil
  } catch {
    return error as? PCMError
  }
}

extension ALSAPlaybackPCM {
  /// Writes all of `samples` in as many calls as it takes. Returns the frames taken before the device was full.
  func writeAll(_ samples: [Int16]) throws -> Int {
    try samples.withUnsafeBufferPointer { samples in
      var done = 0
      while done < samples.count / 2, let base = samples.baseAddress {
        let taken = try write(base + 2 * done, frames: samples.count / 2 - done)
        if taken == 0 { break }
        done += taken
      }
      return done
    }
  }

  /// Starts with this many frames, all of which it takes.
  func startPlaying(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) throws {
    #expect(try writeAll(frames(0..<count)) == count, sourceLocation: sourceLocation)
    try start()
  }
}
