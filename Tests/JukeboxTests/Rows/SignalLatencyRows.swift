import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// E1, E2: the engine knows of a first frame before it is heard, because it is still on its way through the card.
@Suite struct SignalLatencyRows {
  private let kiosk: Kiosk

  init() {
    let signals = [
      ("BUSY", OutputSignal(whileAny: [.playing])), ("ONE", OutputSignal(whileAny: [.track(.number(1))])),
      ("PAIR", OutputSignal(whileAny: [.track(.number(1)), .track(.number(2))])),
      ("TWO", OutputSignal(whileAny: [.track(.number(2))])),
    ]
    kiosk = Kiosk(plugged: ["JACK"], selectors: signals.map { Line(name: $0, role: .signal($1)) })
    kiosk.forget()
  }

  /// The engine says that this track is heard 200 ms from now on.
  private func announce(_ track: TrackID) {
    let (id, heard) = (kiosk.jukebox.player.stream.id, kiosk.now + .milliseconds(200))
    let position = Position(track: track, frame: 0)
    kiosk.feed(.audio(.playback(.started(stream: id, position, at: heard))))
    kiosk.feed(.audio(.playback(.began(stream: id, position, at: heard))))
  }

  private func bounce() {
    kiosk.edge("JACK", false, then: .milliseconds(10))
    kiosk.edge("JACK", true, then: .milliseconds(40))
  }

  @Test("E1, R5: what bounce silences before its first frame was heard has not begun, and begins when it goes on")
  func bounceBeforeFirstFrame() {
    kiosk.mostDecoded = 0
    kiosk.type("play")
    announce(TrackID(0))
    kiosk.wait(.milliseconds(50))
    bounce()
    kiosk.wait(.milliseconds(900))
    #expect(kiosk.signalEdges == [])
    announce(TrackID(0))
    kiosk.wait(.seconds(1))
    #expect(kiosk.signalEdges == ["1.200 BUSY on", "1.200 ONE on", "1.200 PAIR on"])
  }

  @Test("E1: nor has what is paused, or loses its output, before its first frame was heard")
  func endBeforeFirstFrame() {
    kiosk.mostDecoded = 0
    for end in [{ kiosk.type("pause") }, { kiosk.engine.lose(at: kiosk.now) }] {
      kiosk.type("play")
      announce(TrackID(0))
      end()
      kiosk.feed(.health(.linesDropped(0)), then: .seconds(1))
    }
    #expect(kiosk.signalEdges == [])
  }

  @Test("E2, E4.1: behind a skip, bounce before the next track's first frame ends nothing that goes on")
  func bounceBehindSkip() {
    kiosk.type("play", then: .seconds(1))
    kiosk.forget()
    kiosk.mostDecoded = 0
    kiosk.type("next")
    announce(TrackID(1))
    kiosk.wait(.milliseconds(50))
    bounce()
    #expect(kiosk.signalEdges == ["1.000 ONE off"])
    announce(TrackID(1))
    kiosk.wait(.seconds(1))
    #expect(kiosk.signalEdges == ["1.000 ONE off", "1.300 TWO on"])
    // A condition that held before the skip began long ago: it does not begin once more.
    kiosk.type("pause")
    #expect(kiosk.signals.keys.sorted() == ["PAIR", "TWO"])
  }
}
