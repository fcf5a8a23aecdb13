import AudioSession
import Testing

@testable import Jukebox

/// The decoder of a knob, by edges as contacts make them.
@Suite struct QuadratureTests {
  /// A knob in somebody's hand, with contacts that bounce.
  private struct Hand {
    var decoder: Quadrature
    var random: SplitMix64
    /// Where the knob is, in quarters of a cycle.
    private(set) var place = 0
    private(set) var now = Instant.powerOn + .seconds(1)
    /// What was counted, and the lowest and highest it ever was.
    private(set) var detents = 0
    private var (a, b) = (false, false)
    /// Per cent of the edges that the kernel loses, and tells of with the next one.
    var losses = 0
    private var pending: [KnobEdge] = []

    init(steps: Int = 4, seed: UInt64 = 1, from place: Int = 0) {
      decoder = Quadrature(steps: steps, stuckAfter: .seconds(15))
      random = SplitMix64(state: seed)
      self.place = place
      (a, b) = Self.levels(place)
      decoder.stand(a: a, b: b, at: now)
    }

    private static func levels(_ place: Int) -> (Bool, Bool) {
      [(false, false), (true, false), (true, true), (false, true)][((place % 4) + 4) % 4]
    }

    mutating func wait(_ time: Duration) { now = now + time }

    /// One quarter, with up to `bounces` pairs of edges after it.
    mutating func quarter(isUp: Bool, every time: Duration = .milliseconds(3), bounces: Int = 0) {
      wait(time)
      place += isUp ? 1 : -1
      let (newA, newB) = Self.levels(place)
      let contact = newA != a ? KnobContact.a : .b
      let level = contact == .a ? newA : newB
      (a, b) = (newA, newB)
      edge(contact, level)
      for _ in 0..<bounces {
        wait(.microseconds(100))
        edge(contact, !level)
        wait(.microseconds(100))
        edge(contact, level)
      }
    }

    private mutating func edge(_ contact: KnobContact, _ level: Bool) {
      pending.append(KnobEdge(contact, asserted: level, at: now))
      if losses == 0 { deliver() }
    }

    /// The board reads its lines: edges that the kernel had no room for are missing, and then all are positions.
    mutating func deliver() {
      let kept = pending.filter { _ in Int(random.next() % 100) >= losses }
      for edge in kept {
        if kept.count < pending.count {
          _ = decoder.take(edge, isComplete: false)
        } else if case .detent(let isUp) = decoder.take(edge) {
          detents += isUp ? 1 : -1
        }
      }
      pending = []
    }

    mutating func turn(_ count: Int, every time: Duration = .milliseconds(3), bounces: Int = 0, steps: Int = 4) {
      for _ in 0..<abs(count) * steps { quarter(isUp: count > 0, every: time, bounces: bounces) }
    }
  }

  @Test("G1: every detent is one step of its direction, slow or fast, with bounce or without", arguments: [1, 2, 4])
  func detents(steps: Int) {
    for time in [Duration.microseconds(700), .milliseconds(8), .milliseconds(500)] {
      for bounces in [0, 1, 5] {
        var hand = Hand(steps: steps)
        hand.turn(7, every: time, bounces: bounces, steps: steps)
        #expect(hand.detents == 7)
        hand.wait(.milliseconds(500))
        hand.turn(-10, every: time, bounces: bounces, steps: steps)
        #expect(hand.detents == -3)
      }
    }
  }

  @Test("G1.1: whoever turns by half and back has turned nothing, however often")
  func halfTurns() {
    var hand = Hand()
    for _ in 0..<20 {
      for _ in 0..<3 { hand.quarter(isUp: true, bounces: 2) }
      hand.wait(.seconds(1))
      for _ in 0..<3 { hand.quarter(isUp: false, bounces: 2) }
      hand.wait(.seconds(1))
    }
    #expect(hand.detents == 0)
    hand.turn(1)
    #expect(hand.detents == 1)
  }

  @Test("G1: a detent that takes a minute is one")
  func slow() {
    var hand = Hand()
    hand.turn(3, every: .seconds(15))
    #expect(hand.detents == 3)
  }

  @Test("G1.1: bounce, reversals and half turns never make a step the other way or two", arguments: 0..<200)
  func anything(seed: Int) {
    var hand = Hand(steps: [2, 4][seed % 2], seed: UInt64(seed))
    let steps = [2, 4][seed % 2]
    var anchor = 0
    var expected = 0
    for _ in 0..<400 {
      let isUp = hand.random.next() % 100 < 55
      let time = Duration.microseconds(Int64(hand.random.next() % 5_000) + 300)
      hand.quarter(isUp: isUp, every: time, bounces: Int(hand.random.next() % 4))
      // From the last detent on, a whole cycle counts.
      if abs(hand.place - anchor) == steps {
        expected += (hand.place - anchor).signum()
        anchor = hand.place
      }
      #expect(hand.detents == expected)
    }
  }

