import AudioSession
import Board
import Files
import Glibc
import JSON

/// Commands from other programs of this machine, over a UNIX stream socket: every line is a command, and its reply is
/// any number of lines and then one that is `ok` or starts with `error: `. Control thread; no call blocks. Closed and
/// unlinked with the last reference.
///
/// Clients may be slow, stuck, many, or send garbage: all of them together get one command every 5 ms.
///
/// A client that sends `watch` gets, from the `ok` on, numbered lines of JSON: first the state, then whatever `push` sends
/// to all that watch. One that falls behind misses whole lines, which are counted, and then gets the state again (F1, F2).
public final class ControlSocket {
  /// For one more, the client that has been silent for the longest is disconnected; those that watch do not count.
  public static let mostClients = 8
  /// One more that wants to watch is refused.
  public static let mostWatchers = 16
  /// The command that makes a client a watcher.
  public static let watchCommand = "watch"
  /// The longest command, in bytes.
  public static let longestLine = CommandLineReader.limit
  /// The time between two commands.
  public static let turnTime = Duration.milliseconds(5)
  /// How long to wait before accepting again when the process has no descriptor left.
  private static let pause = Duration.seconds(1)

  public let path: String
  private let listener: SocketDescriptor
  /// Held as long as the socket is there, so that nobody else replaces it.
  private let lock: FileLock
  /// In the order in which they last sent a command, the latest at the end.
  private var clients: [ControlClient] = []
  private var asking: ControlClient?
  private var nextCommand = Instant.powerOn
  private var nextAccept: Instant?
  /// Lines that watchers have missed, until `takeDropped` passes them on.
  private var dropped = 0

  private init(path: String, _ lock: FileLock, adopting listener: consuming SocketDescriptor) {
    self.path = path
    self.lock = lock
    self.listener = listener
  }

  deinit { unlink(path) }

  /// Listens at `path`, which its owner and the group of its folder may use. A socket that a firmware has left behind
  /// is replaced. Throws where another firmware listens there, where a file of another kind is there, and where the
  /// folder does not permit it.
  public static func open(path: String) throws(ControlSocketError) -> ControlSocket {
    guard let address = UnixAddress(path) else {
      let most = UnixAddress.longestPath
      throw ControlSocketError(path, "expected an absolute path of at most \(most) bytes")
    }
    let lock = try lock(path)
    try clear(path, address)
    let socket = ControlSocket(path: path, lock, adopting: try listener(at: path, address))
    var folder = stat()
    // A user who is not in that group shares the socket with his own group.
    if stat(FileAccess.folder(of: path), &folder) == 0 { _ = chown(path, uid_t.max, folder.st_gid) }
    guard listen(socket.listener.number, CInt(mostClients)) == 0 else { throw ControlSocketError(path, code: errno) }
    return socket
  }

  private static func lock(_ path: String) throws(ControlSocketError) -> FileLock {
    do throws(FileLockError) {
      return try FileLock.take("\(path).lock")
    } catch {
      throw error.isHeld ? .taken(path) : ControlSocketError(path, code: error.code)
    }
  }

  /// Bound, but not listening yet.
  private static func listener(
    at path: String, _ address: UnixAddress
  ) throws(ControlSocketError) -> SocketDescriptor {
    let listener = SocketDescriptor()
    // Set before bind: at no moment may the socket be open to all.
    let mask = umask(0o117)
    let code = address.use { bind(listener.number, $0, $1) == 0 ? 0 : errno }
    umask(mask)
    guard code == 0 else { throw ControlSocketError(path, code: code) }
    return listener
  }

