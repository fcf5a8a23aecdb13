import Glibc

@testable import SerialConsole

/// Both ends of a serial line: the firmware opens `path`, the test is the terminal at the other end.
final class PseudoTerminal {
  struct Failure: Error { var code: CInt }

  let path: String
  private var controller: CInt = -1

  init() throws {
    var near: CInt = -1
    var far: CInt = -1
    guard openpty(&near, &far, nil, nil, nil) == 0 else { throw Failure(code: errno) }
    defer { close(far) }
    controller = near
    var name = [CChar](repeating: 0, count: 64)
    guard ttyname_r(far, &name, name.count) == 0 else { throw Failure(code: errno) }
    path = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit { hangUp() }

  func hangUp() {
    if controller >= 0 { close(controller) }
    controller = -1
  }

  /// The line's settings, as the firmware set them.
  var settings: termios {
    var settings = termios()
    tcgetattr(controller, &settings)
    return settings
  }

  func type(_ text: String) {
    let bytes = Array(text.utf8)
    write(controller, bytes, bytes.count)
  }

  /// Reads all bytes that have arrived, after waiting for the first.
  func receive() -> [UInt8] {
    guard isReady(controller) else { return [] }
    var bytes = [UInt8](repeating: 0, count: 8_192)
    let count = read(controller, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  /// Whether there are bytes to read.
  var hasOutput: Bool {
    var polled = pollfd(fd: controller, events: CShort(POLLIN), revents: 0)
    return poll(&polled, 1, 0) > 0
  }

  /// What has been sent by now, at most `count` bytes of it.
  func take(atMost count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count, hasOutput {
      var block = [UInt8](repeating: 0, count: count - bytes.count)
      let taken = read(controller, &block, block.count)
      if taken <= 0 { break }
      bytes += block[..<taken]
    }
    return bytes
  }

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

  /// Reads until the bytes end with `end`; returns all bytes where that never comes.
  func receive(until end: String) -> String {
    var bytes: [UInt8] = []
    while !String(decoding: bytes, as: UTF8.self).hasSuffix(end) {
      let more = receive()
      if more.isEmpty { break }
      bytes += more
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Waits for the event itself; the limit only ends a test that has failed.
func isReady(_ descriptor: CInt, for events: CInt = POLLIN) -> Bool {
  var polled = pollfd(fd: descriptor, events: CShort(events), revents: 0)
  return poll(&polled, 1, 5_000) > 0
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
func consoleError<Result>(_ body: () throws -> Result) -> SerialConsoleError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? SerialConsoleError
  }
}

/// Descriptors of this process that lead to `path`. A count of all descriptors would be
/// useless, as other tests run at the same time.
func openDescriptors(of path: String) -> Int {
  guard let stream = opendir("/proc/self/fd") else { return -1 }
  defer { closedir(stream) }
  var count = 0
  while let entry = readdir(stream) {
    // In place: a copy would have all 256 bytes, and behind the last entry there are fewer.
    let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    var target = [CChar](repeating: 0, count: Int(PATH_MAX))
    let length = readlink("/proc/self/fd/\(name)", &target, target.count)
    let text = String(decoding: target.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    if text == path { count += 1 }
  }
  return count
}
