import Glibc

/// Both ends of a serial line: the program opens `path`, the test is the terminal at the other end.
public final class PseudoTerminal {
  public struct Failure: Error { var code: CInt }

  public let path: String
  public private(set) var controller: CInt = -1

  public init() throws {
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

  public func hangUp() {
    if controller >= 0 { close(controller) }
    controller = -1
  }

  /// The line's settings, as the firmware set them.
  public var settings: termios {
    var settings = termios()
    tcgetattr(controller, &settings)
    return settings
  }

  public func type(_ text: String) { send(Array(text.utf8)) }

  public func send(_ bytes: [UInt8]) { write(controller, bytes, bytes.count) }

  /// Reads all bytes that have arrived, after waiting for the first.
  public func receive() -> [UInt8] {
    guard isReady(controller) else { return [] }
    var bytes = [UInt8](repeating: 0, count: 8_192)
    let count = read(controller, &bytes, bytes.count)
    return Array(bytes.prefix(max(0, count)))
  }

  /// Whether there are bytes to read.
  public var hasOutput: Bool {
    var polled = pollfd(fd: controller, events: CShort(POLLIN), revents: 0)
    return poll(&polled, 1, 0) > 0
  }

  /// What has been sent by now, at most `count` bytes of it.
  public func take(atMost count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < count, hasOutput {
      var block = [UInt8](repeating: 0, count: count - bytes.count)
      let taken = read(controller, &block, block.count)
      if taken <= 0 { break }
      bytes += block[..<taken]
    }
    return bytes
  }

  /// Reads until the bytes end with `end`; returns all bytes where that never comes.
  public func receive(until end: String) -> String {
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
public func isReady(_ descriptor: CInt, for events: CInt = POLLIN) -> Bool {
  var polled = pollfd(fd: descriptor, events: CShort(events), revents: 0)
  return poll(&polled, 1, 5_000) > 0
}
