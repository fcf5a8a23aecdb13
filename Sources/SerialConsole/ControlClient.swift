import Board
import Glibc

/// One client of the control socket. Control thread; no call blocks.
final class ControlClient {
  /// Whether and how it watches.
  enum Watching: Hashable {
    case no
    /// It is to get the state as a whole before anything else, and then everything, after this many lines that it
    /// missed.
    case awaitsState(missed: Int)
    case inStep
  }

  /// More than any reply takes.
  private static let queueCapacity = 16_384
  /// What a watcher may be behind, beside a reply.
  static let watchCapacity = 65_536
  private static let newline = UInt8(ascii: "\n")

  private let descriptor: SocketDescriptor
  private var received: [UInt8] = []
  private var queue = LineQueue(capacity: queueCapacity)
  private var refusal: String?
  /// Nothing more is read, but commands that wait are still carried out and replied to.
  private var isEnded = false
  /// The connection is broken; replies are dropped.
  private var isLost = false
  private(set) var watching = Watching.no
  /// Lines for a watcher so far, with those that it missed.
  private var sequence = 0

  private init(adopting descriptor: consuming SocketDescriptor) { self.descriptor = descriptor }

  /// Returns nil and sets `errno` where no client waits.
  static func accept(from listener: CInt) -> ControlClient? {
    // glibc declares accept4 to GNU sources only.
    let number = Glibc.accept(listener, nil, nil)
    guard number >= 0 else { return nil }
    _ = fcntl(number, F_SETFD, FD_CLOEXEC)
    _ = fcntl(number, F_SETFL, O_NONBLOCK)
    return ControlClient(adopting: SocketDescriptor(adopting: number))
  }

  /// Whether a whole command waits, and the replies to those before it have been sent.
  var isReady: Bool { hasLine && queue.isEmpty && !isLost }
  /// Whether the client can be dropped.
  var isOver: Bool { isLost || isEnded && queue.isEmpty && !hasLine }

  /// Nil while the client has to wait: `poll` reports a hang-up even of a descriptor with no events, again and again.
  var pollDescriptor: PollDescriptor? {
    if !queue.isEmpty { return PollDescriptor(fileDescriptor: descriptor.number, events: CShort(POLLOUT)) }
    if hasLine || isEnded { return nil }
    return PollDescriptor(fileDescriptor: descriptor.number, events: CShort(POLLIN))
  }

  private var hasLine: Bool { received.contains(Self.newline) }

  func serve() {
    flush()
    // A client that does not read its replies is not read from either.
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
    // A line behind one that was short enough.
    if end > ControlSocket.longestLine {
      refuseLine()
      return nil
    }
    var line = received[..<end]
    if line.last == UInt8(ascii: "\r") { line.removeLast() }
    defer { received.removeSubrange(...end) }
    return String(decoding: line, as: UTF8.self)
  }

  func reply(_ text: String) {
    for line in text.split(separator: "\n") {
      if line.hasPrefix("error: ") { refusal = String(line) } else { send(String(line)) }
    }
  }

  /// Sends the last line of a reply: `ok`, or the error.
  func endReply() {
    send(refusal ?? "ok")
    refusal = nil
    flush()
  }

  /// Gives the replies more room and asks for the state; a second call does nothing. No reply may wait to be sent.
  func watch() {
    guard watching == .no else { return }
    queue = LineQueue(capacity: Self.queueCapacity + Self.watchCapacity)
    watching = .awaitsState(missed: 0)
  }

  var isWatching: Bool { watching != .no }
  /// Whether it can take the state now: all that it was sent before has been taken.
  var awaitsState: Bool { if case .awaitsState = watching { queue.isEmpty && !isLost } else { false } }

  /// Sends the lines of the state, behind one that counts the lines that it missed.
  func catchUp(with state: [[UInt8]]) {
    guard case .awaitsState(let missed) = watching else { return }
    watching = .inStep
    if missed > 0 { _ = push(Array(#""type":"dropped","lines":\#(missed)}"#.utf8) + [Self.newline]) }
    for line in state { _ = push(line) }
  }

  /// Sends a numbered line: `{"seq":N,` and then `rest`, which ends it. Returns false where it was dropped: a watcher
  /// that is behind by as much as the queue holds misses whole lines until it has taken all that waits for it.
  func push(_ rest: [UInt8]) -> Bool {
    switch watching {
    case .no, .awaitsState(missed: 0): return true
    case .awaitsState(let missed):
      sequence += 1
      watching = .awaitsState(missed: missed + 1)
      return false
    case .inStep: break
    }
    sequence += 1
    let line = Array(#"{"seq":\#(sequence),"#.utf8) + rest
    // A reply that begins now must fit in any case.
    guard queue.freeBytes >= line.count + Self.queueCapacity, queue.append(line, isLine: true) else {
      watching = .awaitsState(missed: 1)
      return false
    }
    flush()
    return true
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
