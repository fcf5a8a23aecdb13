/// The tracks that are heard most (J7): the counters are the storage's, so that a choice waits until they are read.
extension Jukebox {
  /// - Parameter place: from 1, the track that is heard most.
  mutating func choose(popular place: Int, byCard: Bool = false, _ turn: inout Turn) {
    let asked = PopularChoices.Asked(place: place, mayPause: !byCard && !turn.wasFading)
    if !contacts.popular.ask(asked, at: turn.now) { fail([asked], .tooMany, &turn) }
  }

  mutating func take(_ report: RankingReport, _ turn: inout Turn) {
    let waiting = contacts.popular.takeWaiting()
    switch report {
    case .failed(let reason): fail(waiting, .unread(reason: reason), &turn)
    case .ranked(let names):
      for asked in waiting {
        if asked.place <= names.count {
          choose(found: .file(names[asked.place - 1]), mayPause: asked.mayPause, &turn)
        } else {
          fail([asked], names.isEmpty ? .nothingHeard : .fewer(names.count), &turn)
        }
      }
    }
  }

  /// As any other track that somebody has chosen.
  private mutating func choose(found name: TrackName, mayPause: Bool, _ turn: inout Turn) {
    if !mayPause && playsAlready(.track(name)) { return }
    withPlayer(&turn) { $0.choose(name, &$1) }
  }

  /// The storage hangs.
  mutating func giveUpRanking(_ turn: inout Turn) { fail(contacts.popular.takeWaiting(), .noAnswer, &turn) }

  /// Whoever has asked is gone.
  mutating func leavePopular(_ turn: inout Turn) { fail(contacts.popular.takeWaiting(), .left, &turn) }

  /// Nothing new begins.
  mutating func closePopular(_ turn: inout Turn) { fail(contacts.popular.takeWaiting(), .closed, &turn) }

  mutating func logOvertaken(_ turn: inout Turn) { fail(contacts.popular.takeOvertaken(), .overtaken, &turn) }

  private mutating func fail(
    _ choices: [PopularChoices.Asked], _ failure: PopularChoices.Failure, _ turn: inout Turn
  ) {
    for asked in choices { withPlayer(&turn) { $1.append(.choiceFailed(.popular(asked.place, failure))) } }
  }

  /// After all else: the answer may come at once.
  mutating func settlePopular(_ turn: inout Turn) { if contacts.popular.mustRead() { turn.append(.rank) } }
}
