import AudioSession
import Jukebox

/// Another port of a multi-route: its player, and the state of its device. Control thread.
final class SecondaryOutput {
  /// Further apart, the same sound at two places of a room is heard twice.
  private static let drift = Duration.milliseconds(30)

  let port: Port
  let player: Player
  private(set) var isActive = false
  private var isLost = false
  /// Whether the current cue was started here. A port that joins later does not join the cue, and must not resume an
  /// earlier one.
  private var hasCue = false
  /// The volume to open the device with once it is free; nil when that was done.
  private var pendingVolume: Int?
  private(set) var nextTry: Instant?
  private var tries = 0
  /// What it began to play, and when, since it was last brought in step with the route. If one of the two had to wait
  /// for its device, it may be ahead of the route or behind it.
  private var start: (stream: UInt8, position: Position, at: Instant)?
  /// Whether it may be brought in step once more; a device that is late every time is left so.
  private var canFollow = false
  private var joinsWhenSilent = false
  /// What it began to play last was together with the route: if it no longer is, the clocks of the two devices differ.
  private var wasTogether = false
  /// Which track of the stream it plays.
  private var place = SecondaryPlace()
  /// The track that it has begun last, and when.
  private var begun: (position: Position, at: Instant)?

  init(port: Port, player: Player) {
    self.port = port
    self.player = player
  }

  /// Opens the device and joins the music: at once, or when the route's player has left the device.
  func activate(volume: Int, _ streamPosition: StreamPosition, isFree: Bool, at now: Instant) {
    isActive = true
    tries = 0
    isLost = !isFree
    nextTry = nil
    pendingVolume = volume
    if isFree { openIfWaiting(streamPosition, at: now) }
  }

  /// The route's player has left the device, if that was waited for.
  func openIfWaiting(_ streamPosition: StreamPosition, at now: Instant) {
    guard let volume = pendingVolume else { return }
    pendingVolume = nil
    isLost = false
    canFollow = true
    player.obey(.route(port, volume: volume))
    player.obey(.duck(level: streamPosition.duck, over: .zero))
    join(streamPosition, at: now)
  }

  func setVolume(_ volume: Int) {
    if pendingVolume == nil { player.obey(.volume(volume)) } else { pendingVolume = volume }
  }

  /// Falls silent, and releases the device and the files.
  func deactivate() {
    isActive = false
    hasCue = false
    pendingVolume = nil
    player.obey(.silence(edge: nil))
    player.obey(.pauseCue(edge: nil))
    player.obey(.route(nil, volume: 0))
    player.closeTracks()
  }

  /// Passes on the commands of the route's player that concern every port.
  func relay(_ command: AudioCommand) {
    switch command {
    case .load(let stream, _):
      place = SecondaryPlace(stream: stream)
      begun = nil
      // It may be behind the route, whose last track is over.
      if player.isSounding { player.obey(.silence(edge: nil)) }
      player.obey(command)
    case .library, .follow, .release, .duck, .channels: player.obey(command)
    // The plug that moves is the route's. Whoever listens here would hear a card that is stopped (P12).
    case .silence: player.obey(.silence(edge: nil))
    case .pauseCue: player.obey(.pauseCue(edge: nil))
    // A lost output joins in once it is back.
    case .play: if !isLost { player.obey(command) }
    case .speak:
      hasCue = !isLost
      if hasCue { player.obey(command) }
    case .resumeCue: if hasCue && !isLost { player.obey(command) }
    case .route, .vacate, .volume, .reopen, .others: break
    }
  }

  /// Loads the music at its current position, and plays it if the route's player does.
  func join(_ streamPosition: StreamPosition, at now: Instant) {
    start = nil
    joinsWhenSilent = false
    guard !isLost, let position = streamPosition.position(at: now) else { return }
    place = SecondaryPlace(stream: streamPosition.stream, index: streamPosition.index)
    (begun, wasTogether) = (nil, false)
    player.obey(.load(stream: streamPosition.stream, position))
    for track in streamPosition.tracks.dropFirst() { player.obey(.follow(stream: streamPosition.stream, track: track)) }
    if streamPosition.isPlaying { player.obey(.play) }
  }

  /// The route's player has begun to sound, perhaps later than this one.
  func routeStarted(_ streamPosition: StreamPosition) {
    canFollow = true
    follow(streamPosition)
  }

  /// Joins again, once, if what it began to play is not what the route's player had at that moment.
  private func follow(_ streamPosition: StreamPosition) {
    guard let start else { return }
    wasTogether = !streamPosition.isApart(start.stream, start.position, at: start.at)
    guard canFollow, !wasTogether else { return }
    canFollow = false
    rejoin()
  }

  /// Both have begun the same track: joins again if the two have drifted apart, or this one ran dry.
  func followDrift(_ streamPosition: StreamPosition) {
    guard wasTogether, let begun, place.isBeside(streamPosition),
      streamPosition.isApart(streamPosition.stream, begun.position, at: begun.at, by: Self.drift)
    else { return }
    wasTogether = false
    canFollow = true
    rejoin()
  }

  private func rejoin() {
    joinsWhenSilent = true
    player.obey(.silence(edge: nil))
  }

  /// Takes a report of the player and returns what concerns the brain.
  func note(_ report: AudioReport, _ streamPosition: StreamPosition, at now: Instant) -> AudioReport? {
    guard isActive else { return nil }
    switch report {
    case .outputLost(let reason, _):
      nextTry = now + BackOff.wait(after: tries)
      tries += 1
      defer { isLost = true }
      return isLost ? nil : .otherOutputLost(port, reason: reason)
    case .playback(.outputRestored):
      nextTry = nil
      guard isLost else { return nil }
      isLost = false
      canFollow = true
      tries = 0
      join(streamPosition, at: now)
      return .otherOutputRestored(port)
    case .playback(.outputChanged):
      join(streamPosition, at: now)
      return nil
    case .playback(.started(let stream, let position, let at)):
      start = (stream, position, at)
      follow(streamPosition)
      return nil
    case .playback(.silenced):
      if joinsWhenSilent { join(streamPosition, at: now) }
      return nil
    case .playback(.began(let stream, let position, let at)):
      place.begin(stream)
      if stream == place.stream { begun = (position, at) }
      fallSilentIfBeyond(streamPosition)
      followDrift(streamPosition)
      return nil
    case .playback(.ended(let stream)):
      place.end(stream)
      rejoinIfEnded(streamPosition, at: now)
      return nil
    case .playback(.underrun), .playback(.queueGrown), .playback(.cueStarted), .playback(.cueEnded), .opened,
      .measured, .failed, .brokeOff, .storageFailed, .leftOutputLost, .otherOutputLost, .otherOutputRestored,
      .cueFailed:
      return nil
    }
  }

  /// A track that took the place of the stream's end came too late here, and in time at the route.
  func rejoinIfEnded(_ streamPosition: StreamPosition, at now: Instant) {
    if streamPosition.isPlaying && place.hasEnded && place.isBehind(streamPosition) { join(streamPosition, at: now) }
  }

  /// The other way round: it came in time here only.
  func fallSilentIfBeyond(_ streamPosition: StreamPosition) {
    if streamPosition.isOver && place.isBeyond(streamPosition) { player.obey(.silence(edge: nil)) }
  }

  func retry(at now: Instant) {
    guard let nextTry, nextTry <= now else { return }
    self.nextTry = nil
    player.obey(.reopen)
  }
}
