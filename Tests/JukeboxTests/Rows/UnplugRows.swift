import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// P1 to P8: the hold after an unplug, and what ends it.
@Suite struct UnplugRows {
  @Test("P1: it holds as well when the release began while an earlier unplug still held")
  func secondUnplug() {
    let kiosk = Kiosk.held(plugged: ["JACK", "DOCK"])
    kiosk.edge("DOCK", false, then: .milliseconds(10))
    kiosk.type("play")
    #expect(kiosk.sounding == nil)
    kiosk.wait(.milliseconds(20))
    #expect(kiosk.status.route == Route(.speaker))
    #expect(kiosk.status.isPromptShown)
    #expect(kiosk.sounding == nil)
  }

  @Test("P1: it holds as well when headphones only just took over from a dock that leaves")
  func swappedAndPulled() {
    let kiosk = Kiosk(plugged: ["DOCK"])
    kiosk.type("play")
    kiosk.edge("JACK", true, then: .milliseconds(20))
    kiosk.edge("DOCK", false, then: .milliseconds(10))
    #expect(kiosk.sounding == .headphones)
    kiosk.wait(.milliseconds(5))
    kiosk.edge("JACK", false)
    #expect(kiosk.sounding == nil)
    kiosk.wait(.milliseconds(60))
    #expect(kiosk.status.route == Route(.speaker))
    #expect(kiosk.sounding == nil)
    #expect(kiosk.status.isPromptShown)
  }

  @Test("R3, P14: an edge within the fade of a pause, a Stop or a cue's end is given to the engine, once")
  func unplugWithinFade() {
    for commands in [["pause"], ["stop"], ["pause", "cue welcome", "stop"]] {
      let kiosk = Kiosk(plugged: ["JACK"])
      kiosk.type("play", then: .seconds(5))
      commands.dropLast().forEach { kiosk.type($0) }
      // The engine has still to report that it is silent.
      var jukebox = kiosk.jukebox
      _ = jukebox.handle(.console(commands.last ?? ""), at: kiosk.now)
      let moment = kiosk.now + .milliseconds(2)
      func edge(_ asserted: Bool) -> [AudioCommand] {
        jukebox.handle(.edge(kiosk.line("JACK"), asserted: asserted, at: moment), at: moment).compactMap {
          if case .audio(let command) = $0 { command } else { nil }
        }
      }
      #expect(edge(false) == [.silence(edge: moment), .pauseCue(edge: moment)])
      #expect(edge(true).isEmpty)
      #expect(edge(false).isEmpty)
    }
  }

  @Test("P2: a better port that connects takes the music over without a stop")
  func betterPort() {
    let kiosk = Kiosk()
    kiosk.type("play", then: .seconds(2))
    kiosk.forget()
    kiosk.plug("DOCK")
    kiosk.plug("JACK")
    #expect(kiosk.commands == [.route(.lineOut, volume: 60), .route(.headphones, volume: 60)])
    #expect(kiosk.sounding == .headphones)
    #expect(kiosk.heard?.frame == 2 * Kiosk.rate + 60 * Kiosk.rate / 1_000)
    #expect(kiosk.names(.playbackPaused).isEmpty)
  }

  @Test("P3, Q4: a private plug inside the window resumes at the held frame, whichever port it is")
  func resumes() {
    for line in ["JACK", "DOCK"] {
      let kiosk = Kiosk.held()
      kiosk.wait(.seconds(299))
      kiosk.forget()
      kiosk.plug(line)
      #expect(kiosk.sounding == (line == "JACK" ? .headphones : .lineOut))
      #expect(kiosk.heard == Position(track: 0, frame: Kiosk.heldFrame))
      #expect(kiosk.status.holds.isEmpty)
      #expect(kiosk.last(.playbackResumed)?["cause"] == "route-connected")
      #expect(kiosk.last(.promptAnswered)?["answer"] == "plug")
      #expect(!kiosk.status.isPromptShown)
      #expect(kiosk.status.lamp == .on)
      #expect(kiosk.timers[.promptTimeout] == nil)
      #expect(kiosk.timers[.resumeWindow] == nil)
    }
  }

  @Test("P3: without a limit a plug resumes a day later")
  func noLimit() {
    let kiosk = Kiosk.held {
      $0.resumeWindow = .zero
      $0.promptTimeout = .zero
      $0.idleReset = .zero
    }
    kiosk.wait(.seconds(86_400))
    #expect(kiosk.status.isPromptShown)
    kiosk.plug("JACK")
    #expect(kiosk.sounding == .headphones)
    #expect(kiosk.heard?.frame == Kiosk.heldFrame)
  }

  @Test("P3, Q4: a plug that does not bring the route to a private port resumes nothing, and answers the prompt")
  func noPrivateRoute() {
    let kiosk = Kiosk.held()
    kiosk.type("route speaker")
    kiosk.plug("DOCK")
    #expect(kiosk.sounding == nil)
    #expect(kiosk.status.isPromptShown)
    kiosk.plug("JACK")
    #expect(kiosk.sounding == nil)
    #expect(!kiosk.status.isPromptShown)
    #expect(kiosk.status.holds == [.routeLost])
  }

  @Test("P3: a shared port that connects resumes nothing")
  func sharedPlug() {
    var ports = Kiosk.allPorts
    ports[1].isPrivate = false
    let kiosk = Kiosk(plugged: ["JACK"], ports: ports)
    kiosk.type("play")
    kiosk.unplug("JACK")
    kiosk.plug("DOCK")
    #expect(kiosk.status.route == Route(.lineOut))
    #expect(kiosk.sounding == nil)
    #expect(kiosk.status.isPromptShown)
  }

