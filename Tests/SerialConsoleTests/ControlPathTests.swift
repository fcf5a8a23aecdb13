import Files
import Glibc
import Testing

@testable import SerialConsole

@Suite struct ControlPathTests {
  private let folder: ControlFolder

  init() throws { folder = try ControlFolder() }

  private func failure(at path: String) -> String? {
    do throws(ControlSocketError) {
      _ = try ControlSocket.open(path: path)
      return nil
    } catch {
      return error.description
    }
  }

  @Test("owner and group may use it, and the group is its folder's")
  func permissions() throws {
    // Only root may give a folder away.
    if geteuid() == 0 { #expect(chown(folder.path, uid_t.max, 1) == 0) }
    let socket = try ControlSocket.open(path: folder.socket)
    var (status, parent) = (stat(), stat())
    #expect(stat(socket.path, &status) == 0 && stat(folder.path, &parent) == 0)
    #expect(status.st_mode & 0o777 == 0o660)
    #expect(status.st_gid == parent.st_gid)
  }

  @Test("it goes with its owner")
  func removed() throws {
    do {
      let socket = try ControlSocket.open(path: folder.socket)
      #expect(access(socket.path, F_OK) == 0)
    }
    #expect(access(folder.socket, F_OK) != 0)
  }

  @Test("one that a firmware has left behind is replaced")
  func stale() throws {
    let dead = SocketDescriptor()
    let code = UnixAddress(folder.socket)?.use { bind(dead.number, $0, $1) }
    #expect(code == 0)
    let socket = try ControlSocket.open(path: folder.socket)
    let peer = try ControlPeer(socket.path)
    peer.send("status\n")
    socket.serve(at: .powerOn)
    #expect(socket.takeCommand(at: .powerOn) == "status")
  }

  @Test("one of a living firmware is left to it, even when its queue is full")
  func living() throws {
    let socket = try ControlSocket.open(path: folder.socket)
    #expect(failure(at: folder.socket) == "\(folder.socket): another firmware answers there")
    var peers: [ControlPeer] = []
    while let peer = try? ControlPeer(folder.socket) { peers.append(peer) }
    #expect(failure(at: folder.socket) == "\(folder.socket): another firmware answers there")
    // The probes came and went; the firmware goes on.
    for _ in 0..<2 { socket.serve(at: .powerOn) }
    let peer = try ControlPeer(folder.socket)
    peer.send("play\n")
    socket.serve(at: .powerOn)
    #expect(socket.takeCommand(at: .powerOn) == "play")
  }

  @Test("what is no socket is not touched, and what is no place is named")
  func notAPlace() throws {
    close(creat(folder.socket, 0o600))
    #expect(failure(at: folder.socket) == "\(folder.socket): is there and is no socket")
    #expect(access(folder.socket, F_OK) == 0)
    #expect(failure(at: "\(folder.path)/nowhere/control") == "\(folder.path)/nowhere/control: no such folder")
    #expect(failure(at: "control") == "control: expected an absolute path of at most 107 bytes")
    let long = "/" + String(repeating: "x", count: 107)
    #expect(failure(at: long) == "\(long): expected an absolute path of at most 107 bytes")
  }
}
