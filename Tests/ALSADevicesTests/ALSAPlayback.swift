import Board
import Glibc
import Testing

@testable import ALSADevices

/// All tests with the real libasound, in one serial suite, because libasound's configuration belongs to the process.
@Suite("ALSA devices", .serialized) struct ALSAPlayback {
  let folder = ALSAFolder.shared
}

/// A folder with the ALSA configuration of these tests, and what their `file` PCMs wrote.
final class ALSAFolder: Sendable {
  static let shared = ALSAFolder()
  let path: String

  private init() {
    var template = Array("/tmp/alsa-tests-XXXXXX".utf8CString)
    path = mkdtemp(&template).map { String(cString: $0) } ?? ""
    write(Self.configuration(path) + NamedCard.configuration(in: path), to: "asound.conf")
    setenv("ALSA_CONFIG_PATH", path + "/asound.conf", 1)
    atexit {
      let folder = ALSAFolder.shared.path
      for name in ["asound.conf", "recorder.raw", "voice.raw"] + NamedCard.files { unlink("\(folder)/\(name)") }
      rmdir(folder)
    }
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

  func write(_ text: String, to name: String) { write(Array(text.utf8), to: name) }

  func write<Element>(_ elements: [Element], to name: String) {
    let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    _ = elements.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
    close(file)
  }

  func read(_ name: String) -> [UInt8] {
    let file = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = Glibc.read(file, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  /// How many descriptors of this process are open on a file of this folder.
  func openDescriptors(on name: String) -> Int {
    (0..<1_024).count { descriptor in
      var target = [CChar](repeating: 0, count: 4_096)
      let length = readlink("/proc/self/fd/\(descriptor)", &target, target.count)
      return length > 0 && target.prefix(length).elementsEqual("\(path)/\(name)".utf8CString.dropLast())
    }
  }
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
}
