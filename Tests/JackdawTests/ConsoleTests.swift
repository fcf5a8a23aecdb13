import AudioSession
import Board
import Firmware
import Glibc
import Jukebox
import TestSupport
import Testing
import Threads

@testable import BoardFiles
@testable import jackdaw

/// The serial console of the running firmware.
@Suite struct ConsoleTests {
  private static let onPort = ["run", "--board", "port.toml", "--output", "file:out.wav"]
  private let folder: TemporaryFolder
  private let port: SerialPort

  init() throws {
    folder = try TemporaryFolder()
    port = try SerialPort(in: folder)
    let console = "[console]\ndevice = \"\(port.path)\"\nspeed = 9600\n[lines.JACK_SENSE]"
    folder.write("port.toml", Sources.text("board/sim.toml").replacing("\n[lines.JACK_SENSE]", with: "\n" + console))
  }

  private func isEvent(_ line: String) -> Bool {
    line.first?.isWholeNumber ?? false
  }

  @Test("K5, K7, K7.5: the log goes out, commands come in, and replies go to the one who asked")
  func commands() throws {
    let firmware = try Program(Self.onPort, in: folder, input: nil)
    try port.wait(for: " route.initial ")
    #expect(!String(decoding: port.received, as: UTF8.self).contains(">"))
    port.type("volume 3\u{15}status\r")
    try port.wait(for: "state=stopped ")
    port.type("frob\n")
    try port.wait(for: "error: frob: unknown command")
    port.type(String(repeating: "x", count: 300) + "\r")
    try port.wait(for: "error: the line is too long")
    firmware.send("q")
    try port.wait(for: " shutdown ")
    let end = try firmware.end()
    #expect(end.status == 0 && end.errors == "")
    #expect(end.output.split(separator: "\n").allSatisfy { isEvent(String($0)) })
    // The port has no line of a command that only asks.
    let events = end.output.split(separator: "\n").map(String.init)
    #expect(events.filter { $0.hasSuffix(" debug console.command command=status") }.count == 1)
    #expect(port.lines.filter(isEvent) == events.filter { !$0.contains(" command=status") })
  }

  @Test("K6: a port that nobody reads holds up nothing, and every line that it missed is counted")
  func stuck() throws {
    let firmware = try Program(Self.onPort, in: folder, input: nil)
    try port.wait(for: " route.initial ")
    // More than the port and the queue in front of it hold.
    for _ in 0..<600 { port.type("status\r") }
    port.type("volume 7\r")
    try firmware.wait(for: " volume.changed ")
    // Now the port is read again.
    try port.wait(for: " log.dropped ")
    port.type("stop\r")
    try port.wait(for: " command=stop\r\n")
    firmware.send("q")
    // To its last line: what is counted may be saved at any time, which is a line of its own.
    try port.wait(for: " shutdown ")
    let end = try firmware.end()
    // The port has no line of a command that only asks (K7.5).
    let events = end.output.split(separator: "\n").map(String.init)
      .filter { !$0.contains(" shutdown ") && !$0.hasSuffix(" console.command command=status") }
    let seen = port.lines.filter { !$0.contains(" shutdown ") }
    let counts = events.compactMap { $0.split(separator: " log.dropped n=").last }.compactMap { Int($0) }
    #expect(counts.count == 1 && counts[0] > 0)
    // Every event, and a reply to each status.
    #expect(seen.filter { isEvent($0) || $0.hasPrefix("state=") }.count + counts.reduce(0, +) == events.count + 600)
    #expect(seen.allSatisfy { isEvent($0) || $0.hasPrefix("state=") })
    #expect(Set(seen.filter(isEvent)).isSubset(of: events))
  }

