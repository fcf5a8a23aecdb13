import AudioSession
import Jukebox

/// Stands beside a simulated board and sees all that happens to it and all that it does: for whoever judges that by other
/// means than `expect`. Called on the simulation's thread, in the order of events.
public protocol SimulationObserver: AnyObject {
  /// Nothing more needs to be seen: the simulation ends here.
  var hasSeenEnough: Bool { get }

  /// A step of the scenario is about to happen.
  func willDo(_ step: Scenario.Step, at now: Instant)
  /// A contact has moved, seen by a running system or not.
  func moved(_ line: String, asserted: Bool, at now: Instant)
  /// The power is there; these lines are asserted.
  func poweredOn(asserted: Set<String>, at now: Instant)
  func logged(_ event: Event, at now: Instant)
  /// An answer to a console command, of one or several lines.
  func replied(_ text: String)
  /// `frames` interleaved stereo frames were audible at a port, the first of them at frame `start` since power on, at the
  /// board's rate. What is not told was silence.
  func heard(_ samples: UnsafePointer<Int16>, frames: Int, at start: Int, on port: Port)
  /// All that was due has happened, and all that was audible until now has been told.
  func settled(_ scene: SimulationSnapshot)
}

/// A simulated board at one moment.
public struct SimulationSnapshot: Hashable, Sendable {
  public var at: Instant
  /// nil: no power.
  public var status: Status?
  /// As the brain has told it last.
  public var lamp: LampPattern
  public var isAmplifierMuted: Bool
  public var isAsleep: Bool
}

extension Simulation {
  func show() {
    guard let observer else { return }
    devices.catchUp()
    observer.settled(
      SimulationSnapshot(
        at: clock.now, status: driver?.jukebox.status(at: clock.now), lamp: shownLamp,
        isAmplifierMuted: isAmplifierMuted, isAsleep: isAsleep))
  }

  var isSeenEnough: Bool { observer?.hasSeenEnough ?? false }
}
