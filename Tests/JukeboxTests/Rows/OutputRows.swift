import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// An output that is lost and comes back, seen from the brain.
@Suite struct OutputRows {
  @Test("I14: a card that opens and does not play is tried at growing intervals; one that has played for long anew")
  func opensOnly() {
    let kiosk = Kiosk()
    kiosk.type("play")
    kiosk.loseOutput()
    for seconds in [1, 2, 4, 8, 16, 30, 30] {
      kiosk.engine.deviceWorks = true
      kiosk.wait(.seconds(seconds) - .nanoseconds(1))
      #expect(kiosk.sounding == nil)
      kiosk.wait(.nanoseconds(1))
      #expect(kiosk.sounding == .speaker)
      kiosk.wait(.seconds(5))
      kiosk.loseOutput()
    }
    kiosk.engine.deviceWorks = true
    kiosk.wait(.seconds(40))
    kiosk.loseOutput()
    kiosk.engine.deviceWorks = true
    kiosk.wait(.seconds(1))
    #expect(kiosk.sounding == .speaker)
  }

  @Test("I14: a lost output holds the music at its frame and is tried again with growing pauses")
  func lostOutput() {
    let kiosk = Kiosk()
    kiosk.type("play", then: .seconds(5))
    kiosk.forget()
    kiosk.loseOutput()
    #expect(kiosk.eventNames == [.outputLost, .interruptionBegan, .playbackPaused])
    #expect(kiosk.last(.playbackPaused)?["cause"] == "output")
    #expect(kiosk.status.holds == [.outputUnavailable])
    #expect(kiosk.status.frame == 5 * Kiosk.rate)
    for seconds in [1, 2, 4, 8, 16, 30, 30] {
      kiosk.forget()
      kiosk.wait(.seconds(seconds) - .nanoseconds(1))
      #expect(!kiosk.commands.contains(.reopen))
      kiosk.wait(.nanoseconds(1))
      #expect(kiosk.commands == [.reopen])
    }
    kiosk.engine.deviceWorks = true
    kiosk.wait(.seconds(30))
    #expect(kiosk.sounding == .speaker)
    #expect(kiosk.heard?.frame == 5 * Kiosk.rate)
    #expect(kiosk.last(.playbackResumed)?["cause"] == "output-restored")
    #expect(kiosk.timers[.outputRetry] == nil)
  }

  @Test("I14: Play retries at once")
  func playRetries() {
    for commands in [["play"], ["stop", "play"]] {
      let kiosk = Kiosk()
      kiosk.type("play")
      kiosk.loseOutput()
      kiosk.engine.deviceWorks = true
      commands.forEach { kiosk.type($0) }
      #expect(kiosk.sounding == .speaker)
      #expect(kiosk.status.state == .playing)
    }
  }

  @Test("I14, T2: a track or playlist that is chosen again, to go on, retries at once as well")
  func choosingAgainRetries() {
    for command in ["track 1", "playlist"] {
      let kiosk = Kiosk { $0.again = .pause }
      kiosk.type(command)
      kiosk.loseOutput()
      kiosk.type("pause")
      kiosk.engine.deviceWorks = true
      kiosk.type(command)
      #expect(kiosk.sounding == .speaker, "\(command)")
    }
  }

  @Test("I14: an operator who stops while the output is lost hears nothing when it returns")
  func stoppedMeanwhile() {
    let kiosk = Kiosk()
    kiosk.engine.deviceWorks = false
    kiosk.plug("JACK")
    kiosk.type("play")
    kiosk.type("stop")
    kiosk.engine.deviceWorks = true
    kiosk.wait(.seconds(100))
    #expect(kiosk.status.holds.isEmpty)
    #expect(kiosk.sounding == nil)
    #expect(kiosk.engine.phase == .silent)
  }

