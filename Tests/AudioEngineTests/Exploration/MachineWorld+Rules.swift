import AudioSession
import Board

@testable import AudioEngine

/// The rules for every call, every command and every notice.
extension MachineWorld {
  static let maxCalls = 90

  mutating func check(_ setup: MachineSetup) {
    if machine.state == .refused { history.refusals += 1 }
    demand(history.refusals <= setup.machine.timing.maxRetries + 1, "tries for ever")
    demand(history.futileStarts <= setup.machine.timing.maxFutileStarts + 1, "starts for ever")
    demand(callsNow <= Self.maxCalls, "too many calls without a wait")
    let call = call
    switch call {
    case .takeCommand, .seekEdges, .takeBoundary, .ask: break
    case .wait(let wait): check(wait)
    case .open(let index):
      demand(device == nil, "opens a device before the last one is closed")
      demand(setup.devices.indices.contains(index), "opens output \(index)")
      demand(ahead == nil || ahead == index, "forgets a device that was being opened")
    case .openAhead(let index):
      checkDevice()
      demand(machine.isSounding || machine.isFading, "opens another device while nothing sounds")
      demand(setup.devices[index] != device?.number, "opens a device that is open")
    case .closeAhead(let index): demand(ahead == index || leftOpening == index, "closes what was not being opened")
    case .answer: demand(asked != nil, "expects an answer to nothing")
    case .close: demand(device != nil || asked != nil, "closes nothing")
    case .status, .start, .recover: checkDevice()
    case .rewind(_, let isUrgent):
      checkDevice()
      // Only then may the device run dry: nobody is there to hear it.
      let isEdge = if case .fading(let fading) = machine.state { fading.isDated } else { false }
      demand(isUrgent == isEdge, isUrgent ? "lets the device run dry for no edge" : "leaves more than an edge allows")
      demand(machine.takesBack, "tries again to take back what was refused")
    case .stop:
      checkDevice()
      checkStop()
    case .write(let frames):
      checkDevice()
      check(writing: frames)
    }
  }

  /// The device's thread has the device while it recovers.
  private mutating func checkDevice() {
    let call = call
    demand(device != nil, "\(call) without a device")
    demand(asked == nil, "\(call) before the device has answered")
  }

  /// The output that was left while its device was being opened; nil if that is asked for again, or was closed.
  private var leftOpening: Int? {
    if let late { return late }
    // Nothing else was opened since.
    if case .opening(let index) = asked, machine.output != index { return index }
    return nil
  }

  private mutating func check(_ wait: EngineWait) {
    switch wait {
    case .signal:
      demand(device?.state != .running, "sleeps while the device runs")
      demand(asked == nil || history.isLost, "waits for the device's answer for ever")
    case .until(let due), .device(let due): demand(due > instant, "waits for what is past")
    }
    let isLeaving = machine.pendingRoute != nil
    demand(!isLeaving || machine.progress.isOn, "leaves an output and never arrives")
    let goal = machine.ahead.map { $0.output } ?? machine.output
    demand(isLeaving || machine.held != nil || goal == history.output, "a route is forgotten")
    demand(ahead == (machine.ahead?.output ?? machine.pendingRoute?.output) || ahead == nil, "a device is left open")
    demand(leftOpening == machine.late?.output, "what opens late is never closed")
    demand(machine.late.map { $0.until > instant } ?? true, "what opens late is left open for too long")
    demand(machine.openBy == nil || isLeaving, "remembers when a device was asked for")
    demand(!history.wantsMusic || machine.music.state != .silent, "play is forgotten")
    for name in OutputMachine.both where machine[name].isSounding {
      demand(edges[name] == nil, "R3 \(name) sounds on at an edge while the other voice fades")
    }
    demand(machine.held == nil || machine.music.fade != nil || machine.cue.fade != nil, "keeps a command for nothing")
    if let device, device.state == .running {
      // It took frames for as long as it had room: its buffer, the limit, and a wake-up for each.
      demand(!machine.music.isSounding || device.silentFor <= 9, "plays on over a silent link")
      // A voice that was reported as silent must not be queued.
      for sound in device.queue {
        demand(machine.music.isOn || sound.music == nil, "music is queued that was reported as over")
        demand(machine.cue.isOn || sound.cue == nil, "a cue is queued that was reported as over")
      }
    }
  }

