import AudioSession
import Glibc
import TestSupport
import Testing

@testable import SerialConsole

@Suite struct ControlSocketTests {
  private let folder: TemporaryFolder
  private let socket: ControlSocket

  init() throws {
    folder = try TemporaryFolder()
    socket = try ControlSocket.open(path: folder.socket)
  }

  private func at(_ milliseconds: Int) -> Instant { .powerOn + .milliseconds(milliseconds) }

  /// One pass of the control loop. Returns the commands that it took, each replied to with `answer`.
  @discardableResult
  private func round(_ milliseconds: Int, answer: String = "") -> [String] {
    var commands: [String] = []
    socket.serve(at: at(milliseconds))
    while let command = socket.takeCommand(at: at(milliseconds)) {
      commands.append(command)
      if !answer.isEmpty { socket.reply(answer) }
    }
    return commands
  }

  @Test("K7: a command is replied to line by line, and ok says that it was carried out")
  func answered() throws {
    let peer = try ControlPeer(folder.socket)
    peer.send("volume 40\nstat")
    #expect(round(0) == ["volume 40"])
    #expect(peer.receive() == "ok\n")
    peer.send("us\r\n")
    #expect(round(10, answer: "state=playing\nroute=speaker") == ["status"])
    #expect(peer.receive() == "state=playing\nroute=speaker\nok\n")
    #expect(!socket.isAsking)
  }

  @Test("K7: a refusal is the last line, and the next command starts afresh")
  func refused() throws {
    let peer = try ControlPeer(folder.socket)
    peer.send("frob\n")
    round(0, answer: "error: frob: unknown command")
    #expect(peer.receive() == "error: frob: unknown command\n")
    peer.send("play\n")
    round(10)
    #expect(peer.receive() == "ok\n")
  }

  @Test("commands take turns: one in 5 ms, whoever sends how many")
  func turns() throws {
    let (greedy, modest) = (try ControlPeer(folder.socket), try ControlPeer(folder.socket))
    greedy.send("a\nb\nc\n")
    #expect(round(0) == ["a"])
    modest.send("x\n")
    #expect(round(4) == [])
    #expect(socket.nextTurn == at(5))
    // Only the listener is polled: a client that waits for its turn must not wake the loop.
    #expect(socket.pollDescriptors.count == 1)
    var taken: [String] = []
    for turn in 1...4 { taken += round(turn * 5) }
    #expect(taken == ["b", "x", "c"] || taken == ["x", "b", "c"])
    #expect(socket.nextTurn == nil)
    #expect(socket.pollDescriptors.count == 3)
    #expect(greedy.receive() == "ok\nok\nok\n" && modest.receive() == "ok\n")
  }

  @Test("a client that does not read its replies is not read from, and delays nobody")
  func stuck() throws {
    let (stuck, other) = (try ControlPeer(folder.socket), try ControlPeer(folder.socket))
    let answer = String(repeating: "x", count: 4_000)
    var obeyed = 0
    for turn in 0..<1_000 {
      stuck.send("status\n")
      obeyed += round(turn * 5, answer: answer).count
    }
    #expect(obeyed < 1_000)
    other.send("stop\n")
    #expect(round(6_000) == ["stop"])
    #expect(other.receive() == "ok\n")
    #expect(socket.nextTurn == nil)
    // Its replies are complete, and it can send commands again once it has read them.
    var told = ""
    while let more = stuck.receive(), !more.isEmpty {
      told += more
      socket.serve(at: at(6_000))
    }
    #expect(told.hasPrefix("\(answer)\nok\n") && told.hasSuffix("\(answer)\nok\n"))
    #expect(round(6_010, answer: "state=stopped") == ["status"])
  }

  @Test("a line that is too long is refused, and its sender is disconnected")
  func tooLong() throws {
    let longest = String(repeating: "a", count: 256)
    let peer = try ControlPeer(folder.socket)
    peer.send(longest + "\n")
    #expect(round(0) == [longest])
    #expect(peer.receive() == "ok\n")
    peer.send(longest + "b")
    #expect(round(10) == [])
    #expect(peer.receive() == "error: the line is longer than 256 bytes\n")
    #expect(peer.receive() == nil)
    #expect(socket.pollDescriptors.count == 1)
  }

  @Test("a line that is too long is refused behind others, too")
  func tooLongBehind() throws {
    let peer = try ControlPeer(folder.socket)
    peer.send("status\n" + String(repeating: "b", count: 257) + "\n")
    #expect(round(0) == ["status"])
    #expect(round(10) == [] && round(20) == [])
    #expect(peer.receive() == "ok\nerror: the line is longer than 256 bytes\n")
    #expect(peer.receive() == nil)
    #expect(socket.pollDescriptors.count == 1)
  }

  @Test("bytes that are not text are a command like any other, to be refused")
  func binary() throws {
    let peer = try ControlPeer(folder.socket)
    peer.send([0x00, 0xFF, 0x1B, 0x0A, 0x0A])
    #expect(round(0) == ["\u{0}\u{FFFD}\u{1B}"])
    #expect(round(10) == [""])
  }

  @Test("who hangs up in the middle leaves nothing behind")
  func hangUps() throws {
    for text in ["", "sta", "status\n", "status\nstatus\n"] {
      let peer = try ControlPeer(folder.socket)
      peer.send(text)
      peer.hangUp()
    }
    for turn in 0..<10 { round(turn * 5, answer: "state=stopped") }
    #expect(socket.pollDescriptors.count == 1)
    #expect(socket.nextTurn == nil)
  }

  @Test("the last command needs no end of line, and its answer still comes")
  func endOfInput() throws {
    let peer = try ControlPeer(folder.socket)
    peer.send("status")
    peer.finish()
    round(0)
    #expect(round(5, answer: "state=stopped") + round(10, answer: "state=stopped") == ["status"])
    #expect(peer.receive() == "state=stopped\nok\n")
    round(20)
    #expect(peer.receive() == nil)
  }

  @Test("one client too many disconnects the one that was silent for the longest")
  func mostClients() throws {
    var peers: [ControlPeer] = []
    for _ in 0..<ControlSocket.mostClients { peers.append(try ControlPeer(folder.socket)) }
    round(0)
    peers[0].send("status\n")
    #expect(round(5) == ["status"])
    peers.append(try ControlPeer(folder.socket))
    round(10)
    #expect(peers[0].receive() == "ok\n" && peers[0].receive() == "")
    #expect(peers[1].receive() == nil)
    #expect(peers[2...].allSatisfy { $0.receive() == "" })
  }
}
