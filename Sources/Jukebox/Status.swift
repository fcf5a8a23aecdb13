import AudioSession

/// What anyone may know of the brain at one moment: for the panel, the console and `expect`.
public struct Status: Hashable, Sendable {
  public enum State: String, Hashable, Sendable, CaseIterable { case stopped, playing, paused, recording }

  public var state: State
  public var holds: [HoldName]
  public var route: Route
  public var connected: Set<Port>
  /// The volume of the route's port, 0...100; nil without a route.
  public var volume: Int?
  /// The library's number of the current track, from 1; nil for an empty library.
  public var track: Int?
  public var trackCount: Int
  /// The playlist that it counts in; nil: all the music.
  public var playlist: String?
  /// All that there are.
  public var playlists: [String] = []
  public var file: String?
  public var tags: TrackTags
  /// Frames of the track heard, at the board's rate.
  public var frame: Int
  public var isPromptShown: Bool
  public var lamp: LampPattern
  /// Session clients that have the session, the oldest first.
  public var sessions: [String]
  /// The clients that somebody interrupts: they have the session again when their interrupters are gone. The oldest
  /// first.
  public var interrupted: [String] = []
  public var isDucked: Bool
  /// Name of the cue that is spoken, or about to be.
  public var cue: String?
  /// Since when a recording runs.
  public var recordingSince: Instant?
  public var health = Health()
  /// Whether a headset may pair.
  public var isPairing = false
  /// Whether a visit is under way.
  public var isVisited = false
  /// When the sleep timer ends the music (H5).
  var sleep: SleepTimer.Ending?
  /// What each output of role `signal` shows.
  public var signals: [ShownSignal] = []
  /// nil: always open.
  public var hours: HoursStatus?
  /// nil: never quiet.
  public var quiet: QuietStatus?
  /// Requests that wait for the one that plays; nil: choices do not wait their turn (J1).
  public var waiting: Int?
  /// nil: requests cost nothing (J3).
  public var credits: Int?
  /// Requests take none of them now.
  public var isFree = false

  /// The console's answer to `status`. New keys come at its end only.
  public var line: String {
    let holdList = holds.isEmpty ? "none" : holds.map(\.rawValue).joined(separator: ",")
    let volumeText = volume.map(String.init) ?? "none"
    let trackText = track.map { "\($0)/\(trackCount)" } ?? "none"
    let playing =
      "state=\(state.rawValue) hold=\(holdList) route=\(route) volume=\(volumeText) track=\(trackText) "
      + "frame=\(frame) prompt=\(isPromptShown ? "on" : "off") lamp=\(lamp.rawValue) "
      + "sessions=\(sessions.isEmpty ? "none" : sessions.joined(separator: ",")) duck=\(isDucked ? "on" : "off") "
      + "cue=\(cue.map { Event.quoted($0) } ?? "none")"
    let whole = health.fields.reduce("\(playing) saves=\(health.saves)") { "\($0) \($1.key)=\($1.value)" }
    let playlistText = playlist.map { " playlist=\(Event.quoted($0))" } ?? ""
    let interruptedText = interrupted.isEmpty ? "none" : interrupted.joined(separator: ",")
    return "\(whole) interrupted=\(interruptedText)\(playlistText)\(isPairing ? " pairing=on" : "")"
      + (isVisited ? " visit=on" : "") + (sleepText.map { " sleep=\($0)" } ?? "") + signalsText + (hours?.line ?? "")
      + (quiet?.line ?? "") + requestsText
  }

  /// How long the sleep timer lets the music play; nil: there is none, or it ends the music after the track.
  public var sleepLeft: Duration? {
    guard case .at(let instant) = sleep else { return nil }
    return max(.zero, instant - (.powerOn + health.uptime))
  }

  public var endsBehindTrack: Bool { sleep == .behindTrack }
}

extension Status {
  /// In seconds, or that it ends after the track.
  var sleepText: String? { sleepLeft.map { String($0.components.seconds) } ?? (endsBehindTrack ? "track" : nil) }

  /// Nothing where choices do not wait their turn.
  private var requestsText: String {
    (waiting.map { " waiting=\($0)" } ?? "") + (credits.map { " credits=\($0)" } ?? "") + (isFree ? " free=on" : "")
  }

  /// The signals that are asserted; nothing on a board without any.
  private var signalsText: String {
    if signals.isEmpty { return "" }
    let asserted = signals.filter { $0.pattern != .off }.map { Event.quoted($0.name) }
    return " signals=\(asserted.isEmpty ? "none" : asserted.joined(separator: ","))"
  }
}

extension Jukebox {
  public func status(at now: Instant) -> Status {
    let (interrupted, sounding) = sessions.active.reduce(into: ([String](), [String]())) { names, client in
      if sessions.isFree(for: client) { names.1.append(client.name.text) } else { names.0.append(client.name.text) }
    }
    return Status(
      state: recording.since == nil ? player.transport.state : .recording, holds: player.transport.holds,
      route: routes.route,
      connected: routes.connected,
      volume: routes.route.port.map { volumes.volume(of: $0) },
      track: player.queue.track.flatMap(player.index(of:)).map { $0 + 1 },
      trackCount: player.playlists.ids?.count ?? library.count,
      playlist: player.playlists.current, playlists: library.playlists, file: player.queue.track.map(player.name(of:)),
      tags: player.queue.track.flatMap { player.stream.tags[$0] } ?? TrackTags(),
      frame: player.frame(at: now), isPromptShown: player.transport.isPromptShown,
      lamp: lampPattern,
      sessions: sounding, interrupted: interrupted, isDucked: ducking.isDucked,
      cue: cues.current, recordingSince: recording.since,
      health: health.report(at: now), isPairing: headsets.pairing.isOpen, isVisited: visit.isUnderWay,
      sleep: sleep.ending, signals: signals.shown + coinInhibits.shown, hours: hours.status,
      quiet: quiet.status, waiting: player.options.afterRequests.map { _ in player.requests.waiting.count },
      credits: accounts.areCounted ? accounts.ledger.credits : nil, isFree: accounts.areCounted && isFree)
  }
}
