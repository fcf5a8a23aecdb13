import AudioSession
import Board

/// An output that is reached by radio (B3): it goes on running and takes nothing while its link is silent, and reports a
/// position that moves.
extension OutputMachine {
  /// How long the device may take no frames; nil for no limit. Only after its whole buffer would have been played must
  /// it have room.
  private var stallLimit: Duration? {
    guard let output, setup.stalls.indices.contains(output), let limit = setup.stalls[output], let device else {
      return nil
    }
    return max(limit, .covering(frames: device.format.bufferFrames, rate: rate))
  }

  /// How long the position may stand still. A device with a radio link is lost by a limit of its own before that: opening it
  /// again would restart the time, and a headset that is out of range would never be lost (B3).
  var standstillLimit: Duration { stallLimit.map { $0 + timing.standstill } ?? timing.standstill }

  /// When the device counts as stalled unless it takes frames before.
  var stallsAt: Instant? { stallLimit.map { progress.acceptedAt + $0 } }

  /// Whether frames wait, and the device has taken none for too long. Ask just after it was offered them.
  var isStalled: Bool {
    guard let stallsAt, now >= stallsAt, cursor < stop else { return false }
    return OutputMachine.both.allSatisfy { self[$0].piece(at: cursor, limit: 1).frames > 0 }
  }

  /// Loses the device at the frame heard when it took some last. It is not opened at once again: that would take nothing
  /// either.
  mutating func stall() -> Call {
    haltVoices(at: lastKnown)
    return leaveAtOnce() ?? lose(.stalls)
  }

  /// A voice that fades on a device whose link may be silent resumes no later than at the last frame certainly heard.
  mutating func holdAtTaken() {
    guard let lastTaken else { return }
    for name in Self.both {
      guard var fade = self[name].fade else { continue }
      let passage = self[name].passage
      let earliest = max(self[name].boundaries.floor, passage.origin)
      fade.resume = max(earliest, min(fade.resume, passage.index(at: lastTaken)))
      self[name].state = .fading(fade)
    }
  }

  /// The frame that was certainly heard when the device last took some, clamped to those that it had; nil without a limit.
  /// Its position proves nothing here, but what no longer fits into its buffer has left it.
  var lastTaken: Int? {
    guard stallLimit != nil, let device else { return nil }
    return max(progress.start, min(cursor, progress.unwritten - device.format.bufferFrames - progress.mostLatency))
  }

  /// The frame heard last from a device that failed. Without a radio link the device has kept time since its status was
  /// read. With one, a moment is rather repeated than skipped.
  var lastKnown: Int {
    lastTaken ?? max(progress.start, min(cursor, progress.estimate(at: now, rate: rate)))
  }
}
