import AudioSession
import Board
import Files
import Glibc

/// Commands from other programs of this machine, over a UNIX stream socket: every line is a command, and its reply is
/// any number of lines and then one that is `ok` or starts with `error: `. Control thread; no call blocks. Closed and
/// unlinked with the last reference.
///
/// Clients may be slow, stuck, many, or send garbage: all of them together get one command every 5 ms.
public final class ControlSocket {
  /// For one more, the client that has been silent for the longest is disconnected.
  public static let mostClients = 8
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
      if clients.count == Self.mostClients { clients.removeFirst() }
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
    return line
  }

  /// Whether the command that is carried out now came from this socket.
  public var isAsking: Bool { asking != nil }

  /// Sends one or several lines to the client of the current command. A line that starts with `error: ` ends the reply.
  public func reply(_ text: String) { asking?.reply(text) }
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
