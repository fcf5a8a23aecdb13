import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

@Suite struct CoinRows {
  static let lines = [
    Line(name: "COIN", role: .coin(CoinLine()), debounce: .zero),
    Line(name: "SLOT", role: .coin(CoinLine()), debounce: .zero), Line(name: "INHIBIT", role: .coinInhibit),
    Line(name: "GATE", role: .coinInhibit),
  ]

  private func kiosk(
    plugged: Set<String> = [], waits: Bool = true, names: [String]? = nil,
    _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let kiosk = Kiosk(plugged: plugged, selectors: Self.lines, names: names) { settings in
      settings.requests = RequestSettings()
      settings.requests?.credits = CreditSettings()
      change(&settings)
    }
    if waits { kiosk.wait(.seconds(2)) }
    return kiosk
  }

  private func inhibits(_ kiosk: Kiosk) -> Bool { kiosk.jukebox.coinInhibits.isAsserted }

  @Test("J3: each coin is one line, when its train is over; no debounce, no stuck button")
  func coin() {
    let kiosk = kiosk()
    kiosk.forget()
    kiosk.drop(5, at: "COIN")
    #expect(kiosk.names(.coinTaken).isEmpty)
    kiosk.wait(.milliseconds(101))
    #expect(kiosk.names(.coinTaken).map { $0["pulses"] } == ["5"])
    kiosk.wait(.seconds(60))
    #expect(kiosk.names(.coinTaken).count == 1 && kiosk.names(.lineStuck).isEmpty)
    #expect(kiosk.timers.keys.allSatisfy { if case .coin = $0 { false } else { true } })
  }

  @Test("J3: two acceptors at once, with bounce, and a storm of edges on other lines: each counts its own")
  func twoAtOnce() {
    var random = SplitMix64(state: 9)
    let kiosk = kiosk()
    kiosk.forget()
    var ends = (0.0, 0.0)
    let begin = Double((kiosk.now - .powerOn).wholeNanoseconds / 1_000_000) + 10
    let one = CoinTraces.train(5, of: 50, jitter: 0.2, bounce: 3, at: begin, using: &random, end: &ends.0)
    let other = CoinTraces.train(12, of: 20, jitter: 0.2, bounce: 2, at: begin + 7, using: &random, end: &ends.1)
    let all = (one.map { ("COIN", $0) } + other.map { ("SLOT", $0) }).sorted { $0.1.at < $1.1.at }
    for (line, edge) in all {
      kiosk.wait(edge.at - kiosk.now)
      kiosk.feed(.coin(kiosk.line(line), [edge]))
      kiosk.edge("PAGE", edge.asserted)
    }
    kiosk.wait(.milliseconds(200))
    let taken = kiosk.names(.coinTaken).map { [$0["line"], $0["pulses"]] }
    #expect(Set(taken) == [["COIN", "5"], ["SLOT", "12"]] && taken.count == 2)
  }

  @Test("J3: a coin is a hand on the kiosk, and noise is none")
  func touch() {
    let kiosk = kiosk { $0.idleReset = .seconds(60) }
    let touched = kiosk.jukebox.touched
    kiosk.edge("COIN", true, then: .milliseconds(1))
    kiosk.edge("COIN", false, then: .milliseconds(500))
    #expect(kiosk.jukebox.touched == touched)
    kiosk.drop(1, at: "COIN")
    kiosk.wait(.milliseconds(500))
    #expect(kiosk.jukebox.touched != touched)
  }

  @Test("J3.1: a jam is one line, coins are inhibited until the line has rested, and it is a fault")
  func jam() {
    let kiosk = kiosk()
    kiosk.forget()
    kiosk.edge("SLOT", true, then: .milliseconds(1_001))
    let refused = kiosk.names(.coinRefused)
    #expect(refused.map { [$0["reason"], $0["line"]] } == [["jam", "SLOT"]] && refused.first?.level == .warn)
    #expect(kiosk.signals["INHIBIT"] == .on && kiosk.signals["GATE"] == .on)
    kiosk.wait(.seconds(600))
    kiosk.edge("SLOT", false, then: .milliseconds(151))
    #expect(!inhibits(kiosk) && kiosk.names(.coinTaken).isEmpty && kiosk.names(.coinRefused).count == 1)
  }

