import AudioSession
import Board
import CALSA
import Glibc

extension PCMStatus.State {
  init(_ state: snd_pcm_state_t) {
    switch state {
    case SND_PCM_STATE_PREPARED: self = .prepared
    case SND_PCM_STATE_RUNNING, SND_PCM_STATE_DRAINING, SND_PCM_STATE_PAUSED: self = .running
    case SND_PCM_STATE_SUSPENDED: self = .suspended
    case SND_PCM_STATE_DISCONNECTED: self = .disconnected
    // XRUN, but also stopped or not configured: the recovery is the same.
    default: self = .underrun
    }
  }

  /// A state that some devices report by the failure of a call.
  init?(failure result: CInt) {
    switch result {
    case -EPIPE: self = .underrun
    case -ESTRPIPE: self = .suspended
    case -ENODEV: self = .disconnected
    default: return nil
    }
  }
}

extension Instant {
  /// The time stamp of a status that was read just before `now`. It is `now` where the status has no time stamp, and
  /// for a plug-in that stamps with the wall clock, which is decades ahead of the monotonic one.
  init(stamp: timespec, readBefore now: Instant) {
    let stamp = Instant(nanoseconds: Int64(stamp.tv_sec) &* 1_000_000_000 &+ Int64(stamp.tv_nsec))
    self = stamp > .powerOn && stamp <= now ? stamp : now
  }
}

func monotonicNow() -> Instant {
  var now = timespec()
  clock_gettime(CLOCK_MONOTONIC, &now)
  return Instant(nanoseconds: Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec))
}

extension PCMError {
  static func closed(_ operation: Operation, _ device: String) -> PCMError {
    PCMError(operation: operation, device: device, code: EBADF, message: "already closed")
  }
}
