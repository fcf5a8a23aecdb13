import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// What the brain counts, as a transcript of its steps.
@Suite struct CountingRows {
  private func words(_ kiosk: Kiosk) -> [String] {
    kiosk.counted.compactMap { step in
      switch step {
      case .start(let name): "start \(name)"
      case .heard(let name, let milliseconds): "heard \(name) \(milliseconds)"
      case .left(let name, let leaving, let tenth): "\(leaving.rawValue) \(name)" + (tenth.map { " \($0)" } ?? "")
      case .board(.powerOns, _), .board(.visits, _): nil
      case .board(let count, _): count.rawValue
      }
    }
  }

  /// The steps, what was heard added up.
  private func summary(_ kiosk: Kiosk) -> [String] {
    kiosk.type("stats")
    var heard: [String: Int] = [:]
    for case .heard(let name, let milliseconds) in kiosk.counted { heard[name, default: 0] += milliseconds }
    return words(kiosk).filter { !$0.hasPrefix("heard") }
      + heard.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
  }

  private func playing(_ change: (inout Settings) -> Void = { _ in }) -> Kiosk {
    let kiosk = Kiosk(plugged: ["JACK"], change)
    kiosk.knowsLengths = true
    kiosk.type("play")
    return kiosk
  }

  @Test("N1: a queue that is heard out counts a start, an end and every second of each track")
  func ends() {
    let kiosk = playing { $0.saveInterval = .seconds(7) }
    kiosk.wait(.seconds(200))
    let tracks = ["1.mp3", "2.mp3", "3.mp3"]
    #expect(
      summary(kiosk) == tracks.flatMap { ["start \($0)", "ended \($0) 9"] } + tracks.map { "\($0) 60000" })
  }

  @Test("N1: how a track is left counts, with the tenth that was reached")
  func leavings() {
    let cases: [(leave: (Kiosk) -> Void, words: String)] = [
      ({ $0.type("next") }, "skipped"), ({ $0.type("previous") }, "skipped"), ({ $0.type("stop") }, "stopped"),
      ({ $0.type("track 3") }, "chosen"), ({ $0.type("track 1") }, "chosen"),
      (
        {
          $0.type("pause")
          $0.wait(.seconds(600))
        }, "idle"
      ),
    ]
    for (leave, expected) in cases {
      let kiosk = playing()
      kiosk.wait(.seconds(15))
      leave(kiosk)
      #expect(summary(kiosk).prefix(2) == ["start 1.mp3", "\(expected) 1.mp3 2"])
      #expect(summary(kiosk).contains("1.mp3 15000"))
    }
  }

  @Test("N1: a pause, an interruption and an unplug are not heard, and what goes on after them is no new start")
  func holds() {
    let kiosk = playing()
    kiosk.wait(.seconds(10))
    kiosk.type("pause", then: .seconds(100))
    kiosk.type("play", then: .seconds(10))
    kiosk.edge("PAGE", true, then: .seconds(100))
    kiosk.edge("PAGE", false, then: .seconds(10))
    kiosk.unplug("JACK", then: .seconds(100))
    kiosk.plug("JACK", then: .seconds(12))
    kiosk.type("stop")
    // The contact of the page and the plug settle for 30 ms, in which the page still plays.
    #expect(summary(kiosk).prefix(2) == ["start 1.mp3", "stopped 1.mp3 7"])
    let heard = summary(kiosk).last.flatMap { Int($0.split(separator: " ")[1]) } ?? 0
    #expect((41_900...42_100).contains(heard), "\(heard)")
  }

  @Test(
    "N1: an unplug that nobody answers, or that somebody ends, is how the track was left; one that Play answers is not")
  func unplugs() {
    for answer in ["", "stop", "next", "track 3"] {
      let kiosk = playing()
      kiosk.wait(.seconds(5))
      kiosk.unplug("JACK")
      if answer.isEmpty { kiosk.wait(.seconds(301)) } else { kiosk.type(answer) }
      #expect(summary(kiosk) == ["start 1.mp3", "unplugged 1.mp3 0", "1.mp3 5000"], "\(answer)")
    }
    let kiosk = playing()
    kiosk.wait(.seconds(5))
    kiosk.unplug("JACK")
    kiosk.type("play", then: .seconds(5))
    kiosk.type("stop")
    #expect(summary(kiosk) == ["start 1.mp3", "stopped 1.mp3 1", "1.mp3 10000"])
  }

  @Test("N1: a track that begins again counts again, and one that repeats counts each time")
  func repeats() {
    let kiosk = playing { $0.repeats = .track }
    kiosk.wait(.seconds(150))
    kiosk.type("previous", then: .seconds(3))
    kiosk.type("stop")
    let expected = ["start", "ended", "start", "ended", "start", "skipped", "start", "stopped"]
    #expect(
      words(kiosk).compactMap { $0.split(separator: " ").first.map(String.init) }.filter { $0 != "heard" } == expected)
    #expect(summary(kiosk).last == "1.mp3 153000")
  }

  @Test("N1: the time asleep is not heard, whatever the clock says")
  func sleep() {
    let kiosk = playing()
    kiosk.wait(.seconds(5))
    // The card stands still, and the virtual clock goes on.
    kiosk.wait(.seconds(20))
    kiosk.engine.since = kiosk.engine.since.map { $0 + .seconds(20) }
    kiosk.feed(.woke(asserted: [kiosk.line("JACK")], slept: .seconds(20)))
    kiosk.type("stop")
    #expect(summary(kiosk).last == "1.mp3 5000")
  }

  @Test("N1, N2: what goes on after a power cut is no new start; what nobody goes on with was left idle")
  func powerCut() {
    let saved = SavedState(volumes: [:], track: "2.mp3", frame: 10 * Kiosk.rate, intent: .playing, port: .headphones)
    for goesOn in [true, false] {
      let kiosk = Kiosk(plugged: ["JACK"], saved: .state(saved))
      kiosk.knowsLengths = true
      if goesOn {
        kiosk.type("play", then: .seconds(50))
        #expect(summary(kiosk).prefix(2) == ["ended 2.mp3 9", "start 3.mp3"] && summary(kiosk).contains("2.mp3 50000"))
      } else {
        kiosk.wait(.seconds(601))
        #expect(words(kiosk) == ["idle 2.mp3"])
      }
    }
  }

  @Test("N1, T6: a place beyond the end of a track whose length is not known takes nothing from what is heard")
  func beyond() {
    let saved = SavedState(volumes: [:], track: "2.mp3", frame: 10 * Kiosk.rate, intent: .paused, port: .headphones)
    let kiosk = Kiosk(plugged: ["JACK"], saved: .state(saved))
    kiosk.knowsLengths = true
    kiosk.type("seek 30:00")
    kiosk.type("play")
    #expect(kiosk.heard == Position(track: 1, frame: 0))
    kiosk.wait(.seconds(5))
    kiosk.type("stop")
    #expect(summary(kiosk).last == "2.mp3 5000")
  }

  @Test("N2: what was heard is counted before the state is saved")
  func saves() {
    let kiosk = playing { $0.saveInterval = .seconds(10) }
    kiosk.wait(.seconds(35))
    let heard = kiosk.counted.compactMap { step -> Int? in
      if case .heard(_, let milliseconds) = step { milliseconds } else { nil }
    }
    #expect(kiosk.saves.count >= 3 && heard.reduce(0, +) >= 25_000 && heard.allSatisfy { $0 <= 10_000 })
  }

  @Test("N1: underruns, lost outputs, tracks that fail and power on are counted")
  func board() {
    let kiosk = Kiosk(plugged: ["JACK"], bad: [0: "damaged"])
    kiosk.type("play")
    kiosk.feed(.audio(.playback(.underrun(nil))))
    kiosk.loseOutput()
    #expect(kiosk.counted.first == .board(.powerOns))
    #expect(words(kiosk) == ["track-failures", "start 2.mp3", "underruns", "output-losses"])
  }

  @Test("N1: a track that breaks off has failed, not ended")
  func broken() {
    let kiosk = playing()
    kiosk.wait(.seconds(30))
    kiosk.feed(.audio(.brokeOff(stream: kiosk.engine.stream, Position(track: 0, frame: 0), reason: "damaged")))
    kiosk.wait(.seconds(31))
    #expect(words(kiosk).contains("failed 1.mp3 9"))
  }

  @Test("N5: a cue whose time comes by a clock that nobody has set is not spoken")
  func missedCue() {
    let kiosk = Kiosk()
    kiosk.feed(.missed(cue: 1))
    #expect(kiosk.last(.cueFailed)?["reason"] == "clock not set" && kiosk.engine.cue == nil)
    kiosk.feed(.missed(cue: 99))
  }

  @Test("N2: what is counted is saved within an interval, also where it changes nothing that is kept")
  func savedByItself() {
    let kiosk = Kiosk { $0.saveInterval = .seconds(5) }
    #expect(kiosk.counted.contains(.board(.powerOns)) && kiosk.saves.isEmpty)
    kiosk.wait(.seconds(6))
    #expect(kiosk.saves.count == 1)
    kiosk.wait(.seconds(60))
    #expect(kiosk.saves.count == 1)
    kiosk.pressOnce(.volumeUp, then: .seconds(6))
    #expect(kiosk.counted.contains(.board(.visits)) && kiosk.saves.count == 2)
  }
}