  @Test("J3.2: lost edges and a sleep refuse the coin with a reason")
  func lost() {
    let kiosk = kiosk()
    kiosk.feed(.coin(kiosk.line("COIN"), [CoinEdge(true, at: kiosk.now, followsLoss: true)]), then: .milliseconds(50))
    kiosk.edge("COIN", false, then: .milliseconds(200))
    #expect(kiosk.last(.coinRefused)?["reason"] == "lost-edges")
    kiosk.drop(2, at: "COIN")
    kiosk.feed(.woke(asserted: [], slept: .zero), then: .milliseconds(200))
    #expect(kiosk.last(.coinRefused)?["reason"] == "slept")
    #expect(kiosk.names(.coinTaken).isEmpty)
  }

  @Test("J3.3: closed at power on and in the first 2 s there is no coin, and they are inhibited")
  func boot() {
    let kiosk = kiosk(plugged: ["COIN"], waits: false)
    #expect(inhibits(kiosk) && kiosk.signalEdges.isEmpty)
    kiosk.wait(.milliseconds(50))
    kiosk.edge("COIN", false, then: .milliseconds(300))
    kiosk.drop(2, at: "SLOT")
    kiosk.wait(.milliseconds(300))
    #expect(kiosk.names(.coinRefused).map { $0["reason"] } == ["boot", "boot"])
    kiosk.wait(.seconds(2))
    #expect(kiosk.signalEdges == ["2.000 INHIBIT off", "2.000 GATE off"])
    kiosk.drop(2, at: "SLOT")
    kiosk.wait(.milliseconds(300))
    #expect(kiosk.names(.coinTaken).map { $0["pulses"] } == ["2"])
  }

  @Test("J3.4: a storm on the line is one line.stuck, no coin, and inhibits until it is over")
  func storm() {
    let kiosk = kiosk()
    kiosk.forget()
    for _ in 0..<2_000 {
      kiosk.edge("COIN", true, then: .milliseconds(1))
      kiosk.edge("COIN", false, then: .milliseconds(1))
    }
    #expect(kiosk.names(.lineStuck).map { $0["line"] } == ["COIN"] && inhibits(kiosk))
    kiosk.wait(.seconds(1))
    #expect(!inhibits(kiosk))
    #expect(kiosk.names(.coinTaken).isEmpty && kiosk.names(.coinRefused).isEmpty && kiosk.names(.lineStuck).count == 1)
  }

  @Test("J3.6: coins are inhibited while nothing could be had for one, and it could not be counted")
  func inhibited() {
    let kiosk = kiosk()
    #expect(!inhibits(kiosk) && kiosk.signals["INHIBIT"] == nil)
    kiosk.loseOutput()
    #expect(inhibits(kiosk))
    kiosk.engine.deviceWorks = true
    kiosk.wait(.seconds(60))
    #expect(!inhibits(kiosk))
    kiosk.list([])
    #expect(inhibits(kiosk))
    kiosk.list(["1.mp3"])
    #expect(!inhibits(kiosk))
    kiosk.ledgerFault = "full"
    kiosk.type("credits +1")
    #expect(inhibits(kiosk))
    kiosk.ledgerFault = nil
    kiosk.wait(.seconds(60))
    #expect(!inhibits(kiosk))
    kiosk.type("credits +999")
    #expect(inhibits(kiosk))
  }

  @Test("J3.6: coins are inhibited while it is closed")
  func closed() {
    let kiosk = HoursRows.kiosk(selectors: Self.lines) {
      $0.requests = RequestSettings()
      $0.requests?.credits = CreditSettings()
    }
    kiosk.wait(.seconds(3))
    #expect(!inhibits(kiosk))
    HoursRows.closes(kiosk)
    #expect(inhibits(kiosk))
  }

  @Test("J3.6: with free play, and where no setting says what a coin is worth, none is taken")
  func free() {
    let free = kiosk { $0.requests?.credits?.isFree = true }
    let none = kiosk { $0.requests = nil }
    #expect(inhibits(free) && inhibits(none))
  }

  @Test("J3.6: at the shutdown coins are inhibited, and a train under way is refused")
  func shutdown() {
    let kiosk = kiosk()
    kiosk.drop(3, at: "COIN")
    kiosk.feed(.shutdown(reason: "SIGTERM"))
    #expect(kiosk.last(.coinRefused)?["reason"] == "shutdown")
    #expect(kiosk.signals["INHIBIT"] == .on && kiosk.signals["GATE"] == .on)
  }
}
