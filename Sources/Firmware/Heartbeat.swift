import Synchronization

/// Whether a thread still makes its rounds: one thread asks for a beat, the other beats after each round. A thread that
/// sleeps until something happens is alive, too, and has to be woken to beat. The first beat is asked for from the
/// start.
final class Heartbeat: Sendable {
  private let asked = Atomic<Int>(1)
  private let beaten = Atomic<Int>(0)

  /// Asks for a beat. Called by the thread that supervises.
  func ask() { asked.wrappingAdd(1, ordering: .relaxed) }

  /// Whether the thread has beaten since it was last asked.
  var hasBeaten: Bool { beaten.load(ordering: .relaxed) == asked.load(ordering: .relaxed) }

  /// Called by the supervised thread. Real-time safe.
  func beat() { beaten.store(asked.load(ordering: .relaxed), ordering: .relaxed) }
}
