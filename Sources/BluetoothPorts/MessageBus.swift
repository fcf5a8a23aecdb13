import Board
import CSDBus
import Glibc

/// A connection to a D-Bus message bus that never waits: calls are queued, and their replies come with `process`.
/// Closed with the last reference. One thread.
final class MessageBus {
  /// A service that sends without end must not keep the thread from its other work.
  private static let messagesAtOnce = 64

  private let bus: OpaquePointer
  private var matches: [Handler] = []
  /// By the number of the call.
  private var replies: [Int: Handler] = [:]
  private var replyCount = 0
  /// Whether messages were read that no descriptor shows.
  private var hasMore = false

  private init(adopting bus: OpaquePointer) { self.bus = bus }

  deinit { csdbus_close(bus) }

  /// - Parameter address: as in `DBUS_SYSTEM_BUS_ADDRESS`; nil: the system bus.
  static func open(_ address: String?) throws(MessageBusFailure) -> MessageBus {
    var bus: OpaquePointer?
    try MessageBusFailure.check(csdbus_open(address, &bus))
    guard let bus else { throw MessageBusFailure(code: ENOTCONN) }
    return MessageBus(adopting: bus)
  }

  /// The events change while it connects, and where messages are left after a `process`.
  var pollDescriptor: PollDescriptor {
    let events = CShort(max(0, csdbus_events(bus)))
    // A socket that takes bytes wakes at once.
    return PollDescriptor(fileDescriptor: csdbus_descriptor(bus), events: events | (hasMore ? CShort(POLLOUT) : 0))
  }

  /// Handles the messages that wait, at most 64; returns at once. Throws when the bus is gone.
  func process() throws(MessageBusFailure) {
    hasMore = false
    for _ in 0..<Self.messagesAtOnce {
      if try MessageBusFailure.check(csdbus_process(bus)) == 0 { return }
    }
    hasMore = true
  }

  /// Has `take` called for every message that `rule` matches.
  func match(_ rule: String, _ take: @escaping (borrowing BusMessage) -> Void) throws(MessageBusFailure) {
    let handler = Handler(take)
    matches.append(handler)
    try MessageBusFailure.check(csdbus_match(bus, rule, Handler.take, handler.context))
  }

  /// Has `take` called for every call to a method of the object `path`; it must reply to each.
  func export(_ path: String, _ take: @escaping (borrowing BusMessage) -> Void) throws(MessageBusFailure) {
    let handler = Handler(take)
    matches.append(handler)
    try MessageBusFailure.check(csdbus_export(bus, path, Handler.take, handler.context))
  }

  /// Calls a method; `take` gets the reply, which may be an error. Starts no service that is not running.
  func call(
    _ service: String, _ path: String, _ interface: String, _ member: String, _ arguments: [Variant],
    _ take: @escaping (borrowing BusMessage) -> Void
  ) throws(MessageBusFailure) {
    var call: OpaquePointer?
    try MessageBusFailure.check(csdbus_new_call(bus, service, path, interface, member, &call))
    guard let call else { throw MessageBusFailure(code: ENOMEM) }
    defer { csdbus_release(call) }
    for argument in arguments { try argument.append(to: call) }
    replyCount += 1
    let number = replyCount
    let handler = Handler { [unowned self] message in
      defer { replies[number] = nil }
      take(message)
    }
    try MessageBusFailure.check(csdbus_send_call(bus, call, Handler.take, handler.context))
    replies[number] = handler
  }

  /// Kept for as long as the bus may call it.
  private final class Handler {
    private let body: (borrowing BusMessage) -> Void

    init(_ body: @escaping (borrowing BusMessage) -> Void) { self.body = body }

    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let take: csdbus_handler = { message, context in
      guard let message, let context else { return }
      let handler = Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue()
      withExtendedLifetime(handler) { handler.body(BusMessage(message)) }
    }
  }
}

/// A call of sd-bus that failed.
struct MessageBusFailure: Error, Hashable, Sendable {
  /// Positive `errno`.
  var code: CInt

  var message: String {
    code == ELIBACC ? "libsystemd is not installed" : String(cString: strerror(code))
  }

  @discardableResult
  static func check(_ result: CInt) throws(MessageBusFailure) -> CInt {
    guard result >= 0 else { throw MessageBusFailure(code: -result) }
    return result
  }
}