  @Test("P3, P6: on_connect nothing never resumes, and Play still does")
  func onConnectNothing() {
    let kiosk = Kiosk.held { $0.onConnect = .nothing }
    kiosk.plug("JACK")
    #expect(kiosk.sounding == nil)
    #expect(!kiosk.status.isPromptShown)
    kiosk.type("play")
    #expect(kiosk.sounding == .headphones)
    #expect(kiosk.heard?.frame == Kiosk.heldFrame)
  }

  @Test("P4, Q4: after the window a plug starts nothing, and the prompt goes away")
  func afterWindow() {
    let kiosk = Kiosk.held {
      $0.resumeWindow = .seconds(10)
      $0.promptTimeout = .seconds(60)
    }
    kiosk.wait(.seconds(10))
    kiosk.plug("JACK")
    #expect(kiosk.sounding == nil)
    #expect(!kiosk.status.isPromptShown)
    #expect(kiosk.status.holds == [.routeLost])
    #expect(kiosk.last(.promptAnswered)?["answer"] == "plug")
    kiosk.type("play")
    #expect(kiosk.sounding == .headphones)
    #expect(kiosk.heard?.frame == Kiosk.heldFrame)
  }

  @Test("P5: after what the operator has decided, a plug resumes nothing")
  func operatorsWill() {
    for commands in [["stop"], ["next"], ["previous"], ["play", "play"], ["next", "previous"]] {
      let kiosk = Kiosk.held()
      commands.forEach { kiosk.type($0) }
      #expect(!kiosk.status.isPromptShown, "after \(commands)")
      kiosk.plug("JACK")
      #expect(kiosk.sounding == nil, "after \(commands)")
      #expect(kiosk.status.state != .playing, "after \(commands)")
    }
  }

  @Test("P5: next in answer to the prompt moves on without a sound and is logged")
  func nextInsteadOfAnAnswer() {
    let kiosk = Kiosk.held()
    kiosk.type("next")
    #expect(kiosk.status.track == 2)
    #expect(kiosk.status.state == .paused)
    #expect(kiosk.status.holds.isEmpty)
    #expect(kiosk.last(.promptAnswered)?["answer"] == "next")
    kiosk.type("play")
    #expect(kiosk.heard == Position(track: 1, frame: 0))
  }

  @Test("P6: paused or stopped, plugs and unplugs are logged only")
  func loggedOnly() {
    for commands in [[], ["play", "play"], ["play", "stop"]] {
      let kiosk = Kiosk(plugged: ["JACK"])
      commands.forEach { kiosk.type($0) }
      let state = kiosk.status.state
      kiosk.forget()
      kiosk.unplug("JACK")
      kiosk.plug("JACK")
      kiosk.plug("DOCK")
      kiosk.unplug("JACK")
      #expect(Set(kiosk.eventNames) == [.visitBegan, .portConnected, .portDisconnected, .routeChanged])
      #expect(kiosk.status.state == state)
      #expect(kiosk.status.holds.isEmpty)
      #expect(!kiosk.commands.contains(.play))
    }
  }

  @Test("P6: on_connect play starts what was stopped, paused or held, even after the window")
  func onConnectPlay() {
    for (commands, event) in [
      ([], EventName.playbackStarted), (["play", "play"], .playbackResumed), (["play"], .playbackResumed),
    ] {
      let kiosk = Kiosk(plugged: ["JACK"]) {
        $0.onConnect = .play
        $0.resumeWindow = .seconds(1)
      }
      commands.forEach { kiosk.type($0) }
      kiosk.unplug("JACK", then: .seconds(5))
      kiosk.forget()
      kiosk.plug("JACK")
      #expect(kiosk.sounding == .headphones)
      #expect(kiosk.last(event)?["cause"] == "route-connected")
      #expect(!kiosk.status.isPromptShown)
    }
  }

  @Test("P6: on_connect play starts and is logged even while the dock that headphones replace is moving")
  func onConnectPlayWhileMoving() {
    let kiosk = Kiosk(plugged: ["DOCK"]) { $0.onConnect = .play }
    kiosk.edge("JACK", true, then: .milliseconds(20))
    kiosk.edge("DOCK", false, then: .milliseconds(10))
    #expect(kiosk.sounding == .headphones)
    #expect(kiosk.last(.playbackStarted)?["route"] == "headphones")
  }

  @Test("P6: on_connect play starts nothing by a port that does not become the route, nor without music")
  func onConnectPlayLimits() {
    let lower = Kiosk(plugged: ["JACK"]) { $0.onConnect = .play }
    lower.plug("DOCK")
    #expect(lower.sounding == nil)
    let empty = Kiosk(tracks: 0) { $0.onConnect = .play }
    empty.plug("JACK")
    #expect(empty.status.state == .stopped)
    #expect(empty.commands.allSatisfy { $0 != .play })
  }

  @Test("P7: on the speaker the music plays on, whatever is unplugged")
  func onTheSpeaker() {
    let kiosk = Kiosk(plugged: ["JACK", "DOCK"])
    kiosk.type("route speaker")
    kiosk.type("play")
    kiosk.forget()
    kiosk.unplug("JACK")
    kiosk.unplug("DOCK")
    #expect(kiosk.commands.isEmpty)
    #expect(kiosk.sounding == .speaker)
    #expect(kiosk.eventNames == [.portDisconnected, .portDisconnected])
  }
}