  @Test("K6: whoever reads neither the log nor the notes holds up nothing")
  func unreadNotes() throws {
    let firmware = try Program(Self.onPort, under: ["sh", "-c", #"exec "$0" "$@" 2>&1"#], in: folder, input: nil)
    try port.wait(for: " route.initial ")
    // More than the pipe holds.
    let blanks = String(repeating: " ", count: 240)
    for _ in 0..<300 { port.type("volume\(blanks)7\r") }
    firmware.signalled(SIGHUP)
    port.type("stop\r")
    try port.wait(for: " command=stop\r\n")
    firmware.send("q")
    #expect(try firmware.end().status == 0)
  }

  @Test("K7: what the keys of the panel ask for is answered there, and not at the port")
  func panel() throws {
    let firmware = try Program(
      Self.onPort, under: ["env", "TERM=vt100"], in: folder, input: nil, output: .terminal)
    try firmware.wait(for: "JACKDAW")
    firmware.send("999\r")
    try port.wait(for: "track 999")
    firmware.send("q")
    #expect(try firmware.end().output.contains("error: track 999"))
    #expect(!port.lines.contains { $0.hasPrefix("error:") })
  }

  @Test("commands that come faster than 200 a second wait for their turn, in order, and none is lost")
  func flood() throws {
    let firmware = try Program(Self.onPort, in: folder, input: nil)
    try port.wait(for: " route.initial ")
    let volumes = (0..<100).map { $0 % 2 == 0 ? 30 : 31 }
    for volume in volumes { port.type("volume \(volume)\r") }
    port.type("stop\r")
    try firmware.wait(for: " command=stop\n")
    firmware.send("q")
    let events = try firmware.end().output.split(separator: "\n").filter { $0.contains(" console.command ") }
    let commands = events.compactMap { $0.split(separator: "command=").last }
    #expect(commands == volumes.map { "\"volume \($0)\"" } + ["stop"])
    let times = events.compactMap { $0.split(separator: " ").first.flatMap { Double($0) } }
    let (first, last) = (try #require(times.first), try #require(times.last))
    #expect(last - first > 0.4)
  }

  @Test("K7.6: lines that are no commands are taken ever more slowly by the firmware, and the others behind them")
  func refused() throws {
    let firmware = try Program(Self.onPort, in: folder, input: nil)
    try port.wait(for: " route.initial ")
    // As a line does that hears itself.
    let refused = String(repeating: "1.000000 info boot\r", count: 7)
    port.type(refused + "volume 6\rfrob\rvolume 7\r")
    try firmware.wait(for: " command=\"volume 7\"\n")
    firmware.send("q")
    let events = try firmware.end().output.split(separator: "\n").filter { $0.contains(" console.command ") }
    let times = events.compactMap { $0.split(separator: " ").first.flatMap { Double($0) } }
    try #require(times.count == 10)
    // 10, 20, 40, 80, 160, 320 and 640 ms.
    #expect(times[7] - times[0] > 1.2)
  }

  private final class Hand: BoardClock, @unchecked Sendable {
    private(set) var now = Instant(nanoseconds: 1_000_000_000)
    func pass(to instant: Instant) { now = max(now, instant) }
  }

  /// An operator that is not there.
  private final class Nobody: Operator {
    var pollDescriptors: [PollDescriptor] { [] }
    var nextDraw: Instant? { nil }
    var wantsToEnd: Bool { false }
    func serve() {}
    func log(_ event: Event, at now: Instant) {}
    func note(_ text: String) {}
    func draw(_ status: Status, at now: Instant) {}
    func resize() {}
    func end() {}
  }

  /// The next line that is typed, taken as soon as it may be.
  private func next(_ console: SerialOperator, _ clock: Hand) throws -> String? {
    // What was typed may come in pieces.
    while console.nextDraw == nil {
      let found = Poll.wait(for: console.pollDescriptors, until: clock.now + .seconds(60), clock)
      try #require(found.contains { $0 != 0 })
      console.serve()
    }
    clock.pass(to: try #require(console.nextDraw))
    return console.takeCommand()
  }

  @Test("K7.6: behind a pause of more than a second nothing is taken that came before its end, but what comes after it")
  func mended() throws {
    let clock = Hand()
    let settings = BoardDescription.Console(device: port.path, speed: 9_600)
    let console = SerialOperator(settings, beside: Nobody(), clock: clock)
    port.type(String(repeating: "1.0 info boot\r", count: 100) + "1.0 in")
    for _ in 0..<8 { #expect(try next(console, clock) == "1.0 info boot") }
    #expect(console.nextDraw == clock.now + .milliseconds(1_280))
    port.type("stop\r")
    console.serve()
    #expect(console.takeCommand() == nil)
    clock.pass(to: try #require(console.nextDraw))
    console.serve()
    #expect(console.nextDraw == nil && console.takeCommand() == nil)
    port.type("status\r")
    #expect(try next(console, clock) == "status")
  }

  @Test("K7.6, K7.4: only lines that are no commands are followed by a longer pause, not commands that something holds")
  func pauses() throws {
    let clock = Hand()
    let settings = BoardDescription.Console(device: port.path, speed: 9_600)
    let console = SerialOperator(settings, beside: Nobody(), clock: clock)
    let lines = ["frob", "1.0 info boot", "track"] + Array(repeating: "play", count: 10) + ["> stop", "stop", "stop"]
    port.type(lines.joined(separator: "\r") + "\r")
    var pauses: [Duration] = []
    for line in lines {
      let former = clock.now
      #expect(try next(console, clock) == line)
      pauses.append(clock.now - former)
      console.reply("error: \(line): whatever the reason")
    }
    let milliseconds: [Int] = [0, 10, 20, 40] + Array(repeating: 5, count: 10) + [10, 5]
    #expect(pauses == milliseconds.map { Duration.milliseconds($0) })
  }

  @Test("K6: an unplugged port is reported once, and when it is back it gets the number of missed lines")
  func pulled() throws {
    let firmware = try Program(Self.onPort, in: folder, input: nil)
    try port.wait(for: " route.initial ")
    port.pull()
    try firmware.wait(forErrors: "looking for it")
    firmware.send("-")
    try firmware.wait(for: " volume.changed ")
    try port.plugIn()
    try port.wait(for: " log.dropped ")
    port.type("status\r")
    try port.wait(for: "state=stopped ")
    firmware.send("q")
    let end = try firmware.end()
    #expect(end.status == 0)
    #expect(end.output.contains(" log.dropped n="))
    #expect(
      end.errors == """
        jackdaw: no console: \(port.path): read: Input/output error; looking for it every 2 s
        jackdaw: the console is back: \(port.path)

        """)
  }

  @Test("music plays although the port is missing at the start")
  func absent() throws {
    port.pull()
    let outcome = try Program.run(Self.onPort, in: folder, input: "q")
    #expect(outcome.status == 0)
    #expect(
      outcome.errors
        == "jackdaw: no console: \(port.path): open: No such file or directory; looking for it every 2 s\n")
  }
}
