import AudioSession
import Board

@testable import AudioEngine

/// How a choice changes the world.
extension MachineWorld {
  /// Applies a choice, and all steps after it that leave no choice.
  mutating func take(_ choice: Choice, _ setup: MachineSetup) {
    apply(choice, setup)
    while violations.isEmpty {
      let choices = choices(setup)
      guard choices.count == 1, let only = choices.first, only != .tick, only != .wake else { return }
      apply(only, setup)
    }
  }

  mutating func apply(_ choice: Choice, _ setup: MachineSetup) {
    switch choice {
    case .tick: tick(setup)
    case .oversleep:
      history.hasOverslept = true
      now += 1
      play(setup)
    case .wake: proceed(with: .woken, setup)
    case .decode(let name): if work(name, setup) { proceed(with: .woken, setup) }
    case .post: post(setup)
    case .mishap(let state):
      device?.state = state
      history.hasFailed = true
    case .linkFails:
      device?.isLinkSilent = true
      history.hasFailed = true
    case .result(let result):
      applyToDevice(result, setup)
      proceed(with: result, setup)
    case .dies:
      device?.state = .underrun
      history.hasFailed = true
      history.futileStarts += 1
      proceed(with: .done, setup)
    case .command(let command): obey(command, setup)
    case .load:
      if !isPosted { post(setup) }
      isPosted = false
      obey(.load(stream: 1, number: music.load, rate: history.rate), setup)
    case .speak:
      cue.start(load: cue.load + 1, track: 0, frame: 0, length: setup.cue)
      sleeping.remove(.cue)
      obey(.speak(id: 1, number: cue.load, rate: history.rate), setup)
    case .silence(let edge): obey(.silence(edge: moment(of: edge)), setup)
    case .pauseCue(let edge): obey(.pauseCue(edge: moment(of: edge)), setup)
    case .queue(let command):
      ring = [command]
      pin(command)
      proceed(with: .woken, setup)
    case .race(let name):
      _ = work(name, setup)
      self[decoder: name].wantsFrames = true
      proceed(with: .done, setup)
    }
  }

  func moment(of age: Int64) -> Instant? { instant - .milliseconds(age) }

  private mutating func post(_ setup: MachineSetup) {
    music.start(load: music.load + 1, track: 0, frame: setup.frame, length: setup.tracks[0])
    sleeping.remove(.music)
    isPosted = true
  }

  /// Does a piece of the decoder's work. Returns whether the engine is woken by it.
  private mutating func work(_ name: MixVoice.Name, _ setup: MachineSetup) -> Bool {
    let wakes = self[decoder: name].work(tracks: name == .music ? setup.tracks : [setup.cue])
    if !self[decoder: name].isBusy { sleeping.insert(name) }
    return wakes
  }

  private mutating func obey(_ command: EngineCommand, _ setup: MachineSetup) {
    commandsNow += 1
    proceed(with: .command(command), setup)
  }

  private mutating func tick(_ setup: MachineSetup) {
    now += 1
    play(setup)
    switch call {
    case .wait(.until(let due)), .wait(.device(let due)): if due <= instant { proceed(with: .woken, setup) }
    case .wait(.signal), .takeCommand, .seekEdges, .takeBoundary, .ask, .open, .answer, .close, .openAhead, .closeAhead,
      .status, .rewind, .write, .stop, .start, .recover:
      break
    }
  }