  /// Removes a socket that nobody listens at.
  private static func clear(_ path: String, _ address: UnixAddress) throws(ControlSocketError) {
    var status = stat()
    guard lstat(path, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFSOCK else { throw ControlSocketError(path, "is there and is no socket") }
    let probe = SocketDescriptor()
    let code = address.use { connect(probe.number, $0, $1) == 0 ? 0 : errno }
    switch code {
    case ECONNREFUSED: unlink(path)
    // EAGAIN: it listens, but its queue is full.
    case 0, EAGAIN: throw .taken(path)
    default: throw ControlSocketError(path, code: code)
    }
  }

  /// What to poll for now. A client whose command waits for its turn is not read from meanwhile.
  public var pollDescriptors: [PollDescriptor] {
    var descriptors = clients.compactMap(\.pollDescriptor)
    if nextAccept == nil { descriptors.append(PollDescriptor(fileDescriptor: listener.number, events: CShort(POLLIN))) }
    return descriptors
  }

  /// When the next command has its turn, or a client can be accepted again; nil: nothing waits for time.
  public var nextTurn: Instant? {
    let command = clients.contains { $0.isReady } ? nextCommand : nil
    return [command, nextAccept].compactMap { $0 }.min()
  }

  /// Accepts, reads and sends what is possible now.
  public func serve(at now: Instant) {
    if let due = nextAccept, due <= now { nextAccept = nil }
    if nextAccept == nil { accept(at: now) }
    for client in clients { client.serve() }
    clients.removeAll { $0.isOver }
  }

  private func accept(at now: Instant) {
    for _ in 0..<Self.mostClients {
      guard let client = ControlClient.accept(from: listener.number) else {
        if errno != EAGAIN && errno != EINTR && errno != ECONNABORTED { nextAccept = now + Self.pause }
        return
      }
      if clients.count(where: { !$0.isWatching }) == Self.mostClients,
        let silent = clients.firstIndex(where: { !$0.isWatching })
      {
        clients.remove(at: silent)
      }
      clients.append(client)
    }
  }

  /// The next command whose turn it is, without its line end. Calls of `reply` until the next call go to its client.
  public func takeCommand(at now: Instant) -> String? {
    asking?.endReply()
    asking = nil
    guard now >= nextCommand, let index = clients.firstIndex(where: { $0.isReady }) else { return nil }
    nextCommand = now + Self.turnTime
    let client = clients.remove(at: index)
    clients.append(client)
    let line = client.takeLine()
    if line != nil { asking = client }
    guard line == Self.watchCommand else { return line }
    // The socket's own: the brain knows of no clients.
    if !client.isWatching, watcherCount == Self.mostWatchers {
      client.reply("error: watch: \(Self.mostWatchers) clients watch already")
    } else {
      client.watch()
    }
    client.endReply()
    asking = nil
    return nil
  }

  /// Whether the command that is carried out now came from this socket.
  public var isAsking: Bool { asking != nil }

  /// Sends one or several lines to the client of the current command. A line that starts with `error: ` ends the reply.
  public func reply(_ text: String) { asking?.reply(text) }

  // MARK: - Watchers

  private var watcherCount: Int { clients.count(where: \.isWatching) }
  /// Whether somebody watches.
  public var isWatched: Bool { clients.contains(where: \.isWatching) }
  /// Whether a watcher waits for the state as a whole, and can take it.
  public var awaitsState: Bool { clients.contains(where: \.awaitsState) }

  /// Sends an object to all that watch and are not behind, with `seq` as its first member.
  public func push(_ object: JSONValue) {
    let rest = Self.rest(object)
    for client in clients where !client.push(rest) { dropped += 1 }
  }

  /// Sends the objects of the state to those that wait for it.
  public func catchUp(with state: [JSONValue]) {
    let lines = state.map(Self.rest)
    for client in clients where client.awaitsState { client.catchUp(with: lines) }
  }

  /// Lines that watchers have missed since the last call.
  public func takeDropped() -> Int {
    defer { dropped = 0 }
    return dropped
  }

  /// An object with at least one member, without its opening brace, as a line.
  private static func rest(_ object: JSONValue) -> [UInt8] {
    Array(object.text.utf8.dropFirst()) + [UInt8(ascii: "\n")]
  }
}

/// Why there is no control socket: its path and the reason.
public struct ControlSocketError: Error, Hashable, Sendable, CustomStringConvertible {
  public var path: String
  public var message: String
  /// Whether another firmware listens there.
  public private(set) var isTaken = false

  init(_ path: String, _ message: String) {
    self.path = path
    self.message = message
  }

  static func taken(_ path: String) -> ControlSocketError {
    var error = ControlSocketError(path, "another firmware answers there")
    error.isTaken = true
    return error
  }

  init(_ path: String, code: CInt) {
    self.init(path, code == ENOENT ? "no such folder" : String(cString: strerror(code)))
  }

  public var description: String { "\(path): \(message)" }
}

/// A stream socket that never blocks; closed when it goes out of scope.
struct SocketDescriptor: ~Copyable {
  let number: CInt

  /// A socket that is not connected yet.
  init() {
    let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    number = socket(AF_UNIX, kind, 0)
  }

  init(adopting number: CInt) { self.number = number }

  deinit { close(number) }
}
