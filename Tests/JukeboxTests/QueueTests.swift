import Testing

@testable import Jukebox

extension Place: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: Int) { self.init(index: value) }
}

@Suite struct QueueTests {
  private func queue(_ count: Int, _ repeats: Settings.Repeat = .off, at place: Place = 0) -> Queue {
    var queue = Queue(count: count, repeats: repeats, shuffle: nil)
    queue.go(to: place)
    return queue
  }

  @Test("P10: what follows by itself is the next track, its own start, or the start of the queue")
  func following() {
    #expect(queue(3).following(0) == 1)
    #expect(queue(3).following(2) == nil)
    #expect(queue(3, .queue).following(2) == 0)
    #expect(queue(1, .queue).following(0) == 0)
    #expect(queue(3, .track).following(1) == 1)
    #expect(queue(0, .queue).following(0) == nil)
    #expect(queue(0).following(0) == nil)
  }

  @Test("P9: Next wraps only where something repeats")
  func next() {
    #expect(queue(3, at: 1).next() == 2)
    #expect(queue(3, at: 2).next() == nil)
    #expect(queue(3, .queue, at: 2).next() == 0)
    #expect(queue(3, .track, at: 1).next() == 2)
    #expect(queue(3, .track, at: 2).next() == 0)
    #expect(queue(0, .queue).next() == nil)
  }

  @Test("P9: Previous wraps only where something repeats")
  func previous() {
    #expect(queue(3, at: 1).previous() == 0)
    #expect(queue(3).previous() == 0)
    #expect(queue(3, .queue).previous() == 2)
    #expect(queue(3, .track).previous() == 2)
    #expect(queue(0, .queue).previous() == 0)
  }

  @Test("P10: a seed gives one order for ever, and each seed another")
  func shuffle() {
    func order(_ seed: UInt64?) -> [Int] { Queue(count: 20, repeats: .off, shuffle: seed).order.map(\.number) }
    #expect(order(nil) == Array(0..<20))
    #expect(order(1) == order(1))
    #expect(order(1).sorted() == Array(0..<20))
    #expect(Set((0..<50).map { order(UInt64($0)) }).count == 50)
    // A new version must not change the order for the same seed.
    #expect(Queue(count: 6, repeats: .off, shuffle: 42).order.map(\.number) == Self.known)
  }

  private static let known = [4, 1, 3, 0, 2, 5]

  @Test("P10.1: each round of a shuffled queue has an order of its own seed, and begins with what was not just heard")
  func rounds() {
    var queue = Queue(count: 12, repeats: .queue, shuffle: 3)
    let listed = (0..<12).map { TrackID($0) }
    var heard: [TrackID] = []
    for _ in 0..<60 {
      queue.prepareRound(listed, after: nil)
      heard.append(queue[queue.place])
      if let next = queue.following(queue.place) { queue.go(to: next) }
      queue.beginRound(listed)
      let seed = queue.seed
      if queue.isAtStart { #expect(queue == Queue(count: 12, repeats: .queue, shuffle: seed)) }
    }
    let rounds = (0..<5).map { Array(heard[($0 * 12)..<($0 * 12 + 12)]) }
    #expect(Set(rounds).count == 5 && rounds.allSatisfy { Set($0).count == 12 })
    for index in heard.indices.dropFirst(2) { #expect(!heard[(index - 2)..<index].contains(heard[index])) }
  }

  @Test("P10.1: of five tracks or more, the next round is another, also where one of its tracks is promised before")
  func roundsOfFew() {
    for (count, seed) in zip(5...12, UInt64(0)...) {
      let listed = (0..<count).map { TrackID($0) }
      var queue = Queue(listed, repeats: .queue, shuffle: seed)
      var heard: [TrackID] = []
      var next = queue.following(queue.place)
      while heard.count < count * 20, let place = next {
        heard.append(queue[queue.place])
        let promised = queue[place]
        // It is opened while the track before it is heard, and what follows it is promised then.
        queue.prepareRound(listed, after: promised)
        let behind = queue.following(place).map { queue[$0] }
        queue.go(to: place)
        queue.beginRound(listed, promised: [behind].compactMap(\.self))
        next = behind.flatMap(queue.place(of:))
      }
      let rounds = stride(from: 0, to: heard.count, by: count).map { Array(heard[$0..<($0 + count)]) }
      #expect(rounds.count == 20 && rounds.allSatisfy { Set($0).count == count }, "\(count)")
      #expect(zip(rounds, rounds.dropFirst()).allSatisfy { $0 != $1 }, "\(count)")
    }
  }

  @Test("P10.1: an order that begins after the end does not begin with the track that has ended")
  func beginsWithAnother() {
    for seed in UInt64(0)..<100 {
      var queue = Queue(count: 3, repeats: .off, shuffle: seed)
      queue.go(to: 2)
      let last = queue.track
      queue.begin((0..<3).map { TrackID($0) })
      #expect(queue.track != last && queue.isAtStart, "\(seed)")
    }
    var single = Queue(count: 1, repeats: .off, shuffle: 1)
    single.begin([0])
    #expect(single.track == 0)
  }

  @Test("An empty queue has no track, and neither has a place behind the end")
  func empty() {
    #expect(queue(0).isEmpty)
    #expect(queue(0).track == nil)
    #expect(queue(2, at: 2).track == nil)
    #expect(queue(2, at: 1).track == 1)
  }
}
