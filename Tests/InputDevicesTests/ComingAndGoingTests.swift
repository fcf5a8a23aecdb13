import AudioSession
import Board
import CLinux
import Glibc
import Testing

@testable import InputDevices

/// Input devices behind `BoardLines`, which come and go.
@Suite struct ComingAndGoingTests {
  private let chips = Chips()
  private let socket = Socket(PipedInput([.named("dock"), .named("headphone-insert")]))

  private func lines() -> BoardLines {
    BoardLines(chips: chips, devices: [socket.device([request("headphone-insert"), request("dock")])])
  }

  @Test("levels, edges and outputs of chips and devices are those of one set")
  func together() throws {
    socket.input?.asserted = [.named("dock")]
    let lines = lines()
    #expect(try lines.levels() == ["PIN": true, "DOCK": true, "HEADPHONE-INSERT": false])
    chips.edges = [LineEdge(line: "PIN", asserted: false, at: Instant(nanoseconds: 2_000))]
    socket.input?.move(.named("headphone-insert"), 1, at: 1)
    socket.input?.move(.named("dock"), 0, at: 3)
    #expect(try edges(lines).map(\.line) == ["HEADPHONE-INSERT", "PIN", "DOCK"])
    try lines.set("LAMP", asserted: true)
    #expect(chips.driven == ["LAMP"])
    lines.close()
    #expect(chips.isClosed)
    #expect(lines.takeNotices() == [])
  }

  @Test("B5: the keys of a headset come and go with it, are read at once, and nobody is told")
  func headset() throws {
    let keys = Socket(nil)
    let lines = BoardLines(
      chips: chips, devices: [keys.device([request("playcd"), request("nextsong")], named: "* (AVRCP)")])
    #expect(try lines.levels() == ["PIN": true, "PLAYCD": false, "NEXTSONG": false])
    for _ in 0..<2 {
      // The second has fewer keys, and goes with one down.
      keys.input = PipedInput([.named("playcd")])
      try waitForRetry(lines)
      #expect(try edges(lines).isEmpty)
      keys.input?.move(.named("playcd"), 1, at: 1)
      keys.input?.move(.named("playcd"), 0, at: 2)
      keys.input?.move(.named("playcd"), 1, at: 3)
      #expect(try edges(lines).map(\.asserted) == [true, false, true])
      keys.input?.unplug()
      keys.input = nil
      #expect(try edges(lines).map(\.asserted) == [false])
    }
    #expect(lines.takeNotices() == [])
  }

  @Test("B5: an input device is found by the end of its name, and that of a known headset by its whole name")
  func names() {
    let any = InputSearch.Wanted.device("* (AVRCP)")
    #expect(any.fits("WH-1000XM4 (AVRCP)") && !any.fits("WH-1000XM4"))
    let keys = InputSearch.Wanted.device("keys")
    #expect(keys.fits("keys") && !keys.fits("more keys"))
    let odd = InputSearch.Wanted.named("*4 (AVRCP)")
    #expect(odd.fits("*4 (AVRCP)") && !odd.fits("WH-1000XM4 (AVRCP)"))
    #expect(InputSearch.Wanted.named("/dev/null (AVRCP)").path == nil)
    #expect(InputSearch.Wanted.device("/dev/null").path == "/dev/null")
  }

  @Test("B5: where the headset is known, only its keys count, from when its name is known")
  func address() throws {
    let one = try #require(BluetoothAddress("00:1A:7D:DA:71:13"))
    let other = try #require(BluetoothAddress("AA:BB:CC:DD:EE:FF"))
    var names = [other: "Other (AVRCP)"]
    let inputs = ["One (AVRCP)": PipedInput([.named("playcd")]), "Other (AVRCP)": PipedInput([.named("playcd")])]
    let requests = [("1", one), ("2", other)].flatMap { name, headset in
      ["playcd", "nextsong"].map { code in
        InputLineRequest(name: "\(name) \(code)", device: "* (AVRCP)", headset: headset, code: .named(code))
      }
    }
    let devices = InputDevice.devices(for: requests, keysOf: { names[$0] }) { (wanted, _) throws(LineError) in
      guard let input = inputs[wanted.text], wanted == .named(wanted.text) else {
        throw LineError(.openDevice, wanted.text, InputFailure(code: ENOENT))
      }
      return input
    }
    #expect(devices.map(\.name) == ["keys of headset 00:1A:7D:DA:71:13", "keys of headset AA:BB:CC:DD:EE:FF"])
    #expect(devices.map(\.lines) == [["1 playcd", "1 nextsong"], ["2 playcd", "2 nextsong"]])
    let lines = BoardLines(chips: chips, devices: devices)
    for input in inputs.values { input.move(.named("playcd"), 1, at: 1) }
    #expect(try edges(lines).map(\.line) == ["2 playcd"])
    names[one] = "One (AVRCP)"
    try waitForRetry(lines)
    #expect(try edges(lines).map(\.line) == ["1 playcd"])
    #expect(lines.takeNotices() == [])
  }

  @Test("what was told already is not told again")
  func known() throws {
    let lines = lines()
    _ = try lines.levels()
    socket.input?.move(.named("dock"), 0, at: 1)
    socket.input?.move(.named("dock"), 1, at: 2)
    socket.input?.drop(at: 3)
    socket.input?.report(at: 4)
    #expect(try edges(lines).map(\.asserted) == [true])
  }

