import AudioSession
import Board
import BoardFiles
import Glibc
import Jukebox
import TestSupport
import Testing

@testable import Firmware

/// Signals on GPIO lines and on the kernel's LED class, in a folder that looks like it.
@Suite struct SignalOutputsTests {
  private final class Lines: LineSet {
    var driven: [String: Bool] = [:]
    var sets: [String] = []

    var pollDescriptors: [PollDescriptor] { [] }
    func levels() throws(LineError) -> [String: Bool] { [:] }
    func readEdges(into edges: inout [LineEdge]) {}
    func set(_ line: String, asserted: Bool) {
      driven[line] = asserted
      sets.append("\(line) \(asserted)")
    }
    func close() {}
  }

  private static func board() throws -> BoardDescription {
    let text = """
      name = "Signals"
      rate = 48000
      chip = "gpiochip0"
      [lines.LIGHT]
      role = "signal"
      while = "playing"
      offset = 1
      [lines.BELL]
      role = "signal"
      on = "track.started"
      offset = 2
      [lines.LED]
      role = "signal"
      while = "prompt"
      led = "status"
      [ports.speaker]
      sense = "always"
      priority = 1
      pcm = "default"
      """
    return try BoardFile.parse(Array(text.utf8), file: "board.toml")
  }

  /// The kernel's files of a light, with the triggers that it knows.
  private static func leds() throws -> TemporaryFolder {
    let root = try TemporaryFolder()
    root.write("status/trigger", "[none] timer pattern\n")
    root.write("status/max_brightness", "200\n")
    for name in ["brightness", "delay_on", "delay_off", "pattern"] { root.write("status/\(name)", "") }
    return root
  }

  private static func files(_ root: TemporaryFolder, _ names: String...) -> [String] {
    names.map { root.read("status/\($0)").map { String(decoding: $0, as: UTF8.self) } ?? "" }
  }

  @Test("J3.6: what keeps coins out is left asserted at the end")
  func inhibits() throws {
    let text = """
      name = "Coins"
      rate = 48000
      chip = "gpiochip0"
      [lines.INHIBIT]
      role = "coin-inhibit"
      offset = 1
      [ports.speaker]
      sense = "always"
      priority = 1
      pcm = "default"
      """
    let lines = Lines()
    let board = try BoardFile.parse(Array(text.utf8), file: "board.toml")
    let outputs = SignalOutputs(board, Wiring(lines, of: board))
    outputs.show(LineID(0), .off, at: .powerOn)
    outputs.end(at: .powerOn)
    #expect(lines.sets == ["INHIBIT false", "INHIBIT true"])
  }

  @Test("E5, E9: two lines blink by themselves, each in a time of its own, and are released at the end")
  func lines() throws {
    let lines = Lines()
    let board = try Self.board()
    let outputs = SignalOutputs(board, Wiring(lines, of: board))
    outputs.show(LineID(0), .blink, at: .powerOn)
    outputs.show(LineID(1), .on, at: .powerOn + .milliseconds(100))
    #expect(lines.driven == ["LIGHT": true, "BELL": true])
    #expect(outputs.next == .powerOn + .milliseconds(500))
    outputs.tick(at: .powerOn + .milliseconds(499))
    outputs.tick(at: .powerOn + .milliseconds(500))
    #expect(lines.driven == ["LIGHT": false, "BELL": true])
    outputs.show(LineID(0), .on, at: .powerOn + .milliseconds(600))
    #expect(outputs.next == nil)
    outputs.end(at: .powerOn + .seconds(1))
    #expect(lines.driven == ["LIGHT": false, "BELL": false])
    #expect(outputs.takeNotices() == ["LED status: No such file or directory"])
  }

  @Test("E9: the kernel makes the patterns of its lights, and nothing wakes up for them")
  func led() throws {
    let root = try Self.leds()
    let lines = Lines()
    let board = try Self.board()
    let outputs = SignalOutputs(board, Wiring(lines, of: board), leds: root.path)
    root.write("status/trigger", "none [timer] pattern\n")
    outputs.reset(at: .powerOn)
    #expect(Self.files(root, "trigger", "brightness") == ["none", "0"])
    outputs.show(LineID(2), .on, at: .powerOn)
    #expect(Self.files(root, "trigger", "brightness") == ["none", "200"])
    outputs.show(LineID(2), .flash, at: .powerOn)
    #expect(Self.files(root, "trigger") == ["timer"])
    #expect(Self.files(root, "delay_on", "delay_off") == ["100", "1900"])
    outputs.show(LineID(2), .doubleFlash, at: .powerOn)
    #expect(Self.files(root, "trigger") == ["pattern"])
    #expect(Self.files(root, "pattern") == ["200 100 200 0 0 100 0 0 200 100 200 0 0 700 0 0"])
    #expect(outputs.next == nil && lines.sets == [] && outputs.takeNotices() == [])
    outputs.end(at: .powerOn)
    #expect(Self.files(root, "trigger", "brightness") == ["none", "0"])
  }

  @Test("E9: the files of a trigger come a moment after it, and are waited for without a rest of the firmware")
  func late() throws {
    let root = try Self.leds()
    let board = try Self.board()
    let outputs = SignalOutputs(board, Wiring(Lines(), of: board), leds: root.path)
    unlink(root.path(of: "status/delay_on"))
    outputs.show(LineID(2), .wink, at: .powerOn)
    let next = try #require(outputs.next)
    // The kernel shows which one is set.
    root.write("status/trigger", "none [timer] pattern\n")
    root.write("status/delay_on", "")
    outputs.tick(at: next)
    #expect(Self.files(root, "delay_on", "delay_off") == ["900", "100"])
    #expect(outputs.next == nil)
  }

  @Test("E9: a light whose driver comes late shows what it should as soon as it is there")
  func lateDriver() throws {
    let root = try Self.leds()
    let board = try Self.board()
    let outputs = SignalOutputs(board, Wiring(Lines(), of: board), leds: root.path)
    rename(root.path(of: "status"), root.path(of: "away"))
    outputs.show(LineID(2), .on, at: .powerOn)
    let next = try #require(outputs.next)
    rename(root.path(of: "away"), root.path(of: "status"))
    outputs.tick(at: next)
    #expect(Self.files(root, "trigger", "brightness") == ["none", "200"])
    #expect(outputs.next == nil && outputs.takeNotices().count == 1)
  }

  @Test("E9: without the files of a trigger the firmware makes the pattern, and says so once")
  func blinksItself() throws {
    let root = try Self.leds()
    let board = try Self.board()
    let outputs = SignalOutputs(board, Wiring(Lines(), of: board), leds: root.path)
    unlink(root.path(of: "status/delay_on"))
    outputs.show(LineID(2), .blink, at: .powerOn)
    var now = Instant.powerOn
    for _ in 0..<100 {
      now = try #require(outputs.next)
      outputs.tick(at: now)
    }
    #expect(outputs.takeNotices().count == 1)
    #expect(Self.files(root, "brightness") == ["200"])
    outputs.tick(at: now + .milliseconds(500))
    #expect(Self.files(root, "brightness") == ["0"])
    #expect(outputs.takeNotices() == [])
  }
}
