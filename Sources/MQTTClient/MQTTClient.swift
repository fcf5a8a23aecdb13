import CMosquitto
import Glibc

/// A connection to a broker of this machine over its UNIX socket, by libmosquitto without its thread: whoever owns it
/// polls `descriptor`, and calls `serve`. MQTT 5, because only there a subscriber learns of a message that came through
/// a bridge that it was retained. One thread; connecting is local and takes no time.
public final class MQTTClient {
  public enum Event: Hashable, Sendable {
    /// The broker has accepted us.
    case up
    /// The connection is lost, for this reason; `connect` makes a new one.
    case down(String)
    case message(topic: String, payload: [UInt8], isRetained: Bool)
  }

  public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
    public var path: String
    public var message: String
    public var description: String { "\(path): \(message)" }
  }

  /// Seconds between signs of life.
  private static let keepAlive: CInt = 60
  /// The most of a payload that is kept.
  private static let mostBytes = 4_096

  private let path: String
  private let port: CInt
  private let handle: OpaquePointer
  private var events: [Event] = []
  private var isConnected = false
  /// Messages that the broker has not acknowledged yet.
  public private(set) var unacknowledged = 0

  /// - Parameters:
  ///   - path: of the broker's socket; with a port, which only tests have, the address of its host.
  ///   - will: what the broker publishes, retained, when the connection is lost.
  public init(path: String, port: CInt = 0, id: String, will: (topic: String, payload: String)) throws(Failure) {
    self.path = path
    self.port = port
    guard CMosquitto.mosquitto_lib_init() == 0, let handle = mosquitto_new(id, true, nil) else {
      throw Failure(path: path, message: String(cString: strerror(errno)))
    }
    self.handle = handle
    mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V5)
    mosquitto_will_set(handle, will.topic, CInt(will.payload.utf8.count), will.payload, 1, true)
    mosquitto_user_data_set(handle, Unmanaged.passUnretained(self).toOpaque())
    mosquitto_connect_v5_callback_set(handle) { _, owner, code, _, _ in
      MQTTClient.from(owner)?.connected(code)
    }
    mosquitto_publish_v5_callback_set(handle) { _, owner, _, _, _ in
      MQTTClient.from(owner)?.unacknowledged -= 1
    }
    mosquitto_message_v5_callback_set(handle) { _, owner, message, _ in
      guard let message else { return }
      MQTTClient.from(owner)?.took(message.pointee)
    }
  }

  deinit { mosquitto_destroy(handle) }

  private static func from(_ owner: UnsafeMutableRawPointer?) -> MQTTClient? {
    owner.map { Unmanaged<MQTTClient>.fromOpaque($0).takeUnretainedValue() }
  }

  private func connected(_ code: CInt) {
    isConnected = code == 0
    events.append(code == 0 ? .up : .down(String(cString: mosquitto_reason_string(code))))
  }

  /// An oversized payload is cut: its beginning suffices to refuse it.
  private func took(_ message: mosquitto_message) {
    let bytes = UnsafeRawBufferPointer(start: message.payload, count: min(Int(message.payloadlen), Self.mostBytes))
    events.append(
      .message(topic: String(cString: message.topic), payload: Array(bytes), isRetained: message.retain))
  }

  /// Begins to connect; `up` says that it succeeded. Throws where no broker listens.
  public func connect() throws(Failure) {
    let code = mosquitto_connect(handle, path, port, Self.keepAlive)
    if code != 0 { throw Failure(path: path, message: Self.reason(code)) }
  }

  private static func reason(_ code: CInt) -> String {
    code == CInt(MOSQ_ERR_ERRNO.rawValue) ? String(cString: strerror(errno)) : String(cString: mosquitto_strerror(code))
  }

  /// -1 while there is none.
  public var descriptor: CInt { mosquitto_socket(handle) }
  public var wantsWrite: Bool { mosquitto_want_write(handle) }

  /// Does what is possible now; call it when the descriptor is ready, and every few seconds. Returns what happened.
  public func serve() -> [Event] {
    for step in [{ mosquitto_loop_read($0, 1) }, { mosquitto_loop_write($0, 1) }, { mosquitto_loop_misc($0) }]
      as [(OpaquePointer) -> CInt]
    {
      guard descriptor >= 0 else { break }
      let code = step(handle)
      if code != 0, code != CInt(MOSQ_ERR_NO_CONN.rawValue) { return lost(code) }
    }
    if isConnected, descriptor < 0 { return lost(CInt(MOSQ_ERR_CONN_LOST.rawValue)) }
    return takeEvents()
  }

  private func lost(_ code: CInt) -> [Event] {
    isConnected = false
    let events = takeEvents()
    // A broker that refuses says why, and then hangs up.
    if case .down? = events.last { return events }
    return events + [.down(Self.reason(code))]
  }

  private func takeEvents() -> [Event] {
    defer { events = [] }
    return events
  }

  /// With QoS 1; what is not acknowledged when the connection is lost is sent again over the next one.
  public func publish(_ topic: String, _ payload: String, isRetained: Bool) {
    let code = mosquitto_publish(handle, nil, topic, CInt(payload.utf8.count), payload, 1, isRetained)
    if code == 0 || code == CInt(MOSQ_ERR_NO_CONN.rawValue) { unacknowledged += 1 }
  }

  /// With QoS 0; messages that are retained come as such, also when they are new.
  public func subscribe(_ topic: String) {
    mosquitto_subscribe_v5(handle, nil, topic, 0, CInt(MQTT_SUB_OPT_RETAIN_AS_PUBLISHED.rawValue), nil)
  }
}
