import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

@Suite struct CoinPulsesTests {
  private func edges(_ times: Double..., from first: Bool = true) -> [CoinEdge] {
    times.enumerated().map { CoinEdge(($0 % 2 == 0) == first, at: CoinTraces.instant($1)) }
  }

  @Test("J3: every speed of an acceptor, with jitter and bounce, however late it is read")
  func speeds() {
    var random = SplitMix64(state: 1)
    for time in [20.0, 50, 100] {
      for bounce in [0.0, 2, 3] {
        for pulses in 1...10 {
          var end = 0.0
          let train = CoinTraces.train(
            pulses, of: time, jitter: 0.2, bounce: bounce, at: 3_000, using: &random, end: &end)
          #expect(CoinTraces.facts(of: train) == [.coin(pulses: pulses)], "\(pulses) of \(time), bounce \(bounce)")
          #expect(CoinTraces.facts(of: train, readUpTo: 400, using: &random) == [.coin(pulses: pulses)])
        }
      }
    }
  }

  @Test("J3: a train is over 150 ms behind its last pulse, and the next one is another coin")
  func gap() {
    #expect(CoinTraces.facts(of: edges(3_000, 3_050, 3_199, 3_250)) == [.coin(pulses: 2)])
    #expect(CoinTraces.facts(of: edges(3_000, 3_050, 3_200, 3_250)) == [.coin(pulses: 1), .coin(pulses: 1)])
  }

