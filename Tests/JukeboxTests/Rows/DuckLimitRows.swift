import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// D5: how long a client may have the music lowered.
@Suite struct DuckLimitRows {
  @Test("D5: no cue speaks for longer than a minute, whatever the engine reports")
  func limit() {
    let kiosk = Kiosk(plugged: ["JACK"])
    kiosk.type("play", then: .seconds(5))
    kiosk.type("cue welcome")
    kiosk.engine.cue = nil
    kiosk.wait(.seconds(60))
    #expect(kiosk.last(.cueEnded)?["reason"] == "limit")
    #expect(!kiosk.status.isDucked)
  }

  @Test("D5: a client that is no cue ducks for a minute at the most, and a cue ducks all the same")
  func stickingDucker() {
    let sign = SessionClient(name: "page", category: .ambient, options: [.duckOthers, .notifyOthers], priority: 20)
    let kiosk = Kiosk(tracks: 20, clients: [sign])
    kiosk.type("play")
    kiosk.plug("PAGE")
    #expect(kiosk.engine.duck == -12)
    kiosk.wait(.seconds(60))
    #expect(kiosk.engine.duck == 0 && !kiosk.status.isDucked)
    #expect(kiosk.last(.duckEnded)?["reason"] == "limit")
    #expect(kiosk.last(.duckEnded)?["by"] == "page")
    kiosk.type("cue welcome")
    #expect(kiosk.engine.duck == -12)
    kiosk.wait(.seconds(4))
    #expect(kiosk.engine.duck == 0)
    #expect(kiosk.last(.duckEnded)?["reason"] == nil, "the cue has ended by itself")
    kiosk.unplug("PAGE")
    kiosk.plug("PAGE")
    #expect(kiosk.engine.duck == -12, "it let go, and asks anew")
    kiosk.type("pause")
    #expect(kiosk.engine.duck == 0)
    kiosk.wait(.seconds(50))
    kiosk.type("play", then: .seconds(59))
    #expect(kiosk.engine.duck == -12, "the limit is that of one duck")
    kiosk.wait(.seconds(2))
    #expect(kiosk.engine.duck == 0)
  }
}
