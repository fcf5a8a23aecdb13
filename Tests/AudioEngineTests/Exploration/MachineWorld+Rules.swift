import AudioSession
import Board

@testable import AudioEngine

/// What has to be true of every call, every command and every word.
extension MachineWorld {
  static let mostCalls = 90

  mutating func check(_ setup: MachineSetup) {
    if machine.state == .refused { book.refusals += 1 }
    demand(book.refusals <= setup.machine.timing.mostRetries + 1, "tries for ever")
    demand(book.futileStarts <= setup.machine.timing.mostFutileStarts + 1, "starts for ever")
    if machine.state == .faded { noteShortFades() }
    demand(callsNow <= Self.mostCalls, "calls and calls without a wait")
    let call = call
    switch call {
    case .takeCommand, .takeBoundary, .ask: break
    case .wait(let wait): check(wait)
    case .open(let index):
      demand(device == nil, "opens a device before the last one is closed")
      demand(setup.devices.indices.contains(index), "opens output \(index)")
    case .close, .status, .rewind, .start, .recover: demand(device != nil, "\(call) without a device")
    case .drop:
      demand(device != nil, "drop without a device")
      checkDrop()
    case .write(let frames):
      demand(device != nil, "write without a device")
      check(writing: frames)
    }
  }

  private mutating func check(_ wait: OutputMachine.Wait) {
    switch wait {
    case .signal:
      demand(device?.state != .running, "sleeps while the device runs")
    case .until(let due), .device(let due): demand(due > instant, "waits for what is past")
    }
    let isLeaving = machine.pendingRoute != nil
    demand(!isLeaving || machine.progress.isOn, "leaves an output and never arrives")
    demand(isLeaving || machine.held != nil || machine.output == book.output, "a route is forgotten")
    demand(!book.wantsMusic || machine.music.state != .silent, "play is forgotten")
    demand(machine.held == nil || machine.music.fade != nil || machine.clip.fade != nil, "keeps a command for nothing")
    if let device, device.state == .running {
      // Told to be silent means silent.
      for sound in device.queue {
        demand(machine.music.isOn || sound.music == nil, "music is queued that was told to be over")
        demand(machine.clip.isOn || sound.clip == nil, "a clip is queued that was told to be over")
      }
    }
  }

