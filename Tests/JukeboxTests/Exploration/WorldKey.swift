import AudioSession

@testable import Jukebox

/// What of a world decides its future. Left out: instants (the clock is frozen), what only counts (edges of a bounce,
/// tries to reopen), what is only told (tags, frames of holds), the save timer, and the number of the stream, of which
/// only matters whether it is the brain's.
extension World {
  func key(_ setup: Setup) -> [UInt8] {
    var key: [UInt8] = []
    key.reserveCapacity(64)
    for line in setup.senseLines {
      let debouncer = brain.lines[line].debouncer
      key.append((debouncer.level ? 1 : 0) | (debouncer.raw ? 2 : 0) | (debouncer.isSettled ? 4 : 0))
    }
    addBrain(to: &key)
    addStream(to: &key)
    addEngine(to: &key, setup)
    return key
  }

  private func number(_ port: Port?) -> UInt8 {
    switch port {
    case .headphones: 1
    case .lineOut: 2
    case .speaker: 3
    case .bluetooth: 4
    case .usb: 5
    case nil: 0
    }
  }

  private func number(_ frame: Int) -> UInt8 { frame == 0 ? 0 : frame == Self.heardFrame ? 1 : 2 }

  private func addBrain(to key: inout [UInt8]) {
    let transport = brain.transport
    let intent: UInt8 =
      switch transport.intent {
      case .stopped: 0
      case .playing: 1
      case .paused: 2
      }
    let stage: UInt8 =
      switch transport.routeLoss?.stage {
      case .suspected: 1
      case .resumable: 2
      case .expired: 3
      case .overruled: 4
      case nil: 0
      }
    key += [intent, stage, number(transport.routeLoss?.from), number(transport.unsuited?.from)]
    key += [number(brain.routes.forced), number(brain.routes.route.port), brain.routes.category == .record ? 1 : 0]
    key += [UInt8(brain.queue.place), number(brain.playhead.frame)]
    for setup in brain.configuration.ports { key.append(UInt8(brain.volumes.chosen[setup.port] ?? 255)) }
    key.append(
      (transport.outputLoss == nil ? 0 : 1) | (transport.unsuited == nil ? 0 : 2) | (brain.isPromptShown ? 4 : 0)
        | (brain.commanded.isSounding ? 8 : 0) | (isCommanded ? 16 : 0) | (isOutputLost ? 32 : 0)
        | (timers.contains(.resumeWindow) ? 64 : 0) | (timers.contains(.promptTimeout) ? 128 : 0))
    key.append(
      (timers.contains(.idleReset) ? 1 : 0) | (timers.contains(.outputRetry) ? 2 : 0)
        | (brain.awaitsSecondPress ? 4 : 0) | (brain.untold == nil ? 0 : brain.untold?.isStart == true ? 8 : 16))
    key += [number(released), number(home)]
  }

  private func addStream(to key: inout [UInt8]) {
    let stream = brain.stream
    key.append(
      (stream.isLoaded ? 1 : 0) | (stream.hasBegun ? 2 : 0) | (stream.isAsked ? 4 : 0) | (stream.afterFailure ? 8 : 0))
    key += [UInt8(stream.last), UInt8(stream.failures), 254]
    key += stream.ahead.map { UInt8($0) }
    key.append(255)
  }

  private func addEngine(to key: inout [UInt8], _ setup: Setup) {
    let isStale = engine.stream != brain.stream.id
    let phase: UInt8 =
      switch engine.phase {
      case .silent: 0
      case .priming: 1
      case .running: 2
      }
    key.append(phase | (isStale ? 4 : 0) | (engine.isOpen ? 8 : 0) | (engine.deviceWorks ? 16 : 0))
    // What a silent engine holds of an old stream is never heard of again, but by reports that are ignored.
    if !isStale || engine.phase != .silent || setup.keepsStaleReports {
      let decoder: UInt8 =
        switch engine.decoder {
        case .idle: 0
        case .asking: 1
        case .opening(let track): 2 + UInt8(track)
        }
      key += [decoder, number(engine.frame)]
      key.append(
        (engine.hasBegun ? 1 : 0) | (engine.isClosed ? 2 : 0) | (engine.isOver ? 4 : 0) | (engine.since == nil ? 0 : 8))
      key += engine.marks.map { UInt8($0) }
    }
    for report in engine.reports {
      key += [250, report.stream == brain.stream.id ? 1 : 0]
      key += code(report)
    }
  }

  private func code(_ report: AudioReport) -> [UInt8] {
    func place(_ position: Position?) -> [UInt8] {
      [UInt8(truncatingIfNeeded: position?.track ?? -1), number(position?.frame ?? 0)]
    }
    switch report {
    case .started(_, let position, _): return [1] + place(position)
    case .silenced(_, let position): return [2] + place(position)
    case .opened(_, let track, _): return [3, UInt8(track)]
    case .began(_, let position, _): return [4] + place(position)
    case .failed(_, let track, _): return [5, UInt8(track)]
    case .brokeOff(_, let position, _): return [6] + place(position)
    case .ended: return [7]
    case .underrun: return [8]
    case .outputLost(_, let position): return [9] + place(position)
    case .outputRestored: return [10]
    case .outputChanged, .otherOutputLost, .otherOutputRestored, .clipStarted, .clipEnded, .clipFailed: return [11]
    }
  }
}