  /// Applies the effects of a call with this result to the device.
  private mutating func applyToDevice(_ result: OutputMachine.CallResult, _ setup: MachineSetup) {
    if result == .failed || result == .pending { history.hasFailed = true }
    switch call {
    case .wait, .seekEdges, .status: break
    case .takeCommand: if !ring.isEmpty { ring.removeFirst() }
    case .takeBoundary(let name):
      guard !self[decoder: name].boundaries.isEmpty else { return }
      self[decoder: name].boundaries.removeFirst()
      sleeping.remove(name)
    case .ask(let name): self[decoder: name].wantsFrames = true
    case .open(let index):
      ahead = nil
      if case .opening(let left) = asked, setup.devices[left] != setup.devices[index] { late = left }
      if late.map({ setup.devices[$0] == setup.devices[index] }) ?? false { late = nil }
      asked = .opening(index)
      answer(result, setup)
    case .answer: answer(result, setup)
    case .close:
      cutOff()
      device = nil
      asked = nil
      history.refusals = 0
      history.futileStarts = 0
    case .openAhead(let index):
      if ahead == nil { isAheadOpen = false }
      if late.map({ setup.devices[$0] == setup.devices[index] }) ?? false { late = nil }
      ahead = index
      if result == .done { isAheadOpen = true }
    case .closeAhead(let index): if ahead == index { ahead = nil } else { forget(index) }
    case .rewind:
      if case .count(let count) = result { device?.queue.removeLast(count) }
      if result == .refused {
        device?.state = .underrun
        history.hasFailed = true
        for name in OutputMachine.both { breakOff(name) }
      }
    case .write(let frames):
      guard case .count(let count) = result else { return }
      if count > 0 { history.refusals = 0 }
      if count < min(frames, device?.room ?? 0) { history.wasRefused = true }
      write(count)
    case .stop:
      guard result == .done else { return }
      empty()
      if device?.state == .prepared { device?.state = .underrun }
    case .recover:
      asked = .recovering
      answer(result, setup)
    case .start:
      guard result == .done, device?.state == .prepared else { return }
      device?.state = .running
    }
  }

  private mutating func forget(_ index: Int) {
    late = nil
    if asked == .opening(index) { asked = nil }
  }

  private mutating func answer(_ result: OutputMachine.CallResult, _ setup: MachineSetup) {
    guard result != .pending, let asked else { return }
    self.asked = nil
    switch (asked, result) {
    case (.opening(let index), .opened(let opened)):
      device = ModelDevice(
        number: setup.devices[index], format: opened.format, step: opened.cardClass.step, latency: setup.latency)
    case (.recovering, .done): empty()
    default: break
    }
  }

  private mutating func empty() {
    cutOff()
    device?.prepare()
  }

  private mutating func write(_ count: Int) {
    if count == 0 { history.hasFailed = true }
    for time in machine.cursor..<(machine.cursor + count) {
      let sound = ModelDevice.Sound(music: part(.music, at: time), cue: part(.cue, at: time))
      device?.queue.append(sound)
    }
  }

  func part(_ name: MixVoice.Name, at time: Int) -> ModelDevice.Sound.Part? {
    guard case .sound(let index, _) = machine[name].piece(at: time, limit: 1) else { return nil }
    return ModelDevice.Sound.Part(index: index, gain: machine[name].gains.fade.gain(at: time))
  }

  // MARK: - The machine

  private mutating func proceed(with result: OutputMachine.CallResult, _ setup: MachineSetup) {
    if case .command(let command?) = result { note(command, setup) }
    if case .wait = call {
      callsNow = 0
      waits += 1
      commandsNow = 0
      history.wasRefused = false
      history.hasOverslept = false
    }
    callsNow += 1
    let before = (state: machine.state, music: machine.music, cue: machine.cue, ahead: machine.ahead)
    call = machine.next(result, decoded: OutputMachine.Decoded(music: music.written, cue: cue.written), at: instant)
    if case .fading(let fading) = before.state, result != .failed { checkKept(fading) }
    for (name, voice) in [(MixVoice.Name.music, before.music), (.cue, before.cue)] {
      if case .fading = machine.state { continue }
      if voice.fade != machine[name].fade { noteShortFade(name) }
    }
    if let ahead = before.ahead { checkLeaving(ahead) }
    checkHold(.music, from: before.music)
    checkHold(.cue, from: before.cue)
    var count = 0
    while let notice = machine.notices.take() {
      note(notice, setup)
      count += 1
    }
    demand(count <= NoticeQueue.capacity, "\(count) notices at once")
    check(setup)
  }
}
