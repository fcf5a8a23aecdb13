import Files
import Fuzzing
import Glibc

// `fuzz` names the targets; `fuzz TARGET FILE…` replays files; `fuzz TARGET FOLDER OPTION…`, where it was built with
// libFuzzer (as `Tests/run fuzz` does), looks for more, and keeps in FOLDER the inputs that reached new code.

/// The target named on the command line; exits with an error where there is none.
private func target(_ word: String?) -> FuzzTarget {
  let targets = FuzzTarget.allCases.map(\.rawValue)
  guard let word else {
    print(targets.joined(separator: "\n"))
    exit(0)
  }
  if let target = FuzzTarget(rawValue: word) { return target }
  say("fuzz: \(Wording.quoted(word)) is no target, expected \(Wording.list(targets))")
  exit(2)
}

private func say(_ text: String) {
  let bytes = Array("\(text)\n".utf8)
  write(STDERR_FILENO, bytes, bytes.count)
}

/// The most that one input, of a megabyte at most, may take, and what each of its samples may add to it, because it may
/// be decoded six times. With AddressSanitizer the slowest good ones take a tenth.
private let mostProcessorTime = Duration.seconds(3)
private let timeOfSample = Duration.nanoseconds(200)

/// Checks that the target keeps its promises for `bytes`, and that it is done with them in time.
private func check(_ target: FuzzTarget, _ bytes: [UInt8]) throws {
  let start = clock()
  let samples = try target.check(bytes)
  let time = Duration.seconds(clock() - start) / Int(CLOCKS_PER_SEC)
  if time > mostProcessorTime + timeOfSample * samples {
    throw Slow(description: "\(bytes.count) bytes took \(time) of processor time")
  }
}

private struct Slow: Error, CustomStringConvertible {
  var description: String
}

#if !FUZZING
  @main
  struct Fuzz {
    static func main() {
      let target = target(CommandLine.arguments.dropFirst().first)
      for path in CommandLine.arguments.dropFirst(2) {
        do {
          try check(target, FileAccess.read(path))
          print("\(path): good")
        } catch {
          say("\(path): \(error)")
          exit(1)
        }
      }
    }
  }
#else
  // libFuzzer provides the main function and runs everything on one thread, so this global is safe.
  nonisolated(unsafe) private var chosen = FuzzTarget.toml

  /// Removes the target from the command line and copies its corpus into the folder that follows.
  @_cdecl("LLVMFuzzerInitialize")
  public func begin(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>
  ) -> CInt {
    let words = arguments.pointee
    chosen = target(count.pointee > 1 ? words[1].map { String(cString: $0) } : nil)
    for index in 1..<Int(count.pointee) { words[index] = words[index + 1] }
    count.pointee -= 1
    if count.pointee > 1, let folder = words[1].map({ String(cString: $0) }) { sow(folder) }
    return 0
  }

  @_cdecl("LLVMFuzzerTestOneInput")
  public func test(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    do {
      try check(chosen, Array(UnsafeBufferPointer(start: bytes, count: count)))
    } catch {
      say("broken: \(error)")
      abort()
    }
    return 0
  }

  private func sow(_ folder: String) {
    var status = stat()
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return }
    for (index, path) in Corpus.files(of: chosen).enumerated() {
      let seed = "\(folder)/seed-\(index)"
      guard let bytes = try? FileAccess.read(path), let stream = fopen(seed, "w") else { continue }
      fwrite(bytes, 1, bytes.count, stream)
      fclose(stream)
    }
  }
#endif
