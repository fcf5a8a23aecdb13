import AudioSession
import Jukebox
import Testing

@testable import SimulationTesting

@Suite struct HeadsetVolumeModelTests {
  /// A headset of level 51 that is there from 0 s on, at a port of ceiling 80 and volume 41, and what is violated.
  private final class Headset {
    var model = HeadsetVolumeModel(ceiling: 80)
    private(set) var found: [String] = []
    private var now = Instant.powerOn

    init() {
      _ = model.turn(to: 51, isAwake: true, at: now)
      model.come(at: now)
      settle(0, 51, 41)
    }

    func turn(_ seconds: Int, _ level: Int?) -> Bool? {
      now = .powerOn + .seconds(seconds)
      return model.turn(to: level, isAwake: true, at: now)
    }

    func log(_ volume: Int, wokeAt: Instant? = nil) {
      let event = Event(.volumeChanged, .info, ["volume": String(volume), "cause": "headset"])
      note(model.check(event, wokeAt: wokeAt, at: now))
    }

    func settle(_ seconds: Int, _ level: Int?, _ volume: Int?) {
      now = .powerOn + .seconds(seconds)
      note(model.settle(level: level, volume: volume, at: now))
    }

    private func note(_ mismatch: Mismatch?) { if let mismatch { found.append(mismatch.message) } }
  }

  @Test("B6: a turn at the headset sets the port's volume, at most to the ceiling, to which the headset is set back")
  func turned() {
    let good = Headset()
    #expect(good.turn(10, 64) == true)
    good.log(51)
    good.settle(10, 64, 51)
    #expect(good.turn(20, 127) == true)
    good.log(80)
    good.settle(20, 127, 80)
    good.settle(21, 101, 80)
    good.settle(100, 101, 80)
    #expect(good.found == [])

    let deaf = Headset()
    _ = deaf.turn(10, 64)
    deaf.settle(10, 64, 41)
    #expect(deaf.found == ["turned to 64 at the headset, and the port's volume is 41"])

    let wrong = Headset()
    _ = wrong.turn(10, 127)
    wrong.log(100)
    #expect(wrong.found == ["turned to 127 at the headset: 100, expected 80"])
  }

  @Test("B6: what nobody turned is not logged as turned, in the first 2 s of a headset either")
  func untouched() {
    let echo = Headset()
    echo.settle(10, 64, 51)
    echo.log(51)
    #expect(echo.found == ["the volume is logged as turned at the headset, and nobody turned it"])

    let new = Headset()
    #expect(new.turn(1, 64) == false)
    new.log(51)
    #expect(new.found.count == 1)

    let awake = Headset()
    awake.settle(5, 51, 41)
    awake.log(41, wokeAt: .powerOn + .seconds(5))
    #expect(awake.found == [])
  }

  @Test("B6: the headset makes the port's volume in time, and is never asked for more than the ceiling")
  func followed() {
    let left = Headset()
    left.settle(10, 51, 60)
    left.settle(14, 51, 60)
    #expect(left.found == [])
    left.settle(16, 51, 60)
    #expect(left.found.count == 1)

    let loud = Headset()
    loud.settle(10, 120, 60)
    #expect(loud.found.first == "it is asked for 120, and the ceiling is 80")
  }

  @Test("B6: the samples make what the headset has above the port's volume, and all of one that makes none")
  func samples() {
    let headset = Headset()
    let later = Instant.powerOn + .seconds(30)
    #expect(headset.model.samples(of: 41, at: later) == 100)
    _ = headset.turn(20, 127)
    headset.settle(20, 127, 80)
    #expect(headset.model.samples(of: 80, at: later) == 80)
    #expect(headset.model.samples(of: 0, at: later) == 0)
    _ = headset.turn(25, nil)
    headset.settle(25, nil, 80)
    #expect(headset.model.samples(of: 80, at: later) == 80)
    headset.model.go()
    #expect(headset.model.samples(of: 30, at: later) == 30)
  }
}