  private mutating func check(writing frames: Int) {
    guard let device else { return }
    demand(frames > 0 && frames <= device.format.bufferFrames, "writes \(frames)")
    if case .filling(let filling) = machine.state, filling.purpose != .fade, let open = machine.device,
      !open.takesBack, machine.cursor < machine.stop
    {
      let queued = device.queue.count - device.onWay + frames
      demand(queued <= machine.depth(of: open), "a change waits for \(queued) frames")
    }
    for time in machine.cursor..<(machine.cursor + max(0, frames)) {
      for name in OutputMachine.both {
        let piece = machine[name].piece(at: time, limit: 1)
        demand(piece.frames == 1, "writes what is not decoded")
        guard case .sound(let index, _) = piece else { continue }
        let decoder = self[decoder: name]
        demand(
          index >= decoder.released && index < decoder.written,
          "writes \(index) of \(decoder.released)..<\(decoder.written)")
        if let fade = machine[name].fade { demand(time < fade.last, "writes behind a fade") }
        let first = decoder.extent(of: machine[name].load).first
        demand(first.map { index >= $0 } ?? false, "writes what is stale")
      }
    }
  }

  /// B1: what sounds goes on until the next device is open or hangs, unless this one is gone.
  mutating func checkLeaving(_ ahead: OutputMachine.Ahead) {
    guard machine.ahead == nil, machine.pendingRoute?.output == ahead.output, case .fading = machine.state else {
      return
    }
    demand(isAheadOpen || instant >= ahead.by || history.isVacated, "falls silent before the next device is open")
  }

  /// A stop is heard unless nothing sounds, so only these states may stop.
  private mutating func checkStop() {
    guard let device else { return }
    switch machine.state {
    case .cutting:
      demand(device.reported > 1, "cut for \(device.queue.count) frames")
      demand(!machine.isSounding, "cut while another sounds")
      let isEdge = OutputMachine.both.contains { machine[$0].fade != nil && self[history: $0].pin != nil }
      demand(isEdge || isEdgeHeld, "cut, and no plug was pulled")
    case .ending:
      let isDead = device.deadFor + device.silentFor > 0
      demand(isDead || device.queue.allSatisfy { $0.isSilent }, "stops what is to be heard")
    case .stopping: break
    case .waiting, .asking, .gathering, .commanding, .hastening, .closing, .opening, .filling, .starting, .started,
      .refused, .emptying, .looking, .recovering, .joining, .changing, .fading, .starving, .resting, .preparing,
      .abandoning:
      violations.append("stops in \(machine.state)")
    }
  }

  /// Whether an edge was reported while a fade runs.
  private var isEdgeHeld: Bool {
    var edges = edges
    if let held = machine.held { edges.note(held) }
    return edges != OutputMachine.Edges()
  }

  /// The frames still heard in full before the fade are few, or another voice needs them.
  mutating func checkKept(_ fading: OutputMachine.Fading) {
    if case .cutting = machine.state { return }
    // Frames kept by a silent radio link are not heard.
    if device?.isLinkSilent ?? false { return }
    let kept = device?.queue.count ?? 0
    demand(kept <= 1 || !fading.isDated || machine.isSounding, "\(kept) frames are heard before the fade")
  }

  /// The end of what is decoded comes before the fade is over.
  mutating func noteShortFade(_ name: MixVoice.Name) {
    guard let fade = machine[name].fade else { return }
    if machine[name].passage.index(at: fade.last) >= machine[name].end { self[history: name].mayClick = true }
  }

  // MARK: - Commands

  mutating func note(_ command: EngineCommand, _ setup: MachineSetup) {
    switch command {
    case .silence:
      history.wantsMusic = false
      history.silences += 1
      pin(command)
    case .pauseCue:
      history.cuePauses += 1
      pin(command)
    case .vacate: history.isVacated = true
    case .route(let index, _):
      history.output = index
      history.isVacated = false
      for name in OutputMachine.both where machine[name].isSounding { self[history: name].moves = true }
    case .release: history.wantsRelease = true
    case .load: musicHistory.mayClick = true
    case .speak:
      // The previous cue is paused first.
      if machine.cue.isSounding { history.cuePauses += 1 }
    case .play: history.wantsMusic = true
    case .gain, .channels, .reopen, .duck, .resumeCue: break
    }
  }

  /// A voice that sounds when a command to silence it comes has to resume where the listener was at its edge.
  mutating func pin(_ command: EngineCommand) {
    switch command {
    case .silence(let edge): if machine.music.isSounding { pin(.music, edge) }
    case .pauseCue(let edge): if machine.cue.isSounding { pin(.cue, edge) }
    case .load, .play, .route, .vacate, .gain, .channels, .reopen, .release, .duck, .speak, .resumeCue: break
    }
  }

  private mutating func pin(_ name: MixVoice.Name, _ edge: Instant?) {
    guard let edge else { return }
    let age = Int((instant - edge).wholeNanoseconds / 1_000_000)
    self[history: name].pin = ([next(of: name)] + self[history: name].recentLows).prefix(age + 1).last
  }

