import AudioSession
import Jukebox

/// When recordings that the storage did not let be repaired are tried again, and which of them were reported. The
/// recorder's thread.
struct RepairSchedule {
  private static let (first, longest) = (Duration.seconds(60), Duration.seconds(3_600))

  /// When to try again; nil: nothing waits.
  private(set) var due: Instant?
  private var pause = first
  /// The reason that was reported last for each recording that waits, by name.
  private var reasons: [String: String] = [:]

  /// The names of the recordings that wait.
  var waiting: Set<String> { Set(reasons.keys) }

  /// Takes the reports of a try, and returns those that are news: a failure is reported once, and again where its reason
  /// has changed.
  mutating func note(_ found: [RecorderReport], at now: Instant) -> [RecorderReport] {
    var waiting: [String: String] = [:]
    for case .unrepaired(let file, let reason) in found { waiting[file] = reason }
    let news = found.filter { report in
      if case .unrepaired(let file, let reason) = report { reasons[file] != reason } else { true }
    }
    reasons = waiting
    if waiting.isEmpty {
      self = RepairSchedule()
    } else {
      due = now + pause
      pause = min(pause * 2, Self.longest)
    }
    return news
  }
}