  @Test("I14: an output that cannot be opened for a plug does not start by itself after a pause")
  func pausedMeanwhile() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play")
    kiosk.unplug("JACK")
    kiosk.engine.deviceWorks = false
    kiosk.plug("JACK")
    #expect(kiosk.status.holds == [.outputUnavailable])
    kiosk.type("stop")
    kiosk.engine.deviceWorks = true
    kiosk.wait(.seconds(100))
    #expect(kiosk.sounding == nil)
    #expect(kiosk.engine.phase == .silent)
  }

  @Test("I14: another port that works ends the loss")
  func otherPort() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play")
    kiosk.loseOutput()
    kiosk.unplug("JACK")
    kiosk.engine.deviceWorks = true
    kiosk.plug("DOCK")
    #expect(kiosk.status.holds.isEmpty)
    #expect(kiosk.sounding == .lineOut)
  }

  @Test("I14: a device that fails just after the route has left it is logged and holds nothing; the music goes on")
  func lostWhileLeft() {
    let kiosk = Kiosk()
    kiosk.type("play", then: .seconds(5))
    kiosk.plug("JACK", then: .seconds(1))
    kiosk.forget()
    let position = kiosk.heard
    kiosk.engine.stand(at: kiosk.now)
    kiosk.engine.phase = .silent
    kiosk.feed(.audio(.leftOutputLost(.speaker, reason: "gone", position)))
    #expect(kiosk.commands == [.play] && kiosk.sounding == .headphones && kiosk.heard == position)
    #expect(kiosk.eventNames == [.outputLost] && kiosk.status.holds.isEmpty)
    let lost = kiosk.last(.outputLost)
    #expect(lost?.level == .warn && lost?["reason"] == "gone" && lost?["route"] == "speaker")
    let held = Kiosk.held()
    held.forget()
    held.feed(.audio(.leftOutputLost(.headphones, reason: "gone", nil)))
    #expect(held.commands == [] && held.eventNames == [.outputLost] && held.sounding == nil)
    #expect(held.status.holds == [.routeLost] && held.status.isPromptShown)
  }

  @Test("I7: an unplug while the output is lost holds after it returned")
  func unplugMeanwhile() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play")
    kiosk.loseOutput()
    kiosk.unplug("JACK")
    #expect(kiosk.status.isPromptShown)
    kiosk.engine.deviceWorks = true
    kiosk.wait(.seconds(5))
    #expect(kiosk.status.holds == [.routeLost])
    #expect(kiosk.sounding == nil)
  }

  @Test("I14: an output that is lost before the first frame was heard has the music at that frame, however late")
  func lostBeforeTheFirstFrame() {
    let kiosk = Kiosk()
    kiosk.mostDecoded = 0
    kiosk.type("play")
    let (id, first) = (kiosk.jukebox.player.stream.id, Position(track: TrackID(0), frame: 0))
    kiosk.feed(.audio(.playback(.started(stream: id, first, at: kiosk.now + .milliseconds(150)))), then: .seconds(2))
    kiosk.feed(.audio(.outputLost(reason: "device does not answer", first)))
    #expect(kiosk.last(.outputLost)?["frame"] == "0")
    #expect(kiosk.status.frame == 0)
  }

  @Test("P9: Stop keeps the start of the track even when the output turns out to be lost only then")
  func stoppedBeforeTheLossIsKnown() {
    let kiosk = Kiosk()
    kiosk.type("play", then: .seconds(5))
    kiosk.type("stop")
    kiosk.feed(.audio(.outputLost(reason: "gone", Position(track: 0, frame: 5 * Kiosk.rate))))
    #expect(kiosk.status.frame == 0)
    kiosk.type("next")
    kiosk.type("previous")
    kiosk.feed(.audio(.playback(.outputRestored)))
    kiosk.type("play")
    #expect(kiosk.heard == Position(track: 0, frame: 0))
  }

  @Test("K5: a queue that has grown is logged, and moves nothing")
  func queueGrown() {
    let kiosk = Kiosk()
    kiosk.type("play", then: .seconds(1))
    kiosk.forget()
    kiosk.feed(.audio(.playback(.queueGrown(.milliseconds(31)))))
    #expect(kiosk.events.map { $0["queued"] } == ["0.031"])
    #expect(kiosk.eventNames == [.outputDeepened] && kiosk.commands.isEmpty)
  }

  @Test("P11: an underrun is logged; the music stands where it was heard last until it is heard again")
  func underrun() {
    let kiosk = Kiosk()
    kiosk.type("play", then: .seconds(1))
    kiosk.forget()
    let heard = Position(track: 0, frame: Kiosk.rate - 100)
    kiosk.feed(.audio(.playback(.underrun(heard))))
    #expect(kiosk.eventNames == [.outputUnderrun])
    #expect(kiosk.commands.isEmpty)
    kiosk.wait(.seconds(10))
    #expect(kiosk.status.frame == heard.frame)
    kiosk.feed(.audio(.playback(.started(stream: kiosk.jukebox.player.stream.id, heard, at: kiosk.now))))
    kiosk.wait(.seconds(1))
    #expect(kiosk.status.frame == heard.frame + Kiosk.rate)
  }

  @Test("Reports about an older stream are ignored")
  func staleReports() {
    let kiosk = Kiosk()
    kiosk.type("play")
    kiosk.type("next")
    let before = kiosk.jukebox
    kiosk.forget()
    let old = Position(track: 0, frame: 9)
    for report in [
      AudioReport.playback(.started(stream: 1, old, at: kiosk.now)), .playback(.silenced(stream: 1, old)),
      .playback(.ended(stream: 1)),
      .opened(stream: 1, track: 0, TrackTags()), .playback(.began(stream: 1, old, at: kiosk.now)),
      .failed(stream: 1, track: 0, reason: "old"), .brokeOff(stream: 1, old, reason: "old"),
    ] {
      kiosk.feed(.audio(report))
    }
    #expect(kiosk.jukebox == before)
    #expect(kiosk.events.isEmpty)
  }

  @Test("A track that is reported after the music was silenced does not make the position run")
  func lateBeginning() {
    let kiosk = Kiosk()
    kiosk.type("play")
    let id = kiosk.jukebox.player.stream.id
    kiosk.type("play")
    kiosk.feed(.audio(.playback(.began(stream: id, Position(track: 1, frame: 0), at: kiosk.now))), then: .seconds(5))
    #expect(kiosk.status.track == 2)
    #expect(kiosk.status.frame == 0)
  }
}
