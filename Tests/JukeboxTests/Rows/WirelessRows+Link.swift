import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// A headset whose PCM takes its time to be opened, or whose radio link is silent.
extension WirelessRows {
  /// A headset at DOCK, better than headphones at JACK, which are in.
  private func opening() -> Kiosk {
    let headset = OutputPort(
      port: .bluetooth, sense: .line("DOCK"), priority: 40, isPrivate: true, isWireless: true)
    let kiosk = Kiosk(plugged: ["JACK"], ports: [headset, Kiosk.allPorts[0], Kiosk.allPorts[2]])
    kiosk.engine.opensSlowly = true
    return kiosk
  }

  @Test("B1: a plug that is pulled where the music sounds until the headset is open is silenced at the first edge")
  func pulledMeanwhile() {
    let kiosk = opening()
    kiosk.type("play", then: .seconds(5))
    kiosk.plug("DOCK")
    #expect(kiosk.sounding == .headphones)
    kiosk.forget()
    kiosk.feed(.edge(kiosk.line("JACK"), asserted: false, at: kiosk.now))
    #expect(kiosk.sounding == nil)
    #expect(kiosk.commands == [.vacate(.headphones)])
    kiosk.feed(.edge(kiosk.line("JACK"), asserted: true, at: kiosk.now))
    kiosk.feed(.edge(kiosk.line("JACK"), asserted: false, at: kiosk.now))
    #expect(kiosk.commands == [.vacate(.headphones)])
    kiosk.engine.arrive(at: kiosk.now)
    kiosk.wait(.seconds(1))
    #expect(kiosk.sounding == .bluetooth)
    kiosk.plug("JACK")
    kiosk.unplug("JACK")
    #expect(kiosk.sounding == .bluetooth)
  }

  @Test("B1, D7: a cue alone, too, is silenced at the first edge of the plug that is pulled")
  func cueMeanwhile() {
    let kiosk = opening()
    kiosk.type("cue welcome", then: .seconds(1))
    kiosk.plug("DOCK")
    #expect(kiosk.engine.speaking != nil && kiosk.engine.port == .headphones)
    kiosk.feed(.edge(kiosk.line("JACK"), asserted: false, at: kiosk.now))
    #expect(kiosk.engine.speaking == nil)
    kiosk.engine.arrive(at: kiosk.now)
    #expect(kiosk.engine.speaking != nil && kiosk.engine.port == .bluetooth)
  }

  @Test("B1, R8: the port where the music still sounds is remembered when the route changes once more")
  func twoChanges() {
    let kiosk = opening()
    kiosk.type("play", then: .seconds(5))
    kiosk.plug("DOCK")
    kiosk.type("route speaker")
    #expect(kiosk.sounding == .headphones)
    kiosk.feed(.edge(kiosk.line("JACK"), asserted: false, at: kiosk.now))
    #expect(kiosk.sounding == nil)
    kiosk.engine.arrive(at: kiosk.now)
    kiosk.wait(.seconds(1))
    #expect(kiosk.sounding == .speaker)
  }

  /// Lets the link be silent for as long as it may be: the engine holds the frame that the headset had for sure.
  private func stall(_ kiosk: Kiosk, at frame: Int) {
    kiosk.engine.deviceWorks = false
    kiosk.engine.lose(at: kiosk.now)
    kiosk.engine.frame = frame
    kiosk.engine.reports = []
    kiosk.feed(.audio(.outputLost(reason: Self.silence, kiosk.engine.position(at: kiosk.now))))
  }

  private static let silence = "has taken no frames for too long"
  private static let hadFrame = Kiosk.heldFrame - Kiosk.rate * 4 / 10

  @Test("B3: a silent link holds the music at the frame that the headset had, and logs that")
  func silentLink() {
    let kiosk = playing()
    stall(kiosk, at: Self.hadFrame)
    #expect(kiosk.eventNames == [.outputLost, .portDisconnected, .routeChanged, .playbackPaused, .promptShown])
    #expect(kiosk.last(.outputLost)?["reason"] == Self.silence)
    for name in [EventName.outputLost, .routeChanged, .playbackPaused] {
      #expect(kiosk.last(name)?["frame"] == String(Self.hadFrame), "\(name)")
    }
    #expect(kiosk.status.frame == Self.hadFrame)
    #expect(kiosk.status.holds == [.routeLost])
    #expect(kiosk.sounding == nil)
  }

  @Test("B3, B4: the music goes on there when the link is back before the PCM goes, and when the headset comes anew")
  func linkIsBack() {
    for isWithdrawn in [false, true] {
      let kiosk = playing()
      stall(kiosk, at: Self.hadFrame)
      if isWithdrawn { kiosk.unplug("JACK") }
      kiosk.engine.deviceWorks = true
      if isWithdrawn { kiosk.plug("JACK") } else { kiosk.wait(.seconds(1)) }
      #expect(kiosk.sounding == .bluetooth)
      kiosk.wait(.seconds(3))
      #expect(kiosk.last(.playbackResumed)?["frame"] == String(Self.hadFrame))
      #expect(kiosk.last(.promptAnswered)?["answer"] == "plug")
    }
  }

  @Test("B3: who pauses before the limit has passed goes on at the frame that the headset had")
  func pausedOverSilentLink() {
    let kiosk = playing()
    kiosk.engine.frozenFrame = Self.hadFrame
    kiosk.type("pause")
    #expect(kiosk.status.frame == Self.hadFrame)
    kiosk.engine.frozenFrame = nil
    kiosk.type("play")
    #expect(kiosk.sounding == .bluetooth)
    #expect(kiosk.heard?.frame == Self.hadFrame)
  }
}
