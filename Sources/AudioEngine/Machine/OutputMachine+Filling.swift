import Board

/// Moving frames from the rings to the device.
extension OutputMachine {
  /// Writes up to `room` frames, and after the last of all voices some silence, so that a device that plays on past its
  /// data plays nothing old.
  mutating func fill(_ filling: Filling) -> Call {
    let frames = filling.isFull ? 0 : piece(filling)
    if frames > 0 { return call(.write(frames), .filling(filling)) }
    let heard = progress.isOn ? min(progress.heard, cursor, lastTaken ?? .max) : cursor
    for name in Self.both { release(name, heard: heard) }
    switch filling.purpose {
    case .start: return cursor == progress.start ? handleRefusal() : call(.start, .starting)
    case .fade: return beginPass()
    case .prove(let status): return endLast(status)
    case .keep:
      if isStalled { return stall() }
      return filling.isFull ? call(.status, .resting(isFull: true)) : starve(after: nil, hasCome: false)
    }
  }

  mutating func didFill(_ result: CallResult, _ filling: Filling) -> Call {
    guard let taken = result.count else { return fail(after: result) }
    cursor += taken
    progress.noteAccepted(upTo: cursor, now)
    var filling = filling
    filling.free -= taken
    // The device plays on while it is filled. Chasing the last frame of room would never end if a write took as long as
    // a frame.
    filling.isFull = taken == 0 || (filling.free <= 0 && taken < min(shortestWait, filling.room))
    filling.room -= taken
    if case .prove(var status) = filling.purpose {
      status.queued += taken
      filling.purpose = .prove(status)
    }
    return fill(filling)
  }

  /// The end of what is written: the last frame of all voices, and the silence after it. A device that keeps frames
  /// behind its buffer, as a headset does, would run dry before the last one is heard.
  var end: Int { stop == .max ? .max : stop + silence + progress.mostLatency }

  /// How many frames from the cursor on can be rendered in one go. Frames that the device does not take are rendered in
  /// vain, so it is offered what it reported room for, and after that a little at a time.
  private func piece(_ filling: Filling) -> Int {
    let offered = min(filling.room, filling.free > 0 ? filling.free : max(1, rate / 100))
    let stop = stop
    guard cursor < stop else {
      if case .prove = filling.purpose { return offered }
      return min(offered, end - cursor)
    }
    let frames = music.piece(at: cursor, limit: min(offered, stop - cursor)).frames
    return cue.piece(at: cursor, limit: frames).frames
  }

  /// Gives room back to the decoder, but keeps what was heard recently.
  private mutating func release(_ name: MixVoice.Name, heard: Int) {
    guard !self[name].isAwaitingStream else { return }
    let needed = self[name].needed(heard: heard)
    let isLow = self[name].decoded - needed < min(rate, self[name].capacity / 2)
    notices.add(.release(name, before: needed - keptFrames, isLow: isLow))
  }

  // MARK: - A decoder that is late

  /// Asks to be woken by the decoders that are waited for, and begins another pass if frames came meanwhile.
  private mutating func starve(after name: MixVoice.Name?, hasCome: Bool) -> Call {
    let next: MixVoice.Name
    switch name {
    case nil: next = .music
    case .music?: next = .cue
    case .cue?: return hasCome ? beginPass() : call(.status, .resting(isFull: false))
    }
    return isStarving(next)
      ? call(.ask(next), .starving(next, hasCome: hasCome)) : starve(after: next, hasCome: hasCome)
  }

  mutating func starve(_ name: MixVoice.Name, hasCome: Bool) -> Call {
    starve(after: name, hasCome: hasCome || decoded[name] > self[name].decoded)
  }

  private func isStarving(_ name: MixVoice.Name) -> Bool {
    cursor < stop && self[name].piece(at: cursor, limit: 1).frames == 0
  }
}
