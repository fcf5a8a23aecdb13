import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// G7, G8.2: relative axes of input devices.
@Suite struct AxisRows {
  private func kiosk(
    _ knob: Knob = Knob(name: "DIAL", use: .volume(points: 1), steps: 1), _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let kiosk = Kiosk(tracks: 200, knobs: [knob]) {
      $0.startVolume = 20
      change(&$0)
    }
    kiosk.forget()
    return kiosk
  }

  @Test("G7: an axis counts by its steps, and what is left of a detent is nothing to whoever turns back")
  func steps() {
    let kiosk = kiosk(Knob(name: "DIAL", use: .volume(points: 1), steps: 3))
    kiosk.count(2)
    #expect(kiosk.status.volume == 20)
    kiosk.count(1)
    #expect(kiosk.status.volume == 21)
    kiosk.count(2)
    kiosk.count(-1)
    kiosk.count(-1)
    #expect(kiosk.status.volume == 21)
    kiosk.count(-1)
    #expect(kiosk.status.volume == 20)
    kiosk.count(7)
    #expect(kiosk.status.volume == 22)
    // Whatever a device reports.
    kiosk.count(.max)
    #expect(kiosk.status.volume == 50)
    kiosk.wait(.seconds(1))
    kiosk.count(.min)
    #expect(kiosk.status.volume == 0)
  }

  @Test("G8.2: 64 detents a second count, however many are reported, at once or one by one")
  func pace() {
    let kiosk = kiosk(Knob(name: "DIAL", use: .track, steps: 1))
    kiosk.count(1_000)
    #expect(kiosk.status.track == 65)
    for _ in 0..<99 {
      kiosk.wait(.milliseconds(10))
      kiosk.count(1)
    }
    #expect(kiosk.status.track == 65)
    kiosk.wait(.milliseconds(10))
    kiosk.count(1)
    #expect(kiosk.status.track == 66)
    kiosk.wait(.milliseconds(300))
    kiosk.count(50)
    #expect(kiosk.status.track == 116)
    kiosk.wait(.seconds(1))
    #expect(kiosk.names(.knobTurned).compactMap { $0["steps"].flatMap { Int($0) } }.reduce(0, +) == 115)
  }

  @Test(
    "G8.2: a storm is reported once, counts nothing until it has rested, and is no use of the kiosk then",
    arguments: [(5, 1), (1, 1_000)])
  func storm(counts: Int, steps: Int) {
    let kiosk = kiosk(Knob(name: "DIAL", use: .volume(points: 1), steps: steps)) { $0.idleReset = .seconds(60) }
    for index in 0..<10_000 {
      kiosk.wait(.milliseconds(10))
      kiosk.count(index % 2 == 0 ? counts : -counts)
    }
    #expect(kiosk.names(.lineStuck).map { $0["line"] } == ["DIAL"])
    #expect(kiosk.names(.visitEnded).count == kiosk.names(.visitBegan).count)
    kiosk.wait(.seconds(1))
    kiosk.type("volume 30")
    kiosk.count(2 * steps)
    #expect(kiosk.status.volume == 32)
    #expect(kiosk.names(.lineStuck).count == 1)
  }

  @Test("G8.2: whoever turns on and on, or fast for a while, is no storm")
  func patient() {
    let kiosk = kiosk()
    for index in 0..<2_000 {
      kiosk.wait(.milliseconds(20))
      kiosk.count(index % 64 < 32 ? 1 : -1)
    }
    for _ in 0..<1_000 {
      kiosk.wait(.milliseconds(10))
      kiosk.count(3)
    }
    #expect(kiosk.names(.lineStuck).isEmpty)
  }
}
