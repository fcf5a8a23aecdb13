import AudioSession
import Jukebox
import Testing

@testable import SimulationTesting

@Suite struct LogCheckerTests {
  private func mismatchRows(_ events: [Event]) -> [String] {
    var checker = LogChecker(order: QueueOrder(["1", "2", "3", "4"], playable: ["1", "2", "4"]))
    return events.enumerated().compactMap { index, event in
      checker.check(event, at: Instant(nanoseconds: Int64(index) * 1_000_000))?.row
    }
  }

  @Test("P3: playback that resumes elsewhere than it was paused is noticed")
  func resume() {
    let paused = Event(.playbackPaused, .info, ["cause": "route-lost", "frame": "700"])
    let started = Event(.playbackStarted)
    #expect(mismatchRows([started, paused, Event(.playbackResumed, .info, ["frame": "701"])]) == [])
    #expect(mismatchRows([started, paused, Event(.playbackResumed, .info, ["frame": "740"])]) == ["P3"])
    let skip = Event(.buttonPressed, .info, ["button": "next", "line": "BTN_NEXT"])
    #expect(mismatchRows([started, paused, skip, Event(.playbackResumed, .info, ["frame": "0"])]) == [])
  }

  @Test("K5: playback that resumes without having started is noticed; a restored place counts as a start")
  func resumeWithoutStart() {
    let resumed = Event(.playbackResumed)
    #expect(mismatchRows([Event(.playbackPaused), resumed]) == ["K5"])
    #expect(mismatchRows([Event(.playbackStarted), Event(.playbackStopped), resumed]) == ["K5"])
    #expect(mismatchRows([Event(.stateRestored, .info, ["intent": "paused"]), resumed]) == [])
    #expect(mismatchRows([Event(.stateRestored, .info, ["intent": "stopped"]), resumed]) == ["K5"])
  }

  @Test("P3: what is held at the very end of a track goes on at the start of the next one, and not at its own")
  func endOfTrack() {
    let ended = Event(.trackEnded, .info, ["file": "1"])
    for (between, rows) in [([ended], []), ([], ["P3"])] {
      let paused = Event(.playbackPaused, .info, ["cause": "storage", "frame": "320000"])
      let resumed = Event(.playbackResumed, .info, ["frame": "0"])
      #expect(mismatchRows([Event(.playbackStarted), paused] + between + [resumed]) == rows)
    }
  }

  @Test("K5: a duck that ends and begins again with the bounce of a plug is noticed")
  func bounceUnderCue() {
    var checker = LogChecker(order: nil)
    func row(_ event: Event, _ milliseconds: Int64) -> String? {
      checker.check(event, at: Instant(nanoseconds: milliseconds * 1_000_000))?.row
    }
    #expect(row(Event(.duckBegan), 1) == nil)
    #expect(row(Event(.duckEnded), 2) == nil)
    #expect(row(Event(.lineBounced), 32) == nil)
    #expect(row(Event(.duckBegan), 32) == "K5")
  }

  @Test("P10: a track that follows another out of turn is noticed")
  func order() {
    let ended = Event(.trackEnded, .info, ["file": "2"])
    #expect(mismatchRows([ended, Event(.trackStarted, .info, ["file": "4"])]) == [])
    #expect(mismatchRows([ended, Event(.trackStarted, .info, ["file": "1"])]) == ["P10"])
  }

  @Test("X1: what was promised before the music has changed may follow, and what follows in the new music")
  func changedMusic() {
    for (next, rows) in [("2", []), ("4", []), ("1", ["P10"])] {
      var checker = LogChecker(order: QueueOrder(["1", "2", "3", "4"]))
      checker.change(to: ["1", "4"])
      let events = [
        Event(.trackStarted, .info, ["file": "1"]), Event(.trackEnded, .info, ["file": "1"]),
        Event(.trackStarted, .info, ["file": next]),
      ]
      let found = events.enumerated().compactMap { index, event in
        checker.check(event, at: Instant(nanoseconds: Int64(index) * 1_000_000))?.row
      }
      #expect(found == rows, "\(next)")
    }
  }

  @Test("What begins twice without an end in between is noticed")
  func twice() {
    #expect(mismatchRows([Event(.duckBegan), Event(.duckEnded), Event(.duckBegan)]) == [])
    #expect(mismatchRows([Event(.duckBegan), Event(.duckBegan)]) == ["D3"])
    #expect(mismatchRows([Event(.promptShown), Event(.promptShown)]) == ["Q1"])
  }

  @Test("K5: a log that goes back in time is noticed")
  func backwards() {
    var checker = LogChecker(order: nil)
    #expect(checker.check(Event(.boot), at: Instant(nanoseconds: 2_000)) == nil)
    #expect(checker.check(Event(.duckBegan), at: Instant(nanoseconds: 1_000))?.row == "K5")
  }
}
