import AudioSession

@testable import Jukebox
@testable import JukeboxTestSupport

/// Recovery from any state: once no other client is active, the output is there, a plug is in and all lines have settled,
/// at most two presses of Play start music at its own level, and then a recording and a cue are possible.
extension World {
  /// The violations on the way out of this state.
  func recovered(_ setup: Setup) -> [String] {
    var world = self
    world.violations = []
    world.putRight(setup)
    for _ in 0..<2 where world.engine.phase != .running {
      world.feed(.console("play"), setup)
      world.drain(setup)
    }
    world.hearCuesOut(setup)
    let isStuck = world.engine.phase != .running || world.engine.duck != 0 || world.brain.cues.speech.current != nil
    if isStuck {
      return ["(h) stuck, with \(world.brain.player.transport), duck \(world.engine.duck)"] + world.violations
    }
    // A cue with the client page and an event that keeps happening interrupts the recording, too.
    let isPaged = setup.cues.contains { $0.event != nil && $0.client != "cue" }
    if setup.input != nil && !isPaged { world.record(setup) }
    if let cue = setup.cues.first { world.speak(cue, setup) }
    return world.violations
  }

  private mutating func putRight(_ setup: Setup) {
    drain(setup)
    take(.deviceRepaired, setup)
    take(.deviceOpens, setup)
    for line in setup.contactAndSenseLines {
      if brain.lines[line].debouncer.raw != setup.senseLines.contains(line) { take(.edge(line), setup) }
      if !brain.lines[line].debouncer.isSettled { feed(.timer(.settle(LineID(line))), setup) }
    }
    for name in brain.sessions.standing.sorted() { feed(.console("interrupt end \(name) resume"), setup) }
    if brain.recording.since != nil { feed(.console("record"), setup) }
    drain(setup)
    if brain.routes.route.port == nil || brain.routes.category.needsInput { feed(.category(.playback), setup) }
    drain(setup)
    for timer in [TimerID.outputRetry, .portRetry(.bluetooth)] where timers[timer] != nil { feed(.timer(timer), setup) }
    drain(setup)
    hearCuesOut(setup)
    take(.deviceOpens, setup)
  }

  /// Lets cues end by themselves, or by their limit.
  private mutating func hearCuesOut(_ setup: Setup) {
    for _ in 0..<20 where brain.cues.speech.current != nil {
      if engine.isCueDue { engine.cueBegins(at: now) }
      drain(setup)
      if engine.speaking != nil { engine.cueHeardOut(at: now) } else { feed(.timer(.cueLimit), setup) }
      drain(setup)
    }
  }

  private mutating func record(_ setup: Setup) {
    feed(.console("record"), setup)
    drain(setup)
    if recorder.phase != .capturing { violations.append("(h) nothing can be recorded any more") }
    feed(.console("record"), setup)
    drain(setup)
    hearCuesOut(setup)
    if brain.player.transport.intent == .paused { feed(.console("play"), setup) }
    drain(setup)
    if engine.phase != .running { violations.append("(h) no music after a recording") }
  }

  private mutating func speak(_ cue: Cue, _ setup: Setup) {
    feed(.console("cue \(cue.name)"), setup)
    drain(setup)
    if brain.cues.speech.current == nil { violations.append("(h) no cue can be spoken any more") }
    hearCuesOut(setup)
    if brain.player.transport.intent == .paused { feed(.console("play"), setup) }
    drain(setup)
    if engine.phase != .running || engine.duck != 0 { violations.append("(h) no music after a cue") }
  }
}
