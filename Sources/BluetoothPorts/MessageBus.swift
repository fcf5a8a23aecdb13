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
  private var replies: [BusMethod: Handler] = [:]
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

  /// Calls a method without arguments; `take` gets the reply, which may be an error, and replies to earlier calls of
  /// the method that are still to come. Starts no service that is not running.
  func call(_ method: BusMethod, _ take: @escaping (borrowing BusMessage) -> Void) throws(MessageBusFailure) {
    let handler = replies[method] ?? Handler(take)
    handler.body = take
    replies[method] = handler
    try MessageBusFailure.check(
      csdbus_call(bus, method.service, method.path, method.interface, method.member, Handler.take, handler.context))
  }

  /// Kept as long as the bus, which may call it for as long.
  private final class Handler {
    var body: (borrowing BusMessage) -> Void

    init(_ body: @escaping (borrowing BusMessage) -> Void) { self.body = body }

    var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let take: csdbus_handler = { message, context in
      guard let message, let context else { return }
      Unmanaged<Handler>.fromOpaque(context).takeUnretainedValue().body(BusMessage(message))
    }
  }
}

/// A method of a service on the bus.
struct BusMethod: Hashable, Sendable {
  var service: String
  var path: String
  var interface: String
  var member: String
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
