import AudioSession

/// The tracks that are heard most (J7): the counters are the storage's, so that a choice waits until they are read.
extension Jukebox {
  /// - Parameter place: from 1, the track that is heard most.
  mutating func choose(popular place: Int, _ turn: inout Turn) {
    if !contacts.popular.ask(for: place, at: turn.now) { fail([place], .tooMany, &turn) }
  }

  mutating func take(_ report: RankingReport, _ turn: inout Turn) {
    let places = contacts.popular.takeWaiting()
    if hours.refuses { return fail(places, .overtaken, &turn) }
    switch report {
    case .failed(let reason): fail(places, .unread(reason: reason), &turn)
    case .ranked(let names):
      for place in places {
        if place <= names.count {
          choose(found: names[place - 1], &turn)
        } else {
          fail([place], names.isEmpty ? .nothingHeard : .fewer(names.count), &turn)
        }
      }
    }
  }

  /// As any other track that somebody has chosen.
  private mutating func choose(found name: String, _ turn: inout Turn) {
    withPlayer(&turn) { $0.choose(.file(name), &$1) }
  }

  /// The storage hangs.
  mutating func giveUpRanking(_ turn: inout Turn) { fail(contacts.popular.takeWaiting(), .noAnswer, &turn) }

  mutating func logOvertaken(_ turn: inout Turn) { fail(contacts.popular.takeOvertaken(), .overtaken, &turn) }

  private mutating func fail(_ places: [Int], _ failure: PopularChoices.Failure, _ turn: inout Turn) {
    for place in places { withPlayer(&turn) { $1.append(.choiceFailed(.popular(place, failure))) } }
  }

  /// After all else: the answer may come at once.
  mutating func settlePopular(_ turn: inout Turn) { if contacts.popular.mustRead() { turn.append(.rank) } }
}