  @Test("G1.1, G2: edges that the kernel lost never make a step the other way or two", arguments: 0..<200)
  func losses(seed: Int) {
    var hand = Hand(seed: UInt64(seed))
    hand.losses = 8
    for round in 0..<40 {
      let (isUp, former) = (round % 2 == 0, hand.detents)
      let count = Int(hand.random.next() % 6) + 1
      for _ in 0..<count {
        let before = hand.detents
        for _ in 0..<4 {
          hand.quarter(isUp: isUp, bounces: Int(hand.random.next() % 3))
          if hand.random.next() % 3 == 0 { hand.deliver() }
        }
        hand.deliver()
        #expect((0...1).contains((hand.detents - before) * (isUp ? 1 : -1)))
      }
      #expect(abs(hand.detents - former) <= count)
      hand.wait(.milliseconds(400))
    }
  }

  @Test("G1.1: one lost edge of which nobody knows costs a step, and no more", arguments: 0..<40)
  func lostEdge(index: Int) {
    var hand = Hand()
    var edges: [KnobEdge] = []
    var (a, b) = (false, false)
    for quarter in 1...40 {
      if quarter % 2 == 1 { a.toggle() } else { b.toggle() }
      edges.append(
        KnobEdge(quarter % 2 == 1 ? .a : .b, asserted: quarter % 2 == 1 ? a : b, at: hand.now + .milliseconds(quarter)))
    }
    edges.remove(at: index)
    var detents = 0
    for edge in edges {
      if case .detent(let isUp) = hand.decoder.take(edge) { detents += isUp ? 1 : -1 }
    }
    #expect((8...10).contains(detents))
  }

  @Test("G2: power on in the middle of a detent is put right by itself, and costs steps only")
  func powerOnBetween() {
    var hand = Hand(from: 2)
    hand.quarter(isUp: true)
    hand.quarter(isUp: true)
    #expect(hand.detents == 0)
    for _ in 0..<4 {
      hand.wait(.seconds(1))
      hand.turn(1)
    }
    let former = hand.detents
    for count in 1...5 {
      hand.wait(.seconds(1))
      hand.turn(-1)
      #expect(former - hand.detents == count)
    }
  }

  @Test("G2: what is older than the position that was read is no turn")
  func older() {
    var decoder = Quadrature(steps: 1, stuckAfter: .seconds(15))
    let now = Instant.powerOn + .seconds(5)
    decoder.stand(a: true, b: false, at: now)
    #expect(decoder.take(KnobEdge(.a, asserted: true, at: now + .milliseconds(-1))) == .nothing)
    #expect(decoder.take(KnobEdge(.b, asserted: true, at: now + .milliseconds(1))) == .detent(isUp: true))
  }

  @Test("G1.1: edges in the wrong order of their times count nothing")
  func order() {
    var decoder = Quadrature(steps: 4, stuckAfter: .seconds(15))
    let now = Instant.powerOn + .seconds(1)
    decoder.stand(a: false, b: false, at: now)
    // Turned up, and the edges of one line come late.
    let edges = [(KnobContact.b, true, 2), (.a, true, 1), (.b, false, 4), (.a, false, 3)]
    for (contact, level, time) in edges {
      #expect(decoder.take(KnobEdge(contact, asserted: level, at: now + .milliseconds(time))) == .nothing)
    }
  }

  @Test("G8: a storm without a detent is reported once, and counts nothing until it rests")
  func storm() {
    var decoder = Quadrature(steps: 4, stuckAfter: .seconds(15))
    var now = Instant.powerOn + .seconds(1)
    decoder.stand(a: false, b: false, at: now)
    var reports: [Int] = []
    for index in 1...60_000 {
      now = now + .milliseconds(1)
      let outcome = decoder.take(KnobEdge(.a, asserted: index % 2 == 1, at: now))
      if case .stuck(let edges) = outcome { reports.append(edges) }
    }
    #expect(reports == [9_999])
    func cycle() -> Bool {
      [(KnobContact.a, true), (.b, true), (.a, false), (.b, false)].map { contact, level in
        now = now + .milliseconds(2)
        return decoder.take(KnobEdge(contact, asserted: level, at: now)) != .nothing
      }.contains(true)
    }
    #expect(!cycle())
    now = now + .milliseconds(300)
    #expect(cycle())
  }
}
