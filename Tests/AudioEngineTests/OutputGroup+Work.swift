import AudioSession

@testable import AudioEngine

extension OutputGroup {
  /// Has engines and decoders do what they can, as their threads would. Returns when an engine is to be woken, and whether
  /// a decoder had something to do.
  func work(at now: Instant) -> (next: Instant?, isBusy: Bool) {
    var next: Instant?
    var isBusy = false
    for engine in engines {
      switch engine.service(at: now) {
      case .signal: break
      case .until(let at), .device(let at): next = min(next ?? at, at)
      }
    }
    for decoder in musicDecoders + cueDecoders {
      while decoder.step() == .worked { isBusy = true }
    }
    return (next, isBusy)
  }
}
