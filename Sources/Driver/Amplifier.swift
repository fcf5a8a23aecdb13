import AudioSession
import BoardFiles
import Jukebox

/// When the amplifier's mute line is asserted: whenever the brain wishes it, while the sound goes to a port that is not
/// the amplifier's, and around whatever makes an output pop. Control thread.
struct Amplifier: Hashable {
  /// How long after a switch of the route or the opening of an output it stays muted; zero: as if nothing popped.
  private let settle: Duration
  /// The port it serves; nil: all of them.
  private let port: Port?
  private var isWanted = false
  private var route: Port?
  private var others: Set<Port> = []
  private var isReleased = false
  /// Until then an output pops.
  private(set) var quietUntil: Instant?

  init(_ board: BoardDescription) {
    let line = board.lines.first { $0.role == .ampMute }
    settle = line?.settle ?? .zero
    port = line?.serves
  }

  /// Whether the line is asserted now.
  var isMuted: Bool { !isWanted || quietUntil != nil || !isServed }

  mutating func mute(_ isMuted: Bool, at now: Instant) {
    isWanted = !isMuted
    // The next sound opens the output that was released.
    if isWanted && isReleased { quieten(at: now) }
  }

  /// Before the engine gets the command.
  mutating func hear(_ command: AudioCommand, at now: Instant) {
    switch command {
    case .route(let port, _):
      route = port
      quieten(at: now)
    case .others(let volumes): others = Set(volumes.keys)
    case .reopen: quieten(at: now)
    case .release: isReleased = true
    case .play, .speak: isReleased = false
    case .load, .follow, .silence, .volume, .duck, .pauseClip, .resumeClip: break
    }
  }

  mutating func tick(at now: Instant) {
    if let end = quietUntil, end <= now { quietUntil = nil }
  }

  private mutating func quieten(at now: Instant) {
    if settle > .zero { quietUntil = now + settle }
  }

  private var isServed: Bool {
    guard let port else { return true }
    return route == port || others.contains(port)
  }
}