  private mutating func check(writing frames: Int) {
    guard let device else { return }
    demand(frames > 0 && frames <= device.format.bufferFrames, "writes \(frames)")
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

  /// A drop is heard, unless nothing sounds; only these may.
  private mutating func checkDrop() {
    guard let device else { return }
    switch machine.state {
    case .cutting(let fading):
      let limit = fading.isDated ? 1 : 2
      demand(device.queue.count > limit, "cut for \(device.queue.count) frames")
      demand(fading.isDated || !machine.isSounding, "cut while another sounds")
      for name in OutputMachine.both { self[book: name].mayClick = true }
    case .ending: demand(device.queue.allSatisfy { $0.isSilent || device.deadFor > 0 }, "drops what is to be heard")
    case .emptying: break
    case .waiting, .asking, .gathering, .commanding, .closing, .opening, .filling, .starting, .started, .refused,
      .looking, .recovering, .joining, .changing, .fading, .faded, .restarting, .starving, .resting:
      complaints.append("drops in \(machine.state)")
    }
  }

  /// What is still heard in full before the fade is short, or somebody else needs it.
  mutating func checkKept(_ fading: OutputMachine.Fading) {
    if case .cutting = machine.state { return }
    let kept = device?.queue.count ?? 0
    let isShort = kept <= (fading.isDated ? 1 : 2)
    demand(isShort || !fading.isDated && machine.isSounding, "\(kept) frames are heard before the fade")
  }

  /// The end of what is decoded comes before the fade is over.
  private mutating func noteShortFades() {
    for name in OutputMachine.both {
      guard let fade = machine[name].fade else { continue }
      if machine[name].passage.index(at: fade.last) >= machine[name].end { self[book: name].mayClick = true }
    }
  }

  // MARK: - Commands

  mutating func note(_ command: EngineCommand, _ setup: MachineSetup) {
    switch command {
    case .silence(let edge):
      book.wantsMusic = false
      book.silences += 1
      if machine.music.isSounding { pin(.music, edge) }
    case .pauseClip(let edge):
      book.clipPauses += 1
      if machine.clip.isSounding { pin(.clip, edge) }
    case .route(let index, _):
      book.output = index
      for name in OutputMachine.both where machine[name].isSounding { self[book: name].moves = true }
    case .release: book.wantsRelease = true
    case .load: musicBook.mayClick = true
    case .speak:
      // The clip before is clipPaused.
      if machine.clip.isSounding { book.clipPauses += 1 }
    case .play: book.wantsMusic = true
    case .gain, .reopen, .duck, .resumeClip: break
    }
  }

  /// Where the listener was at the edge, there it is to go on.
  private mutating func pin(_ name: MixVoice.Name, _ edge: Instant?) {
    guard let edge else { return }
    let age = Int((instant - edge).wholeNanoseconds / 1_000_000)
    self[book: name].pin = ([next(of: name)] + self[book: name].history).prefix(age + 1).last
  }

  // MARK: - Words

  mutating func hear(_ word: OutputMachine.Notice, _ setup: MachineSetup) {
    switch word {
    case .release(let name, let before, let isLow):
      self[decoder: name].released = max(self[decoder: name].released, before)
      if isLow { sleeping.remove(name) }
    case .failure: book.isExplained = true
    case .report(let report): hear(report, setup)
    }
  }

  private mutating func hear(_ report: EngineReport, _ setup: MachineSetup) {
    switch report {
    case .silenced:
      book.silences -= 1
      demand(book.silences >= 0, "silenced unasked")
    case .clipPaused:
      book.clipPauses -= 1
      demand(book.clipPauses >= 0, "clipPaused unasked")
    case .released:
      demand(book.wantsRelease, "released unasked")
      demand(device == nil, "released and open")
      book.wantsRelease = false
    case .outputLost:
      demand(device == nil && book.isExplained && book.hasFailed, "lost without a reason")
      demand(!machine.music.isOn && !machine.music.isPriming, "lost and not silent")
      book.isExplained = false
      book.hasFailed = false
      book.wantsMusic = false
      book.isLost = true
    case .outputRestored:
      demand(machine.device != nil, "restored and closed")
      book.isLost = false
    case .outputChanged(let rate, _, _):
      book.rate = rate
      book.wantsMusic = false
    case .stale(_, let rate), .clipStale(_, let rate): book.rate = rate
    case .ended:
      let isHeard = isHeard(.music)
      demand(isHeard, "ended before its end")
      book.wantsMusic = false
    case .began(_, let position, _):
      let isNext = position.track == book.began
      demand(isNext, "track \(position.track) begins twice, or too early")
      let heard = next(of: .music)
      let start = music.extent(of: machine.music.load).starts.dropFirst(position.track).first
      demand(setup.frame > 0 || start.map { $0 <= heard } ?? false, "told of a track before it is heard")
      book.began += 1
    case .clipEnded:
      let isHeard = isHeard(.clip)
      demand(isHeard, "a clip ended early")
    case .started, .underrun, .clipStarted, .clipFailed: break
    }
  }

  /// Whether it may be told to be over.
  private func isHeard(_ name: MixVoice.Name) -> Bool {
    let end = self[decoder: name].extent(of: machine[name].load).end
    // A stream without a frame is over at once.
    return end == next(of: name)
  }

  /// A voice that falls silent is to go on where the listener was, or at the edge; then nothing else will do.
  mutating func follow(_ name: MixVoice.Name, from before: MixVoice) {
    let voice = machine[name]
    if voice.load != before.load {
      self[book: name].begin()
      if name == .music { book.began = 0 }
    }
    guard before.isOn, !voice.isOn, voice.load == before.load, !voice.isAwaitingStream else { return }
    var book = self[book: name]
    let from = book.pin ?? next(of: name)
    let queued = device?.queue.filter { name == .music ? $0.music != nil : $0.clip != nil }.count ?? 0
    // What a device takes with it, nobody knows exactly; what fades on its way to another output is not heard again.
    let lost = before.fade == nil ? min(queued, device?.deadFor ?? 0) : queued
    let most = from + lost + (book.moves ? machine.fadeFrames : 0)
    demand((from...most).contains(voice.place), "\(name) is held at \(voice.place), not \(from)...\(most)")
    book.isFresh = false
    book.low = voice.place
    book.history = []
    book.pin = nil
    book.moves = false
    book.isOver = true
    self[book: name] = book
  }
}
