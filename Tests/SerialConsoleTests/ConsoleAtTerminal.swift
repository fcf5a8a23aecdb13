import Files
import Glibc
import TestSupport

@testable import SerialConsole

extension PseudoTerminal {
  /// Takes `count` bytes, or all that came, while `console` goes on sending whenever there is room.
  func receive(count: Int, from console: SerialConsole) throws -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count {
      let other = console.pollDescriptor
      var polled = [
        pollfd(fd: controller, events: CShort(POLLIN), revents: 0),
        pollfd(fd: other.fileDescriptor, events: other.events, revents: 0),
      ]
      guard poll(&polled, 2, 5_000) > 0 else { break }
      if polled[0].revents != 0 { bytes += receive() }
      if polled[1].revents != 0 { try console.flush() }
    }
    return bytes
  }
}

extension SerialConsole {
  /// The next lines, after waiting for input until there is one.
  func nextLines() throws -> [ConsoleInput] {
    var lines: [ConsoleInput] = []
    while lines.isEmpty, isReady(pollDescriptor.fileDescriptor) { lines = try readLines() }
    return lines
  }
}

/// The error of `body`; nil where it does not throw.
func consoleError<Result>(_ body: () throws -> Result) -> SerialError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? SerialError
  }
}

/// Descriptors of this process that lead to `path`. A count of all descriptors would be useless, because other tests
/// run at the same time.
func openDescriptors(of path: String) -> Int {
  guard let stream = opendir("/proc/self/fd") else { return -1 }
  defer { closedir(stream) }
  var count = 0
  while let entry = readdir(stream) {
    // In place: a copy would have all 256 bytes, and after the last entry there are fewer.
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/fd/\(name)", &target, target.count)
    let text = String(decoding: target.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if text == path { count += 1 }
  }
  return count
}