  @Test("edges that the kernel dropped on a device are counted with those of the chips, once")
  func lost() throws {
    let lines = lines()
    for time in 1...3 {
      socket.input?.drop(at: 2 * time)
      socket.input?.report(at: 2 * time + 1)
    }
    _ = try edges(lines)
    #expect(lines.takeLostEdges() == 5 + 3)
    #expect(lines.takeLostEdges() == 5)
  }

  @Test("P1: what a device that goes had plugged in is pulled out, once, and plugged in when it is back")
  func goneAndBack() throws {
    let first = try #require(socket.input)
    first.asserted = [.named("dock")]
    let lines = lines()
    _ = try lines.levels()
    first.unplug()
    socket.input = nil
    let lost = try edges(lines)
    #expect(lost.map(\.line) == ["DOCK"])
    #expect(lost.map(\.asserted) == [false])
    #expect(
      lines.takeNotices()
        == ["input device keys is gone; not asserted until it is back: HEADPHONE-INSERT, DOCK"])
    #expect(try edges(lines) == [])
    #expect(try lines.levels()["DOCK"] == false)

    try waitForRetry(lines)
    #expect(try edges(lines) == [])
    let second = PipedInput([.named("dock"), .named("headphone-insert")])
    second.asserted = [.named("headphone-insert")]
    socket.input = second
    try waitForRetry(lines)
    #expect(try edges(lines).map(\.line) == ["HEADPHONE-INSERT"])
    #expect(lines.takeNotices() == ["input device keys is there"])
    second.move(.named("dock"), 1, at: 1)
    #expect(try edges(lines).map(\.line) == ["DOCK"])
  }

  @Test("J3.2: what a device that goes was counting is not certain any more")
  func counted() throws {
    let lines = BoardLines(
      chips: chips, devices: [socket.device([request("headphone-insert"), request("dock")])], counted: ["DOCK"])
    _ = try lines.levels()
    let now = Int(MonotonicClock(startsNow: false).now.nanoseconds / 1_000)
    for (age, isCounting) in [(10_000_000, false), (1_000, true)] {
      socket.input?.move(.named("dock"), 1, at: now - age)
      socket.input?.move(.named("dock"), 0, at: now - age + 1)
      _ = try edges(lines)
      socket.input?.unplug()
      socket.input = nil
      let lost = try edges(lines)
      #expect(lost.map(\.line) == (isCounting ? ["DOCK"] : []))
      #expect(lost.allSatisfy { !$0.asserted && $0.followsLoss })
      socket.input = PipedInput([.named("dock"), .named("headphone-insert")])
      try waitForRetry(lines)
      _ = try edges(lines)
    }
  }

  /// A device that answers with one reason after the other.
  private final class Slow: LineDevice {
    let name = "reader"
    let lines: [String] = []
    let pollDescriptors: [PollDescriptor] = []
    var codes: [CInt] = [ETIMEDOUT, EACCES, ETIMEDOUT]

    func open() throws(LineError) {
      let code = codes.removeFirst()
      throw LineError(operation: .openDevice, subject: "it", code: code, message: "\(code)")
    }
    func levels() -> [Bool] { [] }
    func readEdges(into edges: inout [LineEdge]) {}
    func close() {}
  }

  @Test("a device that does not answer at first is reported once more when it says why it is missing")
  func reason() throws {
    let lines = BoardLines(chips: chips, devices: [Slow()])
    var notices = lines.takeNotices()
    for _ in 0..<2 {
      try waitForRetry(lines)
      _ = try edges(lines)
      notices += lines.takeNotices()
    }
    #expect(notices == [ETIMEDOUT, EACCES].map { "open device it: \($0); tried again every second" })
  }

  @Test("a device that is missing at the start is reported once and waited for")
  func late() throws {
    let device = socket.input
    socket.input = nil
    let lines = lines()
    #expect(lines.takeNotices() == ["open device keys: No such device; tried again every second"])
    #expect(try lines.levels() == ["PIN": true, "DOCK": false, "HEADPHONE-INSERT": false])
    try waitForRetry(lines)
    #expect(try edges(lines) == [])
    #expect(socket.tries == 2)
    #expect(lines.takeNotices() == [])
    device?.asserted = [.named("dock")]
    socket.input = device
    try waitForRetry(lines)
    #expect(try edges(lines).map(\.line) == ["DOCK"])
  }

  @Test("while all are there, no timer runs")
  func quiet() throws {
    let lines = lines()
    let timer = try #require(lines.pollDescriptors.last)
    var setting = itimerspec()
    timerfd_gettime(timer.fileDescriptor, &setting)
    #expect(setting.it_interval.tv_sec == 0)
  }

  @Test("R11: a device that vanished in sleep has its lines not asserted")
  func vanished() throws {
    socket.input?.asserted = [.named("dock")]
    let lines = lines()
    #expect(try lines.levels()["DOCK"] == true)
    socket.input?.failure = ENODEV
    #expect(try lines.levels()["DOCK"] == false)
    // Reading the levels has reported the change already.
    #expect(try edges(lines) == [])
  }
}
