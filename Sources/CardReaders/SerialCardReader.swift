import AudioSession
import Board
import Files
import Glibc

/// A card reader at a serial line, which says whether a card lies on it (L rows). Control thread; no call blocks.
///
/// While none lies there, it waits for the line and costs nothing. While one does, the line is not waited for, because
/// some readers go on talking; it is looked at `often` while something sounds and shortly after that, and `seldom`
/// otherwise.
final class SerialCardReader<Protocol: CardProtocol>: CardReader {
  let name: String
  let lines: [String] = []
  let isShared = false
  private let reader: String
  private let device: String
  private let clock: any BoardClock
  private var line: Line?
  private var isOpen = false
  private var isFirst = true
  private var isSounding = false
  /// When something sounded last.
  private var sounded: Instant
  /// When a card may have lain there for the last time.
  private var seen: Instant
  /// When the reader was asked last.
  private var asked: Instant
  /// How many looks in a row have found no card, or a reader that was deaf.
  private var misses = 0
  private var cards: [CardReading] = []
  private(set) var nextLook: Instant?

  private let often = Duration.milliseconds(600)
  private let seldom = Duration.seconds(5)
  /// For this long after the last sound it is looked at as often as during it.
  private let afterglow = Duration.seconds(10)
  /// What has begun to come is complete by then.
  private let soon = Duration.milliseconds(100)
  /// A reader that has to be asked may have lost its power meanwhile, and the question with it: it is asked again if
  /// the board is awake anyway and this much time has passed.
  private let trust = Duration.seconds(60)
  /// What a reader says may be lost on its way, or damaged: before this many looks in a row nothing counts as gone.
  private let limits: [CardLook: Int] = [.absent: 2, .unclear: 3, .deaf: 3]
  private let bytesAtOnce = 65_536
  private var block = [UInt8](repeating: 0, count: 1_024)

  init(_ reader: String, device: String, clock: any BoardClock) {
    name = "reader \(reader)"
    (self.reader, self.device, self.clock) = (reader, device, clock)
    (seen, sounded, asked) = (clock.now, clock.now, clock.now)
  }

  /// Closed with the last reference.
  private final class Line {
    let descriptor: SerialDescriptor
    var speech: Protocol
    init(_ descriptor: consuming SerialDescriptor, _ speech: Protocol) {
      self.descriptor = descriptor
      self.speech = speech
    }

    // The kernel may hold up closing for 30 s to send what nobody takes.
    deinit { tcflush(descriptor.number, TCOFLUSH) }
  }

  var pollDescriptors: [PollDescriptor] {
    guard isOpen, nextLook == nil, let line else { return [] }
    return [PollDescriptor(fileDescriptor: line.descriptor.number, events: CShort(POLLIN))]
  }

  /// Throws also until the reader has answered what it is sent first, which the next call finds.
  func open() throws(LineError) {
    let (greeted, mayWait) = (line, isFirst)
    (line, isFirst) = (nil, false)
    let line = if let greeted { greeted } else { try greet() }
    if mayWait { wait(for: line) }
    if !line.speech.isReady { _ = line.speech.look(at: try read(line)) }
    guard line.speech.isReady else {
      if greeted == nil { self.line = line }
      throw LineError(
        operation: .openDevice, subject: device, code: ETIMEDOUT,
        message: "the reader does not answer, expected one at \(Protocol.speed) baud")
    }
    try ask(line, thenLookAfter: soon, clock.now)
    (self.line, isOpen, misses, seen) = (line, true, 0, clock.now)
  }

  private func greet() throws(LineError) -> Line {
    do throws(SerialError) {
      let descriptor = try SerialDescriptor.open(
        device: device, speed: Protocol.speed, least: Protocol.least, isExclusive: true)
      tcflush(descriptor.number, TCIOFLUSH)
      // One that does not come through is not answered, either.
      if !Protocol.greeting.isEmpty { write(descriptor.number, Protocol.greeting, Protocol.greeting.count) }
      return Line(descriptor, Protocol())
    } catch {
      let advice = error.code == EACCES ? "; expected membership in the group dialout" : ""
      throw LineError(
        operation: .openDevice, subject: device, code: error.code, message: error.message + advice)
    }
  }

