import AudioSession
import Board

/// What happens when a plug is pulled while a fade runs that began without an edge, as for another track. Commands wait for
/// the end of that fade, which is heard late on a device that keeps frames. The edge does not wait: it silences at once
/// what it is to silence, and its own commands are obeyed in their turn.
extension OutputMachine {
  /// Keeps a command until the fade is over, which is now if an edge has come.
  mutating func hold(_ command: EngineCommand, _ status: PCMStatus?) -> Call {
    held = command
    guard let status, isSounding || isLate(status) else { return proceed(status) }
    return call(.seekEdges, .hastening(status))
  }

  /// Whether what sounds is heard elsewhere than on the route, which is still being opened or switched to. An edge always
  /// comes from the plug of the route, so it does not cut that sound.
  var isLeaving: Bool { ahead != nil || pendingRoute.map { $0.output != output } ?? false }

  /// Whether more is still heard of a fade than of one that an edge begins.
  private func isLate(_ status: PCMStatus) -> Bool {
    guard !isLeaving else { return false }
    let most = timing.silenceAtEdge.frames(rate: rate)
    return Self.both.contains { name in self[name].fade.map { $0.last - heard(status) > most } ?? false }
  }

  /// Fades out the voice that sounds, if it has an edge. If none still sounds, stops the device whose fade is late.
  mutating func hasten(_ result: CallResult, _ status: PCMStatus) -> Call {
    guard case .edges(let queued) = result else { return fail(after: result) }
    var edges = Edges()
    if let held { edges.note(held) }
    edges.note(queued)
    // While one fades, only the other one can sound.
    for name in Self.both where self[name].isSounding {
      guard let edge = edges[name] else { return proceed(status) }
      self[name].awaitsSilence = true
      return fadeOut(name, status, edge: edges.isElsewhere ? nil : here(edge))
    }
    guard isLate(status), !edges.isElsewhere, let edge = edges.music ?? edges.cue else { return proceed(status) }
    return cut(Fading(voice: nil, status: status, heard: heard(status), isDated: true), edge: edge)
  }

  /// Stops the device in place of a fade. What was to be heard before a fade that began earlier is not lost.
  mutating func cut(_ fading: Fading, edge: Instant?) -> Call {
    for name in Self.both {
      guard var fade = self[name].fade else { continue }
      fade.resume = min(fade.resume, place(of: name, fading, at: edge))
      self[name].state = .fading(fade)
    }
    let ending = Ending(heard: fading.heard, isMusicOver: music.isOn, isCueOver: cue.isOn)
    return call(.stop, .cutting(ending))
  }
}
