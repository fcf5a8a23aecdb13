import Files
import Glibc
import TestSupport
import Testing

@Suite struct FileAccessTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func error(_ path: String) -> String {
    errorText { () throws(FileError) in try FileAccess.read(path) }
  }

  @Test("a file that is not there, a folder, a FIFO and a huge file are refused by name")
  func refused() {
    let missing = "\(folder.path)/none.toml"
    #expect(error(missing) == "\(missing): no such file")
    #expect(error(folder.path) == "\(folder.path): is a folder, expected a file")
    let fifo = folder.write("fifo", "".utf8)
    remove(fifo)
    mkfifo(fifo, 0o600)
    #expect(error(fifo) == "\(fifo): is not a regular file")
    let huge = folder.write("huge.toml", [UInt8](repeating: 0x0A, count: 1 << 20 + 1))
    #expect(error(huge) == "\(huge): is larger than 1 MiB")
    #expect(error("\(huge)/x") == "\(huge)/x: no such file")
  }

  @Test("a file of exactly 1 MiB is read")
  func largest() throws {
    let text = [UInt8](repeating: 0x0A, count: 1 << 20 - 11) + Array("shuffle=[]\n".utf8)
    let path = folder.write("large.toml", text)
    #expect(try FileAccess.read(path) == text)
  }

  @Test("F8: the lines of a file come one by one, however it is read; one that is too long is cut off")
  func lines() throws {
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 40_000)
    let end = [UInt8(ascii: "\n")]
    let parts = [line, end, line, end, end, line, line, line, end, Array("end".utf8)]
    let path = folder.write("long.stats", parts.joined())
    var lines: [[UInt8]] = []
    try FileAccess.readLines(of: path, atMost: 100_000) { lines.append($0) }
    #expect(lines.map(\.count) == [40_000, 40_000, 0, 100_000, 3] && lines.last == Array("end".utf8))
    let error = errorText { () throws(FileError) in try FileAccess.readLines(of: folder.path) { _ in } }
    #expect(error == "\(folder.path): is a folder, expected a file")
  }

  @Test("F2: what is written waits for a slow reader, also where another program has left its descriptor non-blocking")
  func slowReader() throws {
    let reader = try #require(popen("sleep 0.2; exec cat >'\(folder.path(of: "read"))'", "we"))
    let descriptor = fileno(reader)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    // More than a pipe holds.
    let text = String(repeating: "x", count: 200_000)
    #expect(FileAccess.write(text, to: descriptor) == 0)
    pclose(reader)
    #expect(folder.read("read") == Array(text.utf8))
  }
}
