import AudioSession
import Board

/// Moving to another output while something sounds (B1, P2): its device is opened first, which may take more than a
/// second, and the old one sounds until then. Whether the new one was opened, failed or hangs, the sound fades out then,
/// the old device is closed, and the new one is asked for again: a card that cannot be opened twice is free by now.
extension OutputMachine {
  mutating func move(to route: Destination, _ status: PCMStatus) -> Call {
    if let ahead {
      if ahead.output == route.output {
        self.ahead?.gain = route.gain
        return beginPass()
      }
      return call(.closeAhead(ahead.output), .abandoning(.route(route.output, gain: route.gain), status))
    }
    if let output, route.output == output { return obeyRunning(.gain(route.gain), status) }
    guard let index = route.output, let output, setup.devices[index] != setup.devices[output], isSounding else {
      pendingRoute = route
      return fadeOut(nil, status, edge: nil)
    }
    resumeOpening(of: index)
    ahead = Ahead(output: index, gain: route.gain, by: now + timing.answer)
    return call(.openAhead(index), .preparing(status))
  }

  mutating func didAbandon(_ command: EngineCommand, _ status: PCMStatus) -> Call {
    ahead = nil
    return obeyRunning(command, status)
  }

  mutating func didPrepare(_ result: CallResult, _ status: PCMStatus) -> Call {
    guard result == .done || result == .pending else { return fail(after: result) }
    let isDue = result == .done || now >= ahead?.by ?? now || !isSounding
    return isDue ? leave(status) : takeNextCommand(status)
  }

  /// Fades out, to go on at the output that is ready by now, or not to wait for it any longer. A fade that is still heard
  /// is not taken back.
  mutating func leave(_ status: PCMStatus) -> Call {
    guard !isFading else { return takeNextCommand(status) }
    stopPreparing()
    return fadeOut(nil, status, edge: nil)
  }

  /// The sound here is over, so nothing is left to wait for: the switch is due.
  mutating func stopPreparing() {
    guard let ahead else { return }
    pendingRoute = Destination(output: ahead.output, gain: ahead.gain)
    openBy = ahead.by
    self.ahead = nil
  }
}
