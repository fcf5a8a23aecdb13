import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

@Suite struct KnobRows {
  private static let volume = Knob(name: "VOLUME")

  private func kiosk(
    _ knob: Knob = volume, plugged: Set<String> = [], names: [String]? = nil,
    _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let kiosk = Kiosk(plugged: plugged, knobs: [knob], names: names) {
      $0.startVolume = 20
      change(&$0)
    }
    kiosk.feed(.knob(KnobID(0), .position(a: false, b: false, at: kiosk.now)))
    kiosk.forget()
    return kiosk
  }

  @Test("G1, G5: the sound follows each detent, and the log has one line when the knob has rested")
  func oneLine() {
    let kiosk = kiosk()
    kiosk.turn(1)
    #expect(kiosk.status.volume == 25)
    kiosk.turn(2)
    #expect(kiosk.status.volume == 35)
    #expect(kiosk.eventNames == [.visitBegan])
    kiosk.wait(.milliseconds(299))
    #expect(kiosk.names(.knobTurned).isEmpty)
    kiosk.wait(.milliseconds(1))
    let line = kiosk.last(.knobTurned)
    #expect(line?["knob"] == "VOLUME" && line?["turns"] == "volume")
    #expect(line?["from"] == "20" && line?["to"] == "35" && line?["steps"] == "3")
    kiosk.wait(.seconds(60))
    #expect(kiosk.names(.knobTurned).count == 1)
    #expect(kiosk.names(.volumeChanged).isEmpty)
    #expect(kiosk.timers.keys.allSatisfy { if case .knob = $0 { false } else { true } })
  }