  @Test("J3: noise is no pulse, and puts off no end of a train")
  func noise() {
    #expect(CoinTraces.facts(of: edges(3_000, 3_009.9, 3_100, 3_101)).isEmpty)
    #expect(CoinTraces.facts(of: edges(3_000, 3_010)) == [.coin(pulses: 1)])
    #expect(
      CoinTraces.facts(of: edges(3_000, 3_050, 3_150, 3_151, 3_201, 3_250)) == [.coin(pulses: 1), .coin(pulses: 1)])
    // Sparks that are close together are not a pulse, however many there are.
    let sparks = (0..<100).map { CoinEdge($0 % 2 == 0, at: ms(3_000 + $0 / 2 * 4 + $0 % 2)) }
    #expect(CoinTraces.facts(of: sparks).isEmpty)
  }

  private func ms(_ time: Int) -> Instant { CoinTraces.instant(Double(time)) }

  @Test("J3: a gap that is bounce ends no pulse")
  func bounce() {
    #expect(CoinTraces.facts(of: edges(3_000, 3_020, 3_029, 3_050)) == [.coin(pulses: 1)])
    #expect(CoinTraces.facts(of: edges(3_000, 3_020, 3_030, 3_050)) == [.coin(pulses: 2)])
  }

  @Test("J3.1: a pulse that does not end is a jam at once, once, and its train counts nothing")
  func jam() {
    #expect(CoinTraces.facts(of: edges(3_000, 4_000)) == [.coin(pulses: 1)])
    #expect(CoinTraces.facts(of: edges(3_000, 4_001)) == [.refused(.jam)])
    #expect(CoinTraces.facts(of: edges(2_900, 2_950, 3_000, 9_000, 9_050, 9_100)) == [.refused(.jam)])
    #expect(CoinTraces.facts(of: edges(3_000, 9_000, 9_150, 9_200)) == [.refused(.jam), .coin(pulses: 1)])
    var pulses = CoinPulses(CoinLine(), level: false, at: .powerOn)
    _ = pulses.take(CoinEdge(true, at: ms(3_000)))
    #expect(pulses.due == ms(4_000) && pulses.timerFired(at: ms(4_000)).isEmpty && !pulses.isJammed)
    #expect(pulses.timerFired(at: ms(4_001)) == [.refused(.jam)] && pulses.isJammed)
    // Nobody wakes up for a coin that sticks.
    #expect(pulses.due == nil)
    _ = pulses.take(CoinEdge(false, at: ms(60_000)))
    #expect(pulses.isJammed && pulses.timerFired(at: ms(60_150)).isEmpty)
    #expect(pulses.timerFired(at: ms(60_151)).isEmpty && !pulses.isJammed && pulses.due == nil)
  }

  @Test("J3.2: of a train of which an edge was lost nobody knows what it is worth")
  func lost() {
    let train = edges(3_000, 3_050, 3_100, 3_150, 3_200, 3_250)
    for lost in 0..<5 {
      for count in 1...2 where lost + count < train.count {
        var rest = train
        rest.removeSubrange(lost..<lost + count)
        rest[lost].followsLoss = true
        #expect(CoinTraces.facts(of: rest) == [.refused(.lostEdges)], "\(count) from \(lost)")
      }
    }
    // Its last edges came with none after them: the line was read.
    #expect(
      CoinTraces.facts(of: train[..<3] + [CoinEdge(false, at: ms(3_300), followsLoss: true)]) == [.refused(.lostEdges)])
    #expect(
      CoinTraces.facts(of: train + [CoinEdge(false, at: ms(3_350), followsLoss: true)]) == [.refused(.lostEdges)])
  }

  @Test("J3.2: a train in whose middle the board slept counts nothing; one before and one behind it do")
  func sleep() {
    func slept(_ before: [CoinEdge], level: Bool, _ after: [CoinEdge]) -> [CoinPulses.Fact] {
      var pulses = CoinPulses(CoinLine(), level: false, at: .powerOn)
      var facts = before.flatMap { pulses.take($0) }
      while let due = pulses.due, due < ms(5_000) { facts += pulses.timerFired(at: due) }
      pulses.wake(level: level, slept: .zero, at: ms(5_000))
      for edge in after {
        while let due = pulses.due, due < edge.at { facts += pulses.timerFired(at: due) }
        facts += pulses.take(edge)
      }
      while let due = pulses.due { facts += pulses.timerFired(at: due) }
      return facts
    }
    #expect(slept(edges(4_000, 4_050), level: false, edges(5_100, 5_150)) == [.coin(pulses: 1), .coin(pulses: 1)])
    #expect(slept(edges(4_800, 4_900), level: false, []) == [.refused(.slept)])
    #expect(slept(edges(4_800, 4_900), level: false, edges(5_100, 5_150)) == [.refused(.slept)])
    #expect(slept(edges(4_980), level: false, []) == [.refused(.slept)])
    #expect(slept([], level: true, edges(5_050, from: false)) == [.refused(.slept)])
    #expect(slept([], level: false, []).isEmpty)
    // Edges of before the sleep that were read after it.
    #expect(slept([], level: false, edges(4_998, 4_999)) == [.refused(.slept)])
    #expect(slept([], level: true, edges(4_999)).contains(.refused(.jam)))
    // It opened in the sleep, which makes no edge.
    #expect(slept([], level: false, edges(4_999)) == [.refused(.slept)])
    let coin = edges(5_300, 5_350)
    #expect(slept([], level: false, edges(4_999) + coin) == [.refused(.slept), .coin(pulses: 1)])
  }

  @Test("J3.3: a line that is closed at power on is no coin, and no train that began in the first 2 s is one")
  func boot() {
    #expect(CoinTraces.facts(of: edges(50, from: false), level: true) == [.refused(.boot)])
    #expect(CoinTraces.facts(of: edges(1_999, 2_049, 2_100, 2_150)) == [.refused(.boot)])
    #expect(CoinTraces.facts(of: edges(2_000, 2_050)) == [.coin(pulses: 1)])
    #expect(CoinTraces.facts(of: edges(100, 101)).isEmpty)
    #expect(CoinTraces.facts(of: [], level: true) == [.refused(.jam)])
  }

  @Test(
    "J3.4: a storm is one line and no coin, and the line counts again once it has rested", arguments: [1, 2, 7, 30])
  func storm(half: Int) {
    var storm: [CoinEdge] = []
    for time in stride(from: 3_000, to: 33_000, by: 2 * half) {
      storm += [CoinEdge(true, at: ms(time)), CoinEdge(false, at: ms(time + half))]
    }
    let facts = CoinTraces.facts(of: storm + edges(40_000, 40_050))
    guard case .stuck? = facts.first else {
      Issue.record("\(facts)")
      return
    }
    #expect(facts.dropFirst() == [.coin(pulses: 1)])
    // What the kernel keeps of a faster one.
    let thinned = storm.enumerated().map { CoinEdge($1.asserted, at: $1.at, followsLoss: $0 % 10 == 0) }
    if half < 10 { #expect(CoinTraces.facts(of: thinned).count == 1) }
  }

  @Test("J3.4: a storm that ends closed is over when the line has opened and rested, without another edge")
  func endsClosed() {
    var pulses = CoinPulses(CoinLine(), level: false, at: .powerOn)
    var time = 3_000
    while !pulses.isStuck {
      time += 1
      _ = pulses.take(CoinEdge(time % 2 == 1, at: ms(time)))
    }
    if time % 2 == 0 { _ = pulses.take(CoinEdge(true, at: ms(time + 1))) }
    _ = pulses.take(CoinEdge(false, at: ms(time + 2)))
    while let due = pulses.due, pulses.isStuck { _ = pulses.timerFired(at: due) }
    #expect(!pulses.isStuck && pulses.due == nil)
  }

  @Test("J3: nothing wakes up for a line at rest, nor for noise")
  func rest() {
    var pulses = CoinPulses(CoinLine(), level: false, at: .powerOn)
    #expect(pulses.due == nil)
    for edge in edges(3_000, 3_001) { _ = pulses.take(edge) }
    #expect(pulses.due == nil)
    for edge in edges(4_000, 4_050) { _ = pulses.take(edge) }
    #expect(pulses.due == ms(4_200) && pulses.timerFired(at: ms(4_200)).isEmpty && pulses.due == ms(4_201))
    #expect(pulses.timerFired(at: ms(4_201)) == [.coin(pulses: 1)] && pulses.due == nil)
  }

  @Test("J3: an edge that waited to be read while the time of a train ran out is one of that train")
  func race() {
    var pulses = CoinPulses(CoinLine(), level: false, at: .powerOn)
    for edge in edges(3_000, 3_050) { _ = pulses.take(edge) }
    #expect(pulses.timerFired(at: ms(3_290)).isEmpty)
    for edge in edges(3_180, 3_230) { #expect(pulses.take(edge).isEmpty) }
    #expect(pulses.due == ms(3_380))
    #expect(pulses.timerFired(at: ms(3_380)).isEmpty)
    #expect(pulses.timerFired(at: ms(3_381)) == [.coin(pulses: 2)])
  }

  @Test("J3: a train that the firmware does not see to its end is none")
  func shutdown() {
    var pulses = CoinPulses(CoinLine(), level: false, at: .powerOn)
    #expect(pulses.end().isEmpty)
    for edge in edges(3_000, 3_050) { _ = pulses.take(edge) }
    #expect(pulses.end() == [.refused(.shutdown)])
    #expect(pulses.due == nil && pulses.end().isEmpty)
  }

  @Test("J3: 10,000 random trains are what a slow model makes of samples of the line")
  func random() {
    var random = SplitMix64(state: 3)
    var seen: [CoinPulses.Fact: Int] = [:]
    for round in 0..<200 {
      var (samples, edges): ([Bool], [CoinEdge]) = ([false], [])
      for _ in 0..<50 { samples += randomTrain(using: &random) }
      for index in samples.indices.dropFirst() where samples[index] != samples[index - 1] {
        edges.append(CoinEdge(samples[index], at: CoinTraces.instant(Double(index) / Double(CoinModel.pace))))
      }
      let expected = CoinModel(samples: samples).facts()
      for fact in expected { seen[fact, default: 0] += 1 }
      #expect(CoinTraces.facts(of: edges) == expected, "round \(round)")
      #expect(CoinTraces.facts(of: edges, readUpTo: 300, using: &random) == expected, "round \(round), read late")
    }
    #expect(seen[.refused(.jam)] ?? 0 > 100 && seen[.refused(.boot)] ?? 0 > 50 && seen[.coin(pulses: 5)] ?? 0 > 100)
  }

  /// Pulses, gaps, bounce and noise about the times that decide, and then a rest.
  private func randomTrain(using random: inout SplitMix64) -> [Bool] {
    var samples: [Bool] = []
    func add(_ level: Bool, _ time: ClosedRange<Int>) {
      samples += Array(repeating: level, count: Int.random(in: time, using: &random))
    }
    for _ in 0..<Int.random(in: 0...10, using: &random) {
      switch Int.random(in: 0..<100, using: &random) {
      case 0: add(true, 995...1_200)
      case 1..<15: add(true, 1...12)
      case _: add(true, 16...60)
      }
      for _ in 0..<max(0, Int.random(in: -4...3, using: &random)) {
        add(false, 1...11)
        add(true, 1...11)
      }
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<5: add(false, 140...160)
      case 5..<15: add(false, 1...12)
      case _: add(false, 16...60)
      }
    }
    add(false, 100...300)
    return samples
  }
}