  // MARK: - Notices

  mutating func note(_ notice: OutputMachine.Notice, _ setup: MachineSetup) {
    switch notice {
    case .release(let name, let before, let isLow):
      self[decoder: name].released = max(self[decoder: name].released, before)
      if isLow { sleeping.remove(name) }
    case .failure: history.isExplained = true
    case .report(let report): note(report, setup)
    }
  }

  private mutating func note(_ report: EngineReport, _ setup: MachineSetup) {
    switch report {
    case .playback(.silenced):
      history.silences -= 1
      demand(history.silences >= 0, "silenced unasked")
    case .cuePaused:
      history.cuePauses -= 1
      demand(history.cuePauses >= 0, "paused a cue unasked")
    case .moved(let output): demand(output == machine.output, "moves to \(output ?? -1) and reports another output")
    case .released:
      demand(history.wantsRelease, "released unasked")
      demand(device == nil, "released and open")
      history.wantsRelease = false
    case .outputLost:
      demand(device == nil && history.isExplained && history.hasFailed, "lost without a reason")
      demand(!machine.music.isOn && !machine.music.isPriming, "lost and not silent")
      history.isExplained = false
      history.hasFailed = false
      history.wantsMusic = false
      history.isLost = true
    case .playback(.outputRestored):
      demand(machine.device != nil, "restored and closed")
      history.isLost = false
    case .playback(.outputChanged(let rate, _, _)):
      history.rate = rate
      history.wantsMusic = false
    case .stale(_, let rate), .cueStale(_, let rate): history.rate = rate
    case .playback(.ended):
      let isHeard = isHeard(.music)
      demand(isHeard, "ended before its end")
      history.wantsMusic = false
    case .playback(.began(_, let position, _)):
      let isNext = position.track.number == history.began
      demand(isNext, "track \(position.track) begins twice, or too early")
      let heard = next(of: .music)
      let start = music.extent(of: machine.music.load).starts.dropFirst(position.track.number).first
      demand(setup.frame > 0 || start.map { $0 <= heard } ?? false, "reports a track before it is heard")
      history.began += 1
    case .playback(.cueEnded):
      let isHeard = isHeard(.cue)
      demand(isHeard, "a cue ended early")
    case .playback(.started), .playback(.underrun), .playback(.queueGrown), .playback(.cueStarted), .cueFailed: break
    }
  }

  /// Whether it may be reported as over.
  private func isHeard(_ name: MixVoice.Name) -> Bool {
    let end = self[decoder: name].extent(of: machine[name].load).end
    // A stream without a frame is over at once.
    return end == next(of: name)
  }

  /// A voice that falls silent has to resume where the listener was, or exactly at the edge if there was one.
  mutating func checkHold(_ name: MixVoice.Name, from before: MixVoice) {
    let voice = machine[name]
    if voice.load != before.load {
      self[history: name].begin()
      if name == .music { history.began = 0 }
    }
    guard before.isOn, !voice.isOn, voice.load == before.load, !voice.isAwaitingStream else { return }
    var history = self[history: name]
    // An edge that comes while a fade runs is a few milliseconds old at most.
    let from = history.pin ?? (isEdgeHeld ? history.recentLows.last : nil) ?? next(of: name)
    let queued = device?.queue.filter { name == .music ? $0.music != nil : $0.cue != nil }.count ?? 0
    // How much a lost device had played is not known exactly; frames faded on the way to another output are not heard
    // again.
    let lost = before.fade == nil ? min(queued, device?.deadFor ?? 0) : queued
    let hasLink = !machine.setup.stalls.isEmpty
    // With a radio link nothing is skipped that was lost, and up to a buffer may be heard twice.
    let most =
      (history.pin ?? next(of: name)) + (hasLink && history.pin != nil ? 0 : lost)
      + (history.moves ? machine.fadeFrames : 0)
    // A position that moves in steps may be known one step late: nothing is skipped.
    let least = from - (hasLink ? MachineSetup.size : device?.step ?? 0)
    // Frames that were heard only while it faded in are heard again (R5.1).
    let origin = before.passage.origin
    let fadesInAgain = voice.place == origin && from < origin + machine.fadeFrames
    demand(
      fadesInAgain || (least...most).contains(voice.place), "\(name) is held at \(voice.place), not \(least)...\(most)")
    history.isFresh = false
    history.low = voice.place
    history.recentLows = []
    history.pin = nil
    history.moves = false
    history.isOver = true
    self[history: name] = history
  }
}
