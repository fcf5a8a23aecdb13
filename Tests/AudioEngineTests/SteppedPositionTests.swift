import AudioSession
import Board
import Testing

/// Where a device is, by a position that moves in steps.
@Suite struct SteppedPositionTests {
  private static let rate = 1_000
  private static let step = 7

  /// A device of that step which plays a frame a millisecond from `delay` on, as its readings show it.
  private struct Stepping {
    var position = SteppedPosition(step: SteppedPositionTests.step)
    var delay = 0
    /// Milliseconds in which it stood still.
    var stall = 0
    var now = 0
    var status = PCMStatus(state: .running, queued: 0, at: .powerOn)

    init() { position.begin(at: .powerOn) }

    var truth: Int { max(0, now - delay - stall) }
    var reading: Int { truth - truth % SteppedPositionTests.step }

    mutating func look(after milliseconds: Int) {
      now += milliseconds
      let at = Instant.powerOn + .milliseconds(now)
      status = position.status(at: reading, queued: 10_000 - reading, at, rate: SteppedPositionTests.rate)
    }

    /// Whether it is between the bounds.
    var isWithin: Bool {
      let left = 10_000 - truth
      return (status.queued - status.uncertainty...status.queued).contains(left)
        && status.queued + status.lag == 10_000 - reading
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
              #expect(device.status.uncertainty <= Self.step)
            }
          }
        }
      }
    }
  }

  @Test("P15: looks at different places within a step show where the device is to much less than a step")
  func narrows() {
    var position = SteppedPosition(step: 441)
    position.begin(at: .powerOn)
    var status = PCMStatus(state: .running, queued: 0, at: .powerOn)
    for look in 1...40 {
      let now = Instant.powerOn + .milliseconds(27 * look)
      // It starts late by as much as a step.
      let truth = max(0, now.frame(rate: 44_100) - 441)
      status = position.status(at: truth - truth % 441, queued: 9_000, now, rate: 44_100)
    }
    #expect(status.uncertainty <= 100)
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

  @Test("P15: what is queued behind the buffer is never reported as heard before it was")
  func keeping() {
    var position = SteppedPosition(step: 7)
    position.begin(at: .powerOn)
    let status = position.status(at: -50, queued: 60, .powerOn + .milliseconds(30), rate: Self.rate)
    #expect(status.queued == 60 && status.uncertainty <= 7)
  }

  @Test("P15: an exact position is the device's own")
  func exact() {
    var position = SteppedPosition(step: 0)
    position.begin(at: .powerOn)
    for frame in [0, 3, 4, 30] {
      let now = Instant.powerOn + .milliseconds(2 * frame)
      let status = position.status(at: frame, queued: 100 - frame, now, rate: Self.rate)
      #expect(status == PCMStatus(state: .running, queued: 100 - frame, at: now))
    }
  }

  @Test("P15: a new start forgets where the device was")
  func restart() {
    var device = Stepping()
    for _ in 0..<9 { device.look(after: 5) }
    device.position.begin(at: .powerOn + .seconds(1))
    let status = device.position.status(at: 0, queued: 50, .powerOn + .seconds(1), rate: Self.rate)
    #expect(status.queued == 50 && status.lag == 0 && status.uncertainty <= 1)
  }
}
