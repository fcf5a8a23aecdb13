import AudioSession
import BoardFiles
import Jukebox

/// Decides when the amplifier's mute line is asserted: while the brain mutes it, while the sound goes to ports that the
/// amplifier does not serve, and around whatever makes an output pop. Control thread.
struct Amplifier: Hashable {
  /// How long after a switch of the route or the opening of an output it stays muted; zero if no output pops.
  private let settle: Duration
  /// The port it serves; nil if it serves all of them.
  private let port: Port?
  private var isSoundWanted = false
  private var route: Port?
  private var otherPorts: Set<Port> = []
  /// The port that still sounds while the device of the route is opened.
  var soundingPort: Port?
  private var isReleased = false
  /// Muted until then, because an output may pop.
  private(set) var mutedUntil: Instant?

  init(_ board: BoardDescription) {
    let line = board.lines.first { $0.role == .ampMute }
    settle = line?.settle ?? .zero
    port = line?.serves
  }

  /// Whether the line is asserted now.
  var isMuted: Bool { !isSoundWanted || mutedUntil != nil || !isServed }

  mutating func mute(_ isMuted: Bool, at now: Instant) {
    isSoundWanted = !isMuted
    // The next sound opens the output that was released.
    if isSoundWanted && isReleased { holdMuted(at: now) }
  }

  /// Has to be called before the engine gets the command.
  mutating func prepare(for command: AudioCommand, at now: Instant) {
    switch command {
    case .route(let port, _):
      route = port
      holdMuted(at: now)
    case .others(let volumes): otherPorts = Set(volumes.keys)
    case .reopen: holdMuted(at: now)
    case .release: isReleased = true
    case .play, .speak: isReleased = false
    case .library, .load, .follow, .silence, .vacate, .volume, .channels, .duck, .pauseCue, .resumeCue: break
    }
  }

  mutating func tick(at now: Instant) {
    if let end = mutedUntil, end <= now { mutedUntil = nil }
  }

  private mutating func holdMuted(at now: Instant) {
    if settle > .zero { mutedUntil = now + settle }
  }

  private var isServed: Bool {
    guard let port else { return true }
    return route == port || soundingPort == port || otherPorts.contains(port)
  }
}
