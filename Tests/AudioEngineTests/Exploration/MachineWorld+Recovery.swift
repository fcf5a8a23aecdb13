import Board

@testable import AudioEngine

/// From any state, with a device that works and decoders in time, the machine reports what was requested, and plays.
extension MachineWorld {
  /// Returns what is wrong if no sound is heard within a fifth of a second.
  func recoveryFailure(_ setup: MachineSetup) -> String? {
    var healthy = setup
    healthy.failing = []
    healthy.mishaps = []
    healthy.dies = false
    healthy.isSlow = false
    healthy.takesLess = false
    healthy.hasOldStamps = false
    healthy.isLate = false
    healthy.oversleeps = false
    healthy.rewinds = [.max]
    healthy.formats = [PCMFormat(rate: MachineSetup.rate, bufferFrames: MachineSetup.size)]
    healthy.tracks = [.max]
    var world = self
    world.device?.isLinkSilent = false
    world.device?.silentFor = 0
    // The queue's last tracks are over sooner or later; what comes then is another load.
    var script: [Choice] = [.command(.reopen), .command(.route(setup.route, gain: 1 << 15))]
    script += [.command(.silence(edge: nil))] + (isPosted ? [.load] : []) + [.load, .command(.play)]
    // A load at the device's new rate follows one at the old one; a device that gave up is tried again.
    var loads = 3
    var tries = 2
    for _ in 0..<4_000 where world.violations.isEmpty && world.now < now + 200 {
      if world.isHeardAsLoaded(setup) && world.history.silences == 0 && world.history.cuePauses == 0 { return nil }
      if world.isStale && loads > 0 && script.isEmpty {
        loads -= 1
        script = [.load, .command(.play)]
      }
      if world.history.isLost && tries > 0 && script.isEmpty {
        tries -= 1
        script = [.command(.reopen), .command(.play)]
      }
      if world.call == .wait(.signal) && script.isEmpty && OutputMachine.both.allSatisfy({ !world.couldDecode($0) }) {
        return "sleeps for ever: \(world.history)"
      }
      world.apply(world.healthyChoice(&script, healthy), healthy)
    }
    if let violation = world.violations.first { return violation }
    return "no sound or report in \(world.now - now) ms: \(world.machine.state) \(world.history) \(world.musicHistory)"
  }

  /// The music of the load is heard in full, and more of it than the ring holds.
  private func isHeardAsLoaded(_ setup: MachineSetup) -> Bool {
    guard let last = musicHistory.last, let first = music.extent(of: machine.music.load).first,
      musicHistory.gain == 1 << 15
    else { return false }
    let isMore = last > first + setup.machine.musicCapacity + 1
    return isMore && !musicHistory.isFresh && machine.music.load == music.load && machine.music.isSounding
  }

  private var isStale: Bool { machine.music.isForgotten }

  private func healthyChoice(_ script: inout [Choice], _ setup: MachineSetup) -> Choice {
    switch call {
    case .wait(let wait):
      for name in OutputMachine.both where couldDecode(name) { return .decode(name) }
      return wait == .signal ? .wake : .tick
    case .takeCommand where !ring.isEmpty: return choices(setup).first ?? .result(.failed)
    case .takeCommand: return script.isEmpty ? .result(.command(nil)) : script.removeFirst()
    case .seekEdges, .takeBoundary, .ask, .open, .answer, .close, .openAhead, .closeAhead, .status, .rewind, .write,
      .stop, .start, .recover:
      return choices(setup).first ?? .result(.failed)
    }
  }
}
