import AudioSession
import Board
import Files
import Glibc

/// Commands from other programs of this machine, over a UNIX stream socket: every line is a command, its answer is any
/// number of lines and then one that is `ok` or starts with `error: `. Control thread; no call blocks. Closed, and
/// taken out of its folder, when the last reference goes.
///
/// Clients may be slow, stuck, many, or talk garbage: none of them costs more than one command every 5 ms in all.
public final class ControlSocket {
  /// One more, and the one that has been silent for the longest has to go.
  public static let mostClients = 8
  /// Bytes of a command.
  public static let longestLine = CommandLineReader.limit
  /// Between two commands.
  public static let turnTime = Duration.milliseconds(5)
  /// Where the process has no descriptor left to accept with.
  private static let pause = Duration.seconds(1)

  public let path: String
  private let listener: SocketDescriptor
  /// The one that was heard last is last.
  private var clients: [ControlClient] = []
  private var asking: ControlClient?
  private var nextCommand = Instant.powerOn
  private var nextAccept: Instant?

  private init(path: String, adopting listener: consuming SocketDescriptor) {
    self.path = path
    self.listener = listener
  }

  deinit { unlink(path) }

  /// Listens at `path`, which its owner and the group of its folder may use. One that a firmware has left behind is
  /// replaced. Throws where another firmware answers there, where something else is there, and where the folder does
  /// not let us.
  public static func open(path: String) throws(ControlSocketError) -> ControlSocket {
    guard let address = UnixAddress(path) else {
      let most = UnixAddress.longestPath
      throw ControlSocketError(path, "expected an absolute path of at most \(most) bytes")
    }
    try clear(path, address)
    let socket = ControlSocket(path: path, adopting: try listener(at: path, address))
    var folder = stat()
    // Who is not of that group shares the socket with his own.
    if stat(FileAccess.folder(of: path), &folder) == 0 { _ = chown(path, uid_t.max, folder.st_gid) }
    guard listen(socket.listener.number, CInt(mostClients)) == 0 else { throw ControlSocketError(path, code: errno) }
    return socket
  }

  /// Bound, but not listening yet.
  private static func listener(
    at path: String, _ address: UnixAddress
  ) throws(ControlSocketError) -> SocketDescriptor {
    let listener = SocketDescriptor()
    // Before it is found, it must not be open to all.
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
    case 0, EAGAIN: throw ControlSocketError(path, "another firmware answers there")
    default: throw ControlSocketError(path, code: code)
    }
  }

  /// What to poll for now. A client whose command waits for its turn is not listened to meanwhile.
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

  /// The next command whose turn it is, without its end; what is replied until the next call is its answer.
  public func takeCommand(at now: Instant) -> String? {
    asking?.endAnswer()
    asking = nil
    guard now >= nextCommand, let index = clients.firstIndex(where: { $0.isReady }) else { return nil }
    nextCommand = now + Self.turnTime
    let client = clients.remove(at: index)
    clients.append(client)
    let line = client.takeLine()
    if line != nil { asking = client }
    return line
  }

  /// Whether the command that is answered now came from here.
  public var isAsking: Bool { asking != nil }

  /// One or several lines. What starts with `error: ` says that the command was refused.
  public func reply(_ text: String) { asking?.answer(text) }
}

/// Why there is no control socket: its path and the reason.
public struct ControlSocketError: Error, Hashable, Sendable, CustomStringConvertible {
  public var path: String
  public var message: String

  init(_ path: String, _ message: String) {
    self.path = path
    self.message = message
  }

  init(_ path: String, code: CInt) {
    self.init(path, code == ENOENT ? "no such folder" : String(cString: strerror(code)))
  }

  public var description: String { "\(path): \(message)" }
}

/// A stream socket that never blocks; closed when it goes out of scope.
struct SocketDescriptor: ~Copyable {
  let number: CInt

  /// One that leads nowhere yet.
  init() {
    let kind = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue) | CInt(SOCK_NONBLOCK.rawValue)
    number = socket(AF_UNIX, kind, 0)
  }

  init(adopting number: CInt) { self.number = number }

  deinit { close(number) }
}
