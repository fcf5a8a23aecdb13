import AudioSession
import Jukebox
import Testing

@testable import SimulationTesting

/// Holds the model of what the sides of a port play to what it has to find.
@Suite struct ChannelModelTests {
  private static func probe(_ channels: PortChannels, settledAt frame: Int = 0) -> OutputProbe {
    var probe = OutputProbe(rate: 8_000)
    probe.setGain(1)
    probe.channels.set(channels, settledAt: frame)
    (probe.musicEnd, probe.cueEnd) = (nil, 0)
    return probe
  }

  private static func read(_ sides: [(Int16, Int16)], at start: Int = 0, by probe: inout OutputProbe) -> String? {
    probe.read(sides.flatMap { [$0.0, $0.1] }, frames: sides.count, at: start)
    return probe.artifact?.row
  }

  @Test(
    "M1: both sides of one ear are the same, once the change is over",
    arguments: [PortChannels.Mode.mono, .left, .right])
  func oneEar(mode: PortChannels.Mode) {
    var probe = Self.probe(PortChannels(mode))
    #expect(Self.read([(7, 7), (9, 9)], by: &probe) == nil)
    #expect(Self.read([(9, 10)], at: 2, by: &probe) == "M1")
    var changing = Self.probe(PortChannels(mode), settledAt: 100)
    #expect(Self.read([(9, 10)], by: &changing) == nil)
  }

  @Test("M4, P12: a change from one frame to the next is a click, and one within 20 ms is none")
  func click() {
    var steady = Self.probe(PortChannels(.swap), settledAt: 8_000)
    #expect(Self.read((0..<32).map { (Int16($0 * 500), 0) }, by: &steady) == nil)
    var jump = steady
    #expect(Self.read([(0, 0)], at: 32, by: &jump) == "P12")
    #expect(Self.read((0..<32).map { (15_500 - Int16($0 * 500), Int16($0 * 500)) }, at: 32, by: &steady) == nil)
  }

  @Test(
    "R3, D7: what cannot be told from a cue may be heard until neither may be",
    arguments: [PortChannels.Mode.mono, .swap])
  func leak(mode: PortChannels.Mode) {
    var probe = Self.probe(PortChannels(mode))
    (probe.musicEnd, probe.cueEnd) = (1, 2)
    let sides: [(Int16, Int16)] = mode == .mono ? [(9, 9), (9, 9)] : [(9, 9), (9, 0)]
    #expect(Self.read(sides, by: &probe) == nil)
    #expect(probe.musicFrames == 1 || mode == .mono)
    #expect(Self.read([(9, 9)], at: 2, by: &probe) == (mode == .mono ? "D7" : "R3"))
  }

  @Test("M1 to M2.1: what the sides play of two samples")
  func sides() {
    func sides(_ mode: PortChannels.Mode, balance: Int = 0) -> [Double] {
      var model = ChannelModel()
      model.set(PortChannels(mode, balance: balance), settledAt: 0)
      let sides = model.sides(left: 100, right: 50)
      return [sides.left, sides.right]
    }
    #expect(sides(.mono) == [75, 75] && sides(.left) == [100, 100] && sides(.right) == [50, 50])
    #expect(sides(.swap) == [50, 100] && sides(.stereo) == [100, 50])
    #expect(sides(.stereo, balance: 100) == [0, 50] && sides(.swap, balance: -100) == [50, 0])
  }

  private static func change(_ mode: String, cause: String? = nil) -> Event {
    Event(.channelsChanged, .info, ["port": "speaker", "channels": mode, "cause": cause])
  }

  @Test("M4: a line for what was typed, at once; none without, and all goes back with the visit")
  func commands() {
    var typed = ChannelCommands()
    typed.type(["channels", "mono"], route: .speaker)
    var silent = typed
    #expect(silent.settle()?.row == "M4")
    #expect(typed.check(Self.change("mono")) == nil && typed.settle() == nil)
    var kept = typed
    kept.endVisit()
    #expect(kept.settle()?.row == "M4")
    #expect(typed.check(Self.change("stereo", cause: "hung-up")) == nil)
    typed.endVisit()
    #expect(typed.settle() == nil)
    #expect(typed.check(Self.change("left"))?.row == "M4")
  }
}
