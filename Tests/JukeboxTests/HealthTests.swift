import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

@Suite struct HealthTests {
  @Test("health reports are added up, and are in status, state.saved and shutdown")
  func counted() {
    let kiosk = Kiosk { $0.visitGap = .zero }
    kiosk.feed(.health(.edgesLost(3)))
    kiosk.feed(.health(.edgesLost(4)))
    kiosk.feed(.health(.linesDropped(20)))
    kiosk.feed(.health(.temperature(48_372)))
    kiosk.feed(.audio(.playback(.underrun(nil))))
    kiosk.type("volume 9", then: .seconds(90))
    kiosk.type("status")
    let health = "uptime=90 played=0.0 underruns=1 lost-edges=7 dropped=20 temperature=48.3"
    #expect(kiosk.replies.last?.hasSuffix(" cue=none saves=1 \(health) interrupted=none") == true)
    kiosk.feed(.shutdown(reason: "test"))
    let expected = "90.000000 info shutdown reason=test frame=0 saves=1 \(health)"
    #expect(kiosk.last(.shutdown)?.line(at: kiosk.now) == expected)
    #expect(kiosk.last(.stateSaved)?.fields.map(\.key) == ["writes"] + kiosk.status.health.fields.map(\.key))
  }

  @Test("hours are played while sound is on its way, and go on after a power cut")
  func played() {
    let before = Kiosk { $0.repeats = .queue }
    before.type("play", then: .seconds(3_600))
    before.type("pause", then: .seconds(7_200))
    #expect(before.status.health.played == .seconds(3_600))
    #expect(before.saves.last?.played == 3_600)
    let saved = before.saves.last.map { PowerOn.Saved.state($0) }
    let after = Kiosk(saved: saved ?? .nothing) { $0.repeats = .queue }
    after.type("play", then: .seconds(720))
    #expect(after.status.health.played == .seconds(4_320))
    #expect(after.status.line.contains(" uptime=720 played=1.2 "))
  }

  @Test("a counter begins again after its largest number, and nonsense counts nothing")
  func wrapping() {
    var counters = HealthCounters(played: 0, at: .powerOn)
    for _ in 0..<3 { counters.note(.edgesLost(.max)) }
    counters.note(.edgesLost(-1))
    counters.note(.linesDropped(.min))
    #expect(counters.report(at: .powerOn).lostEdges == 3 &* UInt64(Int.max))
    #expect(counters.report(at: .powerOn).droppedLines == 0)
  }

  @Test("P13: files that are left out are counted where there are any")
  func leftOut() {
    var counters = HealthCounters(played: 0, at: .powerOn)
    counters.note(.leftOut(3))
    #expect(counters.report(at: .powerOn).fields.last == Event.Field(key: "left-out", value: "3"))
    counters.note(.leftOut(0))
    #expect(counters.report(at: .powerOn).fields.last?.key == "dropped")
  }

  @Test("D8: cues that were not there at the start are counted where there are any")
  func cueFaults() {
    var counters = HealthCounters(played: 0, at: .powerOn)
    counters.note(.cueFaults(2))
    #expect(counters.report(at: .powerOn).fields.last == Event.Field(key: "cue-faults", value: "2"))
  }

  @Test("W3: that the state cannot be saved is in status until it is saved again")
  func saveFailed() {
    let fault = Event.Field(key: "save-failed", value: "1")
    let kiosk = Kiosk { $0.visitGap = .zero }
    kiosk.storageFault = "full"
    kiosk.type("volume 9", then: .seconds(90))
    #expect(kiosk.status.health.fields.last == fault)
    kiosk.storageFault = nil
    kiosk.wait(.seconds(3_600))
    #expect(!kiosk.status.health.fields.contains(fault))
  }

  @Test("a temperature below zero, and one that goes away")
  func temperature() {
    var counters = HealthCounters(played: 0, at: .powerOn)
    counters.note(.temperature(-1_250))
    #expect(counters.report(at: .powerOn).fields.last == Event.Field(key: "temperature", value: "-1.2"))
    counters.note(.temperature(nil))
    #expect(counters.report(at: .powerOn).fields.last?.key == "dropped")
  }
}
