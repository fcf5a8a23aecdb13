import AudioSession
import Files
import Glibc
import Jukebox
import SerialConsole
import TestSupport

/// Bytes on the control socket, in pieces: 0xFF ends a piece, 0xFE begins another client. Every command gets exactly one
/// reply, which ends with `ok` or `error: `, unless its client was one too many or did not read replies.
enum SentCommands {
  static func check(_ bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let path = "\(folder.path)/control"
    let socket = try ControlSocket.open(path: path)
    let board = try SimulatedKiosk.board()
    var kiosk = try SimulatedKiosk(board.configuration(settings: Settings(), cues: SimulatedKiosk.cues))
    var now = Instant.powerOn
    var obeyed = 0
    var clients: [Client] = []
    func serve() throws {
      for _ in 0..<4 {
        now = now + .milliseconds(5)
        socket.serve(at: now)
        guard let command = socket.takeCommand(at: now) else { continue }
        obeyed += 1
        try hold(command.utf8.count <= 3 * ControlSocket.longestLine, "a command of \(command.utf8.count) bytes")
        try kiosk.obey(command)
        for reply in kiosk.replies { socket.reply(reply) }
      }
    }
    for part in bytes.split(separator: 0xFE, omittingEmptySubsequences: false).prefix(12) {
      let client = try Client(path)
      clients.append(client)
      // No more connections than these can wait to be accepted.
      if clients.count % ControlSocket.mostClients == 0 { try serve() }
      for piece in part.split(separator: 0xFF) {
        client.send(Array(piece))
        try serve()
      }
    }
    for client in clients { client.finish() }
    for _ in 0..<bytes.count { try serve() }
    let replies = try clients.reduce(0) { try $0 + $1.replies() }
    let fewest = clients.count > ControlSocket.mostClients ? 0 : obeyed
    // A line that is too long gets one error, and then the connection is closed.
    try hold((fewest...(obeyed + clients.count)).contains(replies), "\(replies) replies to \(obeyed) commands")
  }

  private final class Client {
    private let number: CInt

    init(_ path: String) throws {
      number = Glibc.socket(AF_UNIX, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_NONBLOCK.rawValue), 0)
      let code = UnixAddress(path)?.use { connect(number, $0, $1) == 0 ? 0 : errno }
      try hold(code == 0, "\(path): \(String(cString: strerror(code ?? EINVAL)))")
    }

    deinit { close(number) }

    func send(_ bytes: [UInt8]) { _ = Glibc.send(number, bytes, bytes.count, CInt(MSG_NOSIGNAL)) }

    func finish() { shutdown(number, CInt(SHUT_WR)) }

    /// How many replies it got; all of them are complete.
    func replies() throws -> Int {
      var all: [UInt8] = []
      var block = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = recv(number, &block, block.count, 0)
        guard count > 0 else { break }
        all += block[..<count]
      }
      try hold(all.isEmpty || all.last == UInt8(ascii: "\n"), "an answer breaks off")
      let lines = String(decoding: all, as: UTF8.self).split(separator: "\n")
      let ends = lines.filter { $0 == "ok" || $0.hasPrefix("error: ") }
      try hold(lines.last == ends.last, "an answer has no end")
      return ends.count
    }
  }
}
