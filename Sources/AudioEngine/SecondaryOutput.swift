import AudioSession
import Board
import Jukebox

/// Another port of a multi-route: its player, and what became of its device. Control thread.
final class SecondaryOutput {
  let port: Port
  let player: Player
  private(set) var isActive = false
  private var isLost = false
  /// The cue at hand was begun here. Whoever comes in later does not join in it, and must not go on with one before it.
  private var hasCue = false
  /// The volume to come in with when the device is free.
  private var entrance: Int?
  private(set) var nextTry: Instant?
  private var tries = 0

  init(port: Port, player: Player) {
    self.port = port
    self.player = player
  }

  /// Opens the device and comes to where the music is; at once, or when whoever has it has let go.
  func enter(volume: Int, _ streamPosition: StreamPosition, after free: Instant?, at now: Instant) {
    isActive = true
    tries = 0
    isLost = free != nil
    nextTry = free
    entrance = volume
    if free == nil { come(streamPosition, at: now) }
  }

  private func come(_ streamPosition: StreamPosition, at now: Instant) {
    guard let volume = entrance else { return }
    entrance = nil
    isLost = false
    player.obey(.route(port, volume: volume))
    player.obey(.duck(level: streamPosition.duck, over: .zero))
    join(streamPosition, at: now)
  }

  func turn(to volume: Int) { if entrance == nil { player.obey(.volume(volume)) } else { entrance = volume } }

  /// Falls silent and lets go of the device.
  func leave() {
    isActive = false
    hasCue = false
    entrance = nil
    player.obey(.silence(edge: nil))
    player.obey(.pauseClip(edge: nil))
    player.obey(.route(nil, volume: 0))
  }

  /// Does what the route's player is told, but for what is its alone.
  func follow(_ command: AudioCommand) {
    switch command {
    case .load, .follow, .silence, .release, .duck, .pauseClip: player.obey(command)
    // Once it is back, it joins in.
    case .play: if !isLost { player.obey(command) }
    case .speak:
      hasCue = !isLost
      if hasCue { player.obey(command) }
    case .resumeClip: if hasCue && !isLost { player.obey(command) }
    case .route, .volume, .reopen, .others: break
    }
  }

  /// Comes to where the music is.
  func join(_ streamPosition: StreamPosition, at now: Instant) {
    guard !isLost, let position = streamPosition.position(at: now) else { return }
    player.obey(.load(stream: streamPosition.stream, position))
    for track in streamPosition.tracks.dropFirst() { player.obey(.follow(stream: streamPosition.stream, track: track)) }
    if streamPosition.isPlaying { player.obey(.play) }
  }

  /// What of its reports is of interest to others.
  func note(_ report: AudioReport, _ streamPosition: StreamPosition, at now: Instant) -> AudioReport? {
    guard isActive else { return nil }
    switch report {
    case .outputLost(let reason, _):
      nextTry = now + BackOff.wait(after: tries)
      tries += 1
      defer { isLost = true }
      return isLost ? nil : .otherOutputLost(port, reason: reason)
    case .outputRestored:
      nextTry = nil
      guard isLost else { return nil }
      isLost = false
      tries = 0
      join(streamPosition, at: now)
      return .otherOutputRestored(port)
    case .outputChanged:
      join(streamPosition, at: now)
      return nil
    case .started, .silenced, .opened, .began, .failed, .brokeOff, .ended, .underrun, .otherOutputLost,
      .otherOutputRestored, .clipStarted, .clipEnded, .clipFailed:
      return nil
    }
  }

  func retry(_ streamPosition: StreamPosition, at now: Instant) {
    guard let nextTry, nextTry <= now else { return }
    self.nextTry = nil
    if entrance != nil { come(streamPosition, at: now) } else { player.obey(.reopen) }
  }
}