  /// At power on, so that what lies there is known at the start.
  private func wait(for line: Line) {
    var polled = pollfd(fd: line.descriptor.number, events: CShort(POLLIN), revents: 0)
    for _ in 0..<10 where !line.speech.isReady {
      poll(&polled, 1, 10)
      guard let bytes = try? read(line) else { return }
      _ = line.speech.look(at: bytes)
    }
  }

  func levels() -> [Bool] { [] }

  func readEdges(into edges: inout [LineEdge]) throws(LineError) {
    guard isOpen, let line else { return }
    let now = clock.now
    if let nextLook {
      if nextLook <= now { try look(at: line, now) }
      return
    }
    let bytes = try read(line)
    if bytes.isEmpty {
      if !Protocol.greeting.isEmpty, now - asked > trust { try ask(line, thenLookAfter: soon, now) }
      return
    }
    if case .card(let token) = line.speech.look(at: bytes) {
      try found(token, line, now)
    } else {
      nextLook = now + soon
    }
  }

  private func look(at line: Line, _ now: Instant) throws(LineError) {
    let look = line.speech.look(at: try read(line))
    if case .card(let token) = look { return try found(token, line, now) }
    misses += 1
    // Something is there.
    if look == .unclear { seen = now }
    if misses < limits[look] ?? 0 {
      return try ask(line, thenLookAfter: look == .deaf ? interval(at: now) : soon, now)
    }
    if look == .deaf {
      // A reader that is dead says nothing of its card.
      throw LineError(operation: .readEdges, subject: device, code: ETIMEDOUT, message: "the reader does not answer")
    }
    report(nil)
    if look == .absent { (nextLook, misses) = (nil, 0) } else { try ask(line, thenLookAfter: interval(at: now), now) }
  }

  private func found(_ token: String, _ line: Line, _ now: Instant) throws(LineError) {
    (seen, misses) = (now, 0)
    report(token)
    try ask(line, thenLookAfter: interval(at: now), now)
  }

  private func report(_ token: String?) { cards.append(CardReading(reader: reader, token: token, at: seen)) }

  private func ask(_ line: Line, thenLookAfter wait: Duration, _ now: Instant) throws(LineError) {
    asked = now
    nextLook = now + wait
    let question = line.speech.ask()
    if question.isEmpty { return }
    let sent = write(line.descriptor.number, question, question.count)
    // A line that takes nothing now makes a reader that is deaf.
    if sent >= 0 || errno == EAGAIN || errno == EINTR { return }
    throw LineError(operation: .readEdges, subject: device, code: errno, message: String(cString: strerror(errno)))
  }

  func takeCards() -> [CardReading] {
    defer { cards = [] }
    return cards
  }

  func noteSounding(_ isSounding: Bool) {
    if isSounding || self.isSounding { sounded = clock.now }
    self.isSounding = isSounding
    guard isSounding, let next = nextLook else { return }
    nextLook = min(next, clock.now + often)
  }

  private func interval(at now: Instant) -> Duration {
    isSounding || now - sounded < afterglow ? often : seldom
  }

  /// A reader that has not answered yet may do so until the next `open`.
  func close() {
    // Also where the line was lost over the first question: a look that nobody takes would keep the thread from resting.
    nextLook = nil
    guard isOpen else { return }
    (isOpen, line) = (false, nil)
  }

  // MARK: - The line

  /// What has come. Throws when the device is gone.
  private func read(_ line: Line) throws(LineError) -> [UInt8] {
    var bytes: [UInt8] = []
    while bytes.count < bytesAtOnce {
      let count = Glibc.read(line.descriptor.number, &block, block.count)
      if count < 0 && (errno == EAGAIN || errno == EINTR) { break }
      guard count > 0 else {
        let code = count < 0 ? errno : ENODEV
        throw LineError(
          operation: .readEdges, subject: device, code: code, message: String(cString: strerror(code)))
      }
      bytes += block[..<count]
    }
    return bytes
  }
}
