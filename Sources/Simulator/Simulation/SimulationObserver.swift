import AudioSession
import Jukebox

/// Observes everything that happens to a simulated board and everything that it does, for checks beyond `expect`. Called on
/// the simulation's thread, in the order of events.
public protocol SimulationObserver: AnyObject {
  /// Whether the simulation may end now.
  var hasSeenEnough: Bool { get }

  /// A step of the scenario is about to happen.
  func willDo(_ step: Scenario.Step, at now: Instant)
  /// A contact has moved, whether the system noticed it or not.
  func moved(_ line: String, asserted: Bool, at now: Instant)
  /// The board was powered on with these lines asserted.
  func poweredOn(asserted: Set<String>, at now: Instant)
  func logged(_ event: Event, at now: Instant)
  /// Everything that was counted of all tracks: as power on finds it, or as it is just before the power is cut and at the
  /// end.
  func counted(_ sum: TrackCounts, isRestored: Bool, at now: Instant)
  /// A reply to a console command, of one or several lines.
  func replied(_ text: String)
  /// `frames` interleaved stereo frames were audible at a port, the first of them at frame `start` since power on, at the
  /// board's rate. Frames that are not passed were silent.
  func heard(_ samples: UnsafePointer<Int16>, frames: Int, at start: Int, on port: Port)
  /// Everything due until now has happened, and `heard` was called for everything audible until now.
  func settled(_ snapshot: SimulationSnapshot)
}

extension SimulationObserver {
  public func counted(_ sum: TrackCounts, isRestored: Bool, at now: Instant) {}
}

/// A simulated board at one moment.
public struct SimulationSnapshot: Hashable, Sendable {
  public var at: Instant
  /// nil: no power.
  public var status: Status?
  /// The lamp pattern that the brain set last.
  public var lamp: LampPattern
  public var isAmplifierMuted: Bool
  public var isAsleep: Bool
  /// What headsets make their own volume now, 0 to 127; none of those that do not.
  public var headsetVolumes: [Port: Int] = [:]
  /// The outputs of role `signal` that are asserted, by their lines' names.
  public var signals: [String: LampPattern] = [:]
}

extension Simulation {
  func notifyObserver() {
    guard let observer else { return }
    devices.catchUp()
    observer.settled(
      SimulationSnapshot(
        at: clock.now, status: driver?.jukebox.status(at: clock.now), lamp: shownLamp,
        isAmplifierMuted: isAmplifierMuted, isAsleep: isAsleep, headsetVolumes: headsetVolumes.levels,
        signals: namedSignals))
  }

  private var namedSignals: [String: LampPattern] {
    Dictionary(shownSignals.map { (configuration.lines[$0.key.index].name, $0.value) }) { first, _ in first }
  }

  var hasObserverSeenEnough: Bool { observer?.hasSeenEnough ?? false }
}
