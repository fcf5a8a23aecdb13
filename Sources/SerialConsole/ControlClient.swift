import Board
import Glibc

/// One client of the control socket. Control thread; no call blocks.
final class ControlClient {
  /// More than any answer.
  private static let queueCapacity = 8_192
  private static let newline = UInt8(ascii: "\n")

  private let descriptor: SocketDescriptor
  private var received: [UInt8] = []
  private var queue = LineQueue(capacity: queueCapacity)
  private var refusal: String?
  /// Nothing more is read; what waits is still obeyed and answered.
  private var isEnded = false
  /// Nobody is there to answer any more.
  private var isLost = false

  private init(adopting descriptor: consuming SocketDescriptor) { self.descriptor = descriptor }

  /// Nil, and `errno` says why, where none waits.
  static func accept(from listener: CInt) -> ControlClient? {
    // glibc declares accept4 to GNU sources only.
    let number = Glibc.accept(listener, nil, nil)
    guard number >= 0 else { return nil }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    _ = fcntl(number, F_SETFL, O_NONBLOCK)
    return ControlClient(adopting: SocketDescriptor(adopting: number))
  }

  /// Whether a whole command waits, and the answers to those before it have gone out.
  var isReady: Bool { hasLine && queue.isEmpty && !isLost }
  /// Whether there is nothing left to do for it.
  var isOver: Bool { isLost || isEnded && queue.isEmpty && !hasLine }

  /// Nil while it is to wait: even a descriptor of which nothing is asked would tell of a hang-up again and again.
  var pollDescriptor: PollDescriptor? {
    if !queue.isEmpty { return PollDescriptor(fileDescriptor: descriptor.number, events: CShort(POLLOUT)) }
    if hasLine || isEnded { return nil }
    return PollDescriptor(fileDescriptor: descriptor.number, events: CShort(POLLIN))
  }

  private var hasLine: Bool { received.contains(Self.newline) }

  func serve() {
    flush()
    // Who does not take the answers is asked for no more commands.
    if queue.isEmpty, !hasLine, !isEnded { receive() }
  }

  private func receive() {
    var block = [UInt8](repeating: 0, count: 512)
    let count = recv(descriptor.number, &block, block.count, 0)
    if count < 0 {
      isLost = errno != EAGAIN && errno != EINTR
      return
    }
    received += block[..<count]
    if count == 0 {
      isEnded = true
      if !received.isEmpty { received.append(Self.newline) }
    }
    let line = received.firstIndex(of: Self.newline) ?? received.count
    if line > ControlSocket.longestLine { refuseLine() }
  }

  private func refuseLine() {
    received = []
    isEnded = true
    send("error: the line is longer than \(ControlSocket.longestLine) bytes")
    flush()
  }

  func takeLine() -> String? {
    guard let end = received.firstIndex(of: Self.newline) else { return nil }
    // One behind a line that is short enough.
    if end > ControlSocket.longestLine {
      refuseLine()
      return nil
    }
    var line = received[..<end]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    defer { received.removeSubrange(...end) }
    return String(decoding: line, as: UTF8.self)
  }

  func answer(_ text: String) {
    for line in text.split(separator: "\n") {
      if line.hasPrefix("error: ") { refusal = String(line) } else { send(String(line)) }
    }
  }

  /// The last line of an answer: whether the command was obeyed.
  func endAnswer() {
    send(refusal ?? "ok")
    refusal = nil
    flush()
  }

  private func send(_ line: String) {
    if !queue.append(Array(line.utf8) + [Self.newline], isLine: true) { isLost = true }
  }

  private func flush() {
    guard !isLost else { return }
    let failure = queue.flush { Glibc.send(descriptor.number, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL)) }
    isLost = failure != nil
  }
}
