import AudioSession
import JSON
import TestSupport
import Testing

@testable import SerialConsole

@Suite struct WatchingTests {
  private let folder: TemporaryFolder
  private let socket: ControlSocket

  init() throws {
    folder = try TemporaryFolder()
    socket = try ControlSocket.open(path: folder.socket)
  }

  private func at(_ milliseconds: Int) -> Instant { .powerOn + .milliseconds(milliseconds) }

  /// One pass of the control loop, at whose end watchers that wait for the state get it.
  @discardableResult
  private func round(_ milliseconds: Int, state: String = "playing") -> [String] {
    socket.serve(at: at(milliseconds))
    var commands: [String] = []
    while let command = socket.takeCommand(at: at(milliseconds)) { commands.append(command) }
    if socket.awaitsState { socket.catchUp(with: [["state": .string(state)]]) }
    return commands
  }

  private func watcher(_ milliseconds: Int) throws -> ControlPeer {
    let peer = try ControlPeer(folder.socket)
    peer.send("watch\n")
    round(milliseconds)
    return peer
  }

  @Test("F1: who watches gets the state at once, and then every line with its number")
  func watches() throws {
    let peer = try watcher(0)
    #expect(peer.receive() == "ok\n{\"seq\":1,\"state\":\"playing\"}\n")
    socket.push(["event": "a"])
    socket.push(["event": "b"])
    #expect(peer.receive() == "{\"seq\":2,\"event\":\"a\"}\n{\"seq\":3,\"event\":\"b\"}\n")
    #expect(socket.isWatched && !socket.awaitsState)
    // A second watcher has numbers of its own.
    let second = try watcher(10)
    socket.push(["event": "c"])
    #expect(second.receive() == "ok\n{\"seq\":1,\"state\":\"playing\"}\n{\"seq\":2,\"event\":\"c\"}\n")
    #expect(peer.receive() == "{\"seq\":4,\"event\":\"c\"}\n")
    peer.hangUp()
    second.hangUp()
    round(20)
    #expect(!socket.isWatched && socket.takeDropped() == 0)
  }

  @Test("F1: who watches can give commands; replies and pushed lines are told apart by their start")
  func commands() throws {
    let peer = try watcher(0)
    _ = peer.receive()
    peer.send("status\n")
    socket.serve(at: at(10))
    #expect(socket.takeCommand(at: at(10)) == "status")
    socket.push(["event": "console.command"])
    socket.reply("state=playing")
    #expect(socket.takeCommand(at: at(10)) == nil)
    #expect(peer.receive() == "{\"seq\":2,\"event\":\"console.command\"}\nstate=playing\nok\n")
    // A second `watch` changes nothing.
    peer.send("watch\n")
    round(20)
    socket.push(["event": "x"])
    #expect(peer.receive() == "ok\n{\"seq\":3,\"event\":\"x\"}\n")
  }

  @Test("F2: a watcher that does not read misses whole lines, which are counted, and then gets the state again")
  func stuck() throws {
    let (stuck, other) = (try watcher(0), try watcher(10))
    let text = String(repeating: "x", count: 1_000)
    var pushed = 0
    while socket.takeDropped() == 0 {
      socket.push(["event": .string(text)])
      pushed += 1
      _ = other.receive()
    }
    // It is behind by what the socket and its queue hold, and no more.
    #expect(pushed * 1_000 > ControlClient.watchCapacity && pushed < 1_000)
    for _ in 0..<100 { socket.push(["event": "lost"]) }
    #expect(socket.takeDropped() == 100 && !socket.awaitsState)
    var received = ""
    while let more = stuck.receive(), !more.isEmpty {
      received += more
      round(20, state: "stopped")
    }
    let lines = try received.split(separator: "\n").dropFirst().map { try JSONValue(parsing: $0.utf8) }
    // The state, all but the last one pushed, then a gap in the numbers as large as the loss, and the state.
    #expect(lines.prefix(pushed).map { $0["seq"]?.integer } == (1...pushed).map { $0 })
    let missed = try #require(lines[pushed...].first)
    #expect(missed["seq"]?.integer == pushed + 102 && missed["type"]?.string == "dropped")
    #expect(missed["lines"]?.integer == 101)
    #expect(lines.last?["state"]?.string == "stopped" && lines.count == pushed + 2)
    socket.push(["event": "back"])
    #expect(stuck.receive() == "{\"seq\":\(pushed + 104),\"event\":\"back\"}\n")
  }

  @Test("F2: watchers are no silent clients that a ninth evicts, and there are 16 of them at most")
  func many() throws {
    var watchers: [ControlPeer] = []
    for index in 0..<ControlSocket.mostWatchers {
      watchers.append(try watcher(index * 10))
      #expect(watchers.last?.receive()?.hasPrefix("ok\n") == true)
    }
    var clients: [ControlPeer] = []
    for _ in 0..<ControlSocket.mostClients { clients.append(try ControlPeer(folder.socket)) }
    round(1_000)
    clients.append(try ControlPeer(folder.socket))
    round(1_010)
    #expect(clients[0].receive() == nil && clients[1].receive() == "")
    let refused = try #require(clients.last)
    refused.send("watch\n")
    round(1_020)
    #expect(refused.receive() == "error: watch: 16 clients watch already\n")
    socket.push(["event": "x"])
    #expect(watchers.allSatisfy { $0.receive() == "{\"seq\":2,\"event\":\"x\"}\n" })
    #expect(refused.receive() == "")
  }

  @Test("F2: a watcher that waits for its turn or is stuck does not keep the control loop awake")
  func asleep() throws {
    let stuck = try watcher(0)
    let text = String(repeating: "x", count: 1_000)
    while socket.takeDropped() == 0 { socket.push(["event": .string(text)]) }
    round(10)
    #expect(socket.nextTurn == nil)
    #expect(socket.pollDescriptors.map { $0.events }.sorted() == [1, 4])
    stuck.hangUp()
    round(20)
    #expect(socket.pollDescriptors.count == 1)
  }
}
