import Jukebox
import Storage
import Threads

/// What the control thread asks the storage thread for, and what that answers: which tracks were heard most (J7).
final class Rankings: Sendable {
  private struct Question {
    /// With what is not saved yet.
    var counts: ListeningCounts
    var tracks: TrackList
  }

  /// The newest: whoever asked before gets the same answer.
  private let question = Locked<Question?>(nil)
  private let reports = Mailbox<RankingReport>()

  /// Control thread.
  func ask(_ counts: ListeningCounts, among tracks: TrackList) {
    question.withLock { $0 = Question(counts: counts, tracks: tracks) }
  }

  /// Control thread.
  func takeReports() -> [RankingReport] { reports.takeAll() }

  /// Storage thread. Returns whether there is a report.
  func answer(by store: CountsStore?) -> Bool {
    let asked = question.withLock { $0.take() }
    guard let asked else { return false }
    reports.post(store?.rank(asked.counts, among: asked.tracks) ?? asked.counts.ranking(among: asked.tracks))
    return true
  }
}
