import AudioSession
import Board

/// A plug that is pulled while a fade runs that began without an edge, as for another track. On a device that keeps
/// frames that fade is heard late, and the commands that follow wait for its end: the edge does not.
extension OutputMachine {
  /// Keeps a command until the fade is over, which is now if an edge has come.
  mutating func hold(_ command: EngineCommand, _ status: PCMStatus?) -> Call {
    held = command
    guard let status, !isLeaving, isLate(.music, status) || isLate(.clip, status) else { return proceed(status) }
    return call(.seekEdges, .hastening(status))
  }

  /// Whether what sounds is heard elsewhere than on the route, which is still being opened or switched to. An edge is one
  /// of the route's plug, and does not cut it.
  var isLeaving: Bool { ahead != nil || pendingRoute.map { $0.output != output } ?? false }

  /// Whether more is still heard of the voice than of a fade that an edge begins.
  private func isLate(_ name: MixVoice.Name, _ status: PCMStatus) -> Bool {
    let kept = timing.keptAtEdge.frames(rate: rate)
    if let fade = self[name].fade { return fade.last - heard(status) > fadeFrames + kept }
    guard let device, self[name].isSounding else { return false }
    let step = max(device.positionStep, progress.position.step.frames)
    return (device.takesBack ? progress.latency + step : status.queued) > kept
  }

  /// Stops the device if commands with an edge silence all that does not fade yet. They are obeyed afterwards.
  mutating func hasten(_ result: CallResult, _ status: PCMStatus) -> Call {
    guard case .edges(let queued) = result else { return fail(after: result) }
    var edges = Edges()
    if let held { edges.note(held) }
    edges = Edges(music: edges.music ?? queued.music, clip: edges.clip ?? queued.clip)
    guard let edge = edges.music ?? edges.clip, !music.isSounding || edges.music != nil,
      !clip.isSounding || edges.clip != nil
    else { return proceed(status) }
    let fading = Fading(voice: nil, status: status, heard: heard(status), isDated: true)
    for name in Self.both where self[name].isOn {
      let resume = place(of: name, fading, at: edges[name] ?? edge)
      if var fade = self[name].fade {
        // What was to be heard before the fade is not lost.
        fade.resume = min(fade.resume, resume)
        self[name].state = .fading(fade)
      } else {
        self[name].place = resume
        self[name].state = .priming
      }
    }
    let ending = Ending(heard: fading.heard, isMusicOver: music.fade != nil, isClipOver: clip.fade != nil)
    return call(.stop, .cutting(ending))
  }
}
