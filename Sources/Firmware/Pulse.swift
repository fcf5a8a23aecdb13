import Synchronization

/// Whether a thread still goes round: one thread asks, the other answers after each of its rounds. A thread that sleeps
/// for good is alive, too, and has to be woken to say so. The first question is there from the start.
final class Pulse: Sendable {
  private let asked = Atomic<Int>(1)
  private let answered = Atomic<Int>(0)

  /// By the thread that wants to know.
  func ask() { asked.wrappingAdd(1, ordering: .relaxed) }

  /// Whether what was asked last has been answered.
  var isAnswered: Bool { answered.load(ordering: .relaxed) == asked.load(ordering: .relaxed) }

  /// By the thread that is asked. Real-time safe.
  func answer() { answered.store(asked.load(ordering: .relaxed), ordering: .relaxed) }
}
