import AudioSession
import Board
import Jukebox

/// From the wish to sound to the first frame: waits for the decoder, fills the device, starts it.
extension OutputMachine {
  enum Readiness: Hashable, Sendable {
    case waits
    case primed
    /// Nothing was left to sound.
    case over
  }

  mutating func readiness(of name: MixVoice.Name, _ device: Device) -> Readiness {
    guard !self[name].isAwaitingStream else { return .waits }
    if let end = self[name].boundaries.end, self[name].place >= end {
      if name == .music { reportTracks(upTo: music.place, at: now) }
      finish(name)
      return .over
    }
    return isPrimed(name, device) ? .primed : .waits
  }

  private mutating func isPrimed(_ name: MixVoice.Name, _ device: Device) -> Bool {
    self[name].isPrimed(for: device.format.bufferFrames, patience: timing.decoderPatience, at: now)
  }

  // MARK: - Beside a voice that sounds

  /// Puts a voice that is ready on the timeline of the running device, before what is queued; nil if there is none.
  mutating func join(_ device: Device, _ status: PCMStatus) -> Call? {
    guard pendingRoute == nil else { return nil }
    for name in Self.both where self[name].isPriming {
      switch readiness(of: name, device) {
      case .waits: continue
      case .over: return again()
      case .primed: return takeBackLater(status, for: .joining(name, status))
      }
    }
    return nil
  }

  mutating func join(_ answer: Answer, _ name: MixVoice.Name, _ status: PCMStatus) -> Call {
    guard let taken = answer.count else { return unread(answer) }
    cursor -= taken
    begin(name)
    if name == .music {
      var left = status
      left.queued -= taken
      reportStart(of: music.passage.start, left)
    }
    return again()
  }

  /// A clip comes in when the music has made way for it.
  private mutating func begin(_ name: MixVoice.Name) {
    var time = cursor
    if name == .clip, music.isOn { time = max(time, music.gains.duck.steady(), music.fade?.last ?? time) }
    self[name].begin(at: time, fadeFrames: fadeFrames)
  }

  /// - Parameter time: the timeline's index with whose frame the music is heard to start.
  private mutating func reportStart(of time: Int, _ status: PCMStatus) {
    guard let position = music.boundaries.position(at: music.passage.origin) else { return }
    let instant = status.at + .covering(frames: max(0, time - reached(status)), rate: rate)
    let heard = Position(track: position.track, frame: boardFrame(position.frame))
    report(.started(stream: music.stream, heard, at: instant))
  }

  // MARK: - With the device

  mutating func start(_ device: Device) -> Call {
    for name in Self.both {
      // Nobody has heard it on its way.
      self[name].gains.volume.settle()
      if self[name].isPriming && !self[name].isAwaitingStream && isPrimed(name, device) { begin(name) }
    }
    progress.begin(at: cursor, now)
    let size = device.format.bufferFrames
    return fill(Filling(purpose: .start, room: size, free: size))
  }

  mutating func hasStarted(_ answer: Answer) -> Call {
    guard answer == .done else { return unread(answer) }
    refusals = 0
    return call(.status, .started)
  }

  mutating func runs(_ answer: Answer) -> Call {
    guard let status = answer.status else { return unread(answer) }
    progress.isUnpaced = status.state == .running && status.queued <= 0 && cursor - progress.start > fadeFrames
    if music.isSounding {
      reportStart(of: progress.start, status)
    }
    return again()
  }

  /// The device took nothing: is it ready at all?
  mutating func refused() -> Call {
    stand(at: progress.start)
    refusals += 1
    return call(.status, .refused)
  }

  mutating func empty(_ answer: Answer) -> Call {
    guard let status = answer.status else { return unread(answer) }
    switch status.state {
    case .prepared: return tryLater()
    case .running: return call(.drop, .emptying)
    case .underrun, .suspended: return call(.recover, .emptying)
    case .disconnected: return fail(.gone)
    }
  }

  mutating func isEmptied(_ answer: Answer) -> Call { answer == .done ? tryLater() : unread(answer) }

  private mutating func tryLater() -> Call {
    refusals > timing.mostRetries ? lose(.refuses) : wait(.until(now + timing.retry))
  }
}
