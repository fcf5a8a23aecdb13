import AudioSession

@testable import Jukebox

/// Edges of coin acceptors, and what becomes of them.
enum CoinTraces {
  static func instant(_ milliseconds: Double) -> Instant { Instant(nanoseconds: Int64(milliseconds * 1_000_000)) }

  /// A train of pulses that are as long as the gaps between them, each time by up to `jitter` longer or shorter.
  ///
  /// - Parameters:
  ///   - bounce: for how long, in milliseconds, the contact bounces after each edge.
  ///   - end: when the last edge came.
  static func train(
    _ pulses: Int, of time: Double, jitter: Double = 0, bounce: Double = 0, at begin: Double,
    using random: inout SplitMix64, end: inout Double
  ) -> [CoinEdge] {
    var (edges, now): ([CoinEdge], Double) = ([], begin)
    for index in 0..<2 * pulses {
      edges.append(CoinEdge(index % 2 == 0, at: instant(now)))
      var spark = now
      while bounce > 0 {
        spark += Double.random(in: 0.05...bounce / 2, using: &random)
        let back = spark + Double.random(in: 0.02...bounce / 4, using: &random)
        if back >= now + bounce { break }
        edges += [CoinEdge(index % 2 == 1, at: instant(spark)), CoinEdge(index % 2 == 0, at: instant(back))]
        spark = back
      }
      end = max(now, spark)
      now += time * Double.random(in: 1 - jitter...1 + jitter, using: &random)
    }
    return edges
  }

  /// What a line says of these edges, read at once.
  static func facts(
    of edges: [CoinEdge], _ setup: CoinLine = CoinLine(), level: Bool = false, from start: Instant = .powerOn
  ) -> [CoinPulses.Fact] {
    var pulses = CoinPulses(setup, level: level, at: start)
    var facts: [CoinPulses.Fact] = []
    for edge in edges {
      while let due = pulses.due, due < edge.at { facts += pulses.timerFired(at: due) }
      facts += pulses.take(edge)
    }
    while let due = pulses.due { facts += pulses.timerFired(at: due) }
    return facts
  }

  /// The same where the thread that reads them is late, by up to `latest` milliseconds.
  static func facts(
    of edges: [CoinEdge], readUpTo latest: Double, using random: inout SplitMix64
  ) -> [CoinPulses.Fact] {
    var pulses = CoinPulses(CoinLine(), level: false, at: .powerOn)
    var facts: [CoinPulses.Fact] = []
    var (rest, now) = (edges[...], Instant.powerOn)
    func delay() -> Duration { .nanoseconds(Int64(Double.random(in: 0...latest, using: &random) * 1_000_000)) }
    while let event = [rest.first?.at, pulses.due].compactMap(\.self).min() {
      now = max(now, event) + delay()
      while let edge = rest.first, edge.at <= now {
        facts += pulses.take(edge)
        rest.removeFirst()
      }
      // The thread may be interrupted between reading the lines and looking at the timers.
      now = now + delay()
      if let due = pulses.due, due <= now { facts += pulses.timerFired(at: now) }
    }
    return facts
  }
}

/// What coins are, told another way: from samples of the line, and slowly.
struct CoinModel {
  /// Samples a millisecond.
  static let pace = 1
  var samples: [Bool]

  private func runs(_ samples: [Bool]) -> [(level: Bool, range: Range<Int>)] {
    var runs: [(level: Bool, range: Range<Int>)] = []
    var start = 0
    while start < samples.count {
      let end = samples[start...].firstIndex(of: !samples[start]) ?? samples.count
      runs.append((samples[start], start..<end))
      start = end
    }
    return runs
  }

  /// Times in milliseconds; `boot`: before that no train begins.
  func facts(shortest: Int = 10, gap: Int = 150, longest: Int = 1_000, boot: Int = 2_000) -> [CoinPulses.Fact] {
    var filled = samples
    for run in runs(samples).dropFirst().dropLast() where !run.level && run.range.count < shortest * Self.pace {
      for index in run.range { filled[index] = true }
    }
    var trains: [[Range<Int>]] = []
    for run in runs(filled) where run.level {
      let solid = runs(Array(samples[run.range])).filter(\.level).map(\.range.count).max() ?? 0
      let isLong = run.range.count > longest * Self.pace
      guard isLong || run.range.count >= shortest * Self.pace && solid * 2 >= shortest * Self.pace else { continue }
      if let last = trains.last?.last, run.range.lowerBound - last.upperBound < gap * Self.pace {
        trains[trains.count - 1].append(run.range)
      } else {
        trains.append([run.range])
      }
    }
    return trains.map { train in
      if train.contains(where: { $0.count > longest * Self.pace }) { return .refused(.jam) }
      return train[0].lowerBound < boot * Self.pace ? .refused(.boot) : .coin(pulses: train.count)
    }
  }
}
