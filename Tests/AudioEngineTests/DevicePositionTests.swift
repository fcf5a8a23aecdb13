import AudioSession
import Board
import Testing

@testable import AudioEngine

/// Where a device is, by a position that moves in steps.
@Suite struct DevicePositionTests {
  private static let rate = 1_000
  private static let step = 7

  /// A device of that step which plays a frame a millisecond from `delay` on, as its readings show it.
  private struct Stepping {
    var position = DevicePosition(step: DevicePositionTests.step)
    var step = DevicePositionTests.step
    var delay = 0
    /// Milliseconds in which it stood still.
    var stall = 0
    var now = 0

    init() { position.begin(at: 0, .powerOn) }

    var truth: Int { max(0, now - delay - stall) }
    var reading: Int { truth - truth % step }

    mutating func look(after milliseconds: Int) {
      now += milliseconds
      position.note(reading, isCounted: false, at: .powerOn + .milliseconds(now), rate: DevicePositionTests.rate)
    }

    /// Whether it is between the bounds.
    var isWithin: Bool {
      (reading + position.lead...reading + position.lead + position.doubt).contains(truth)
    }
  }

  @Test("P15: at every look, whenever it comes, the device is where its position is known to be")
  func bounds() {
    for delay in [0, 3, 11] {
      for first in 1..<24 {
        for second in 1..<24 {
          for third in 1..<24 {
            var device = Stepping()
            device.delay = delay
            for wait in [first, second, third, 20, second, first] {
              device.look(after: wait)
              #expect(device.isWithin, "\(delay): \(first), \(second), \(third)")
              #expect(device.position.doubt <= Self.step || !device.position.step.isProven)
            }
          }
        }
      }
    }
  }

  @Test("P15: at every look, from the first on, one that moves by more than it is known for may be as far as it is")
  func unproven() {
    for delay in [0, 3, 11] {
      for first in 1..<24 {
        for second in 1..<24 {
          var device = Stepping()
          device.step = 20
          device.delay = delay
          for wait in [first, second, 17, second, 3, first] {
            device.look(after: wait)
            let farthest = device.reading + device.position.lead + device.position.doubt
            #expect(device.truth <= farthest, "\(delay): \(first), \(second)")
          }
        }
      }
    }
  }

  @Test("P15: what a device keeps behind its buffer it cannot have played, whatever its steps are")
  func keeping() {
    var position = DevicePosition(step: 7)
    position.begin(at: 0, .powerOn)
    position.begin(behind: 50)
    position.note(-50, isCounted: false, at: .powerOn + .milliseconds(30), rate: Self.rate)
    #expect(position.isDoubtful && (30...31).contains(position.lead + position.doubt))
  }

  @Test("P15: once is enough to find a larger step where the position never moved by less, and no longer once it did")
  func onceIsEnough() {
    var step = PositionStep(atMost: 441)
    for position in [0, 2_000, 8_000] { step.note(position) }
    #expect(!step.isProven && step.frames == 441)
    let isFoundOut = step.note(lag: 900, at: .powerOn)
    #expect(isFoundOut)
    #expect(step.isLarger && step.frames == 2_000)
    step.note(8_005)
    #expect(!step.isLarger && step.frames == 5)
  }

  /// Forty looks, so many ms apart, at a device that moves by so many frames of 44.1 kHz and is known for 441.
  private func lookedAt(every wait: Int, movingBy step: Int) -> DevicePosition {
    var position = DevicePosition(step: 441)
    position.begin(at: 0, .powerOn)
    for look in 1...40 {
      let now = Instant.powerOn + .milliseconds(wait * look)
      let truth = now.frame(rate: 44_100)
      position.note(truth - truth % step, isCounted: false, at: now, rate: 44_100)
    }
    return position
  }

  @Test("P15: looks at different places within a step show where the device is to much less than a step")
  func narrows() {
    let position = lookedAt(every: 27, movingBy: 441)
    #expect(position.doubt <= 100)
  }

  @Test("P15: after a standstill longer than a step the device is where it says, or less than a step further")
  func standstill() {
    var device = Stepping()
    for _ in 0..<20 { device.look(after: 9) }
    device.now += 50
    device.stall = 50
    device.look(after: 1)
    #expect(device.isWithin)
    for _ in 0..<20 { device.look(after: 9) }
    #expect(device.isWithin)
  }

  @Test("P15: a device whose position moves by more than its driver is known for is found out, and known from then on")
  func larger() {
    let position = lookedAt(every: 31, movingBy: 2_000)
    #expect(position.step.isLarger)
    #expect((1_900...4_000).contains(position.step.frames))
  }

  @Test("P15: a device that stands still, or is looked at late, moves by no larger step")
  func notLarger() {
    var device = Stepping()
    for turn in 0..<200 {
      device.look(after: 1 + turn % 23)
      device.now += 40
      device.stall += 40
    }
    #expect(!device.position.step.isLarger)
  }

  @Test(
    "P15: a thread that is held up twice between a position and its time finds a larger step only within a second",
    arguments: [(900, true), (1_100, false), (30_000_000, false)])
  func heldUp(apart: Int, isLarger: Bool) {
    var position = DevicePosition(step: 5)
    position.begin(at: 0, .powerOn)
    func look(at time: Int, heldUp: Int = 0) {
      let truth = (Instant.powerOn + .milliseconds(time)).frame(rate: Self.rate)
      position.note(truth, isCounted: false, at: .powerOn + .milliseconds(time + heldUp), rate: Self.rate)
    }
    for time in [20, 40 + apart] {
      look(at: time - 10)
      look(at: time, heldUp: 20)
      look(at: time + 21)
    }
    #expect(position.step.isLarger == isLarger)
  }

  @Test("P15: a device whose position was seen to move by a frame has no step")
  func fine() {
    var position = DevicePosition(step: 441)
    position.begin(at: 100, .powerOn)
    #expect(position.lead == 0)
    for frame in [0, 3, 4, 30] {
      position.note(100 + frame, isCounted: false, at: .powerOn + .milliseconds(frame), rate: Self.rate)
    }
    #expect(position.doubt <= 1 && position.lead <= 1)
  }

  @Test("P15: a new start forgets where the device was, and keeps what its steps are")
  func restart() {
    var position = DevicePosition(step: 441)
    position.begin(at: 0, .powerOn)
    for frame in 0..<9 { position.note(frame, isCounted: false, at: .powerOn + .milliseconds(frame), rate: Self.rate) }
    position.begin(at: 50, .powerOn + .seconds(1))
    position.note(50, isCounted: false, at: .powerOn + .seconds(1), rate: Self.rate)
    #expect(position.lead == 0 && position.doubt == 1)
  }

  @Test("P15: what a driver that counts on said of a device that was late no longer counts once the device is not")
  func counting() {
    var position = DevicePosition(step: 441)
    position.begin(at: 0, .powerOn)
    for look in 1...20 {
      let now = Instant.powerOn + .milliseconds(40 * look)
      let truth = now.frame(rate: 44_100)
      // At one look the bus is 8 ms late, which the driver does not know.
      position.note(look == 10 ? truth + 353 : truth, isCounted: look > 1, at: now, rate: 44_100)
      if look > 1 { #expect(position.lead == 0 && position.doubt == 44) }
    }
  }
}