  @Test("G5: a turn that goes on has a line each second, from where the one before ended")
  func eachSecond() {
    let kiosk = kiosk()
    for _ in 0..<25 {
      kiosk.turn(1, then: .milliseconds(80))
      kiosk.turn(-1, then: .milliseconds(20))
    }
    kiosk.turn(1, then: .seconds(1))
    let lines = kiosk.names(.knobTurned)
    #expect(lines.count == 3 || lines.count == 4)
    for (line, next) in zip(lines, lines.dropFirst()) { #expect(line["to"] == next["from"]) }
    #expect(lines.compactMap { $0["steps"].flatMap { Int($0) } }.reduce(0, +) == 1)
  }

  @Test("G4: nothing winds up beyond ceiling and floor")
  func noWindUp() {
    let kiosk = kiosk()
    kiosk.turn(40)
    #expect(kiosk.status.volume == 50)
    kiosk.turn(-1)
    #expect(kiosk.status.volume == 45)
    kiosk.turn(-30)
    #expect(kiosk.status.volume == 0)
    kiosk.turn(1)
    #expect(kiosk.status.volume == 5)
  }

  @Test("G3, G3.1: reversed, by other points, and faster where the board file says so")
  func settings() {
    let reversed = kiosk(Knob(name: "VOLUME", isReversed: true))
    reversed.turn(-2)
    #expect(reversed.status.volume == 30)
    let points = kiosk(Knob(name: "VOLUME", use: .volume(points: 2)))
    points.turn(3)
    #expect(points.status.volume == 26)
    let faster = kiosk(Knob(name: "VOLUME", use: .volume(points: 1), isFaster: true))
    faster.turn(3, every: .milliseconds(41))
    #expect(faster.status.volume == 23)
    faster.wait(.seconds(1))
    faster.turn(3, every: .milliseconds(30))
    #expect(faster.status.volume == 28)
    faster.wait(.seconds(1))
    faster.turn(3, every: .milliseconds(19))
    #expect(faster.status.volume == 37)
    // The first one back counts once.
    faster.turn(-1, every: .milliseconds(19))
    #expect(faster.status.volume == 36)
    let slow = kiosk(Knob(name: "VOLUME", use: .volume(points: 1)))
    slow.turn(30, every: .milliseconds(10))
    #expect(slow.status.volume == 50)
  }

  @Test("G2, R11: power on, a sleep and lost edges are positions and no turns")
  func positions() {
    let kiosk = kiosk()
    kiosk.turn(1)
    kiosk.feed(.woke(asserted: [], slept: .zero))
    #expect(kiosk.last(.knobTurned)?["steps"] == "1")
    kiosk.feed(.knob(KnobID(0), .position(a: true, b: true, at: kiosk.now)))
    #expect(kiosk.status.volume == 25)
    kiosk.wait(.milliseconds(5))
    // On to where it rests: half a detent, which was begun asleep.
    kiosk.edges([(.a, false), (.b, false)])
    #expect(kiosk.status.volume == 25)
    kiosk.turn(1)
    #expect(kiosk.status.volume == 30)
    kiosk.wait(.milliseconds(10))
    let edges = kiosk.cycle(isUp: true, every: .milliseconds(1))
    kiosk.feed(.knob(KnobID(0), .edges(edges, isComplete: false)))
    #expect(kiosk.status.volume == 30)
    kiosk.wait(.milliseconds(10))
    kiosk.turn(1)
    #expect(kiosk.status.volume == 35)
  }

  @Test("G6, K2: a turn that is under way when the route changes ends there, and begins anew when it has rested")
  func routeChange() {
    let kiosk = kiosk()
    kiosk.turn(2)
    kiosk.plug("JACK")
    #expect(kiosk.status.route.port == .headphones)
    kiosk.turn(3)
    #expect(kiosk.status.volume == 20)
    kiosk.wait(.milliseconds(300))
    let lines = kiosk.names(.knobTurned)
    #expect(lines.map { $0["steps"] } == ["2", "3"])
    #expect(lines.map { $0["ignored"] } == [nil, "route-changed"])
    #expect(lines.first?["to"] == "30")
    kiosk.turn(1)
    #expect(kiosk.status.volume == 25)
  }

  @Test("G6, G6.1, P1: a track is not turned to at another port by a turn that began before the unplug")
  func unplugged() {
    let kiosk = kiosk(Knob(name: "TRACK", use: .track), plugged: ["JACK"])
    kiosk.type("play", then: .seconds(5))
    kiosk.turn(1)
    #expect(kiosk.status.track == 2)
    kiosk.edge("JACK", false)
    kiosk.turn(1)
    // While the plug moves it is Next, without a sound.
    #expect(kiosk.status.track == 3)
    #expect(kiosk.sounding == nil)
    kiosk.wait(.milliseconds(20))
    kiosk.turn(-1)
    #expect(kiosk.status.track == 3)
    kiosk.wait(.seconds(1))
    #expect(kiosk.last(.knobTurned)?["ignored"] == "unplugged")
    #expect(kiosk.status.isPromptShown)
    kiosk.turn(-1)
    #expect(kiosk.status.track == 2)
    #expect(!kiosk.status.isPromptShown && kiosk.sounding == nil)
    #expect(kiosk.last(.promptAnswered)?["answer"] == "previous")
  }

  @Test("G7: a knob turns tracks, playlists and places, with one line each")
  func uses() {
    let track = kiosk(Knob(name: "K", use: .track))
    track.turn(2, then: .seconds(1))
    #expect(track.status.track == 3)
    #expect(track.last(.knobTurned)?["from"] == "1" && track.last(.knobTurned)?["to"] == "3")

    let playlist = kiosk(Knob(name: "K", use: .playlist), names: Kiosk.folders)
    playlist.turn(1)
    #expect(playlist.status.playlist == "deutsch")
    playlist.turn(1)
    #expect(playlist.status.playlist == "english")
    playlist.turn(1)
    #expect(playlist.status.playlist == "deutsch")
    playlist.turn(-1)
    #expect(playlist.status.playlist == "english")
    #expect(playlist.status.state == .stopped)
    playlist.wait(.seconds(1))
    #expect(playlist.names(.playlistChanged).isEmpty)
    #expect(playlist.last(.knobTurned)?["to"] == "english" && playlist.last(.knobTurned)?["steps"] == "2")
    // It came from all the music, not from the folder that it reached first.
    #expect(playlist.last(.knobTurned)?["from"] == "all")

    let seek = kiosk(Knob(name: "K", use: .seek(.seconds(5))))
    seek.type("play", then: .seconds(10))
    seek.forget()
    seek.turn(2, then: .seconds(1))
    #expect(seek.names(.playbackMoved).isEmpty)
    let (from, to) = (seek.last(.knobTurned)?["from"], seek.last(.knobTurned)?["to"])
    let moved = (to.flatMap { Int($0) } ?? 0) - (from.flatMap { Int($0) } ?? 0)
    #expect(moved >= 10 * Kiosk.rate && moved < 11 * Kiosk.rate)
  }

  @Test("G8: a storm on its lines is reported once, and is no use of the kiosk")
  func storm() {
    let kiosk = kiosk { $0.idleReset = .seconds(60) }
    kiosk.turn(1, then: .seconds(1))
    for index in 0..<70_000 {
      kiosk.wait(.milliseconds(1))
      let edge = KnobEdge(index % 2 == 0 ? .a : .b, asserted: index % 4 < 2, at: kiosk.now)
      // Both lines, in an order that no knob makes.
      kiosk.feed(.knob(KnobID(0), .edges([edge, KnobEdge(.a, asserted: false, at: kiosk.now)], isComplete: true)))
    }
    #expect(kiosk.names(.lineStuck).map { $0["line"] } == ["VOLUME"])
    #expect(kiosk.names(.knobTurned).count == 1)
    #expect(kiosk.names(.visitEnded).count == 1)
  }

  @Test("G8: a storm of which the kernel loses edges is reported, too")
  func lossyStorm() {
    let kiosk = kiosk()
    for index in 0..<20_000 {
      kiosk.wait(.milliseconds(1))
      let edge = KnobEdge(.a, asserted: index % 2 == 0, at: kiosk.now)
      kiosk.feed(.knob(KnobID(0), .edges([edge], isComplete: false)))
    }
    #expect(kiosk.names(.lineStuck).map { $0["line"] } == ["VOLUME"] && kiosk.names(.knobTurned).isEmpty)
  }

  @Test("V1, K8: turning a knob begins a visit, and counts as use")
  func visit() {
    let kiosk = kiosk { $0.idleReset = .seconds(60) }
    kiosk.turn(1)
    #expect(kiosk.last(.visitBegan)?["by"] == "knob")
    kiosk.wait(.seconds(50))
    kiosk.turn(1, then: .seconds(50))
    #expect(kiosk.status.volume == 30)
    kiosk.wait(.seconds(10))
    #expect(kiosk.status.volume == 20)
    #expect(kiosk.last(.visitEnded)?["reason"] == "idle")
  }
}
