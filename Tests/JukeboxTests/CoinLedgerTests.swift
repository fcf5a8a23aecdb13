import Testing

@testable import Jukebox

@Suite struct CoinLedgerTests {
  private static let coins = [1: 1, 2: 2, 5: 6]

  @Test(
    "J3.5: the greatest number of pulses that fits counts, again and again",
    arguments: [(1, 1), (2, 2), (3, 3), (4, 4), (5, 6), (6, 7), (7, 8), (10, 12), (12, 14)])
  func worth(pulses: Int, credits: Int) {
    var ledger = Ledger()
    #expect(ledger.pay(pulses: pulses, worth: Self.coins) == credits)
    #expect(ledger.credits == credits && ledger.pulses == 0)
    #expect(ledger.totals == LedgerTotals(coins: 1, pulses: pulses, bought: credits))
  }

  @Test("J3.5: what makes no credit yet is kept towards the next coin")
  func remainder() {
    var ledger = Ledger()
    let coins = [2: 1, 5: 3]
    #expect(ledger.pay(pulses: 1, worth: coins) == 0 && ledger.pulses == 1)
    #expect(ledger.pay(pulses: 2, worth: coins) == 1 && ledger.pulses == 1)
    #expect(ledger.pay(pulses: 5, worth: coins) == 3 && ledger.pulses == 1)
    #expect(ledger.pay(pulses: 1, worth: coins) == 1 && ledger.pulses == 0)
    #expect(ledger.credits == 5 && ledger.totals == LedgerTotals(coins: 4, pulses: 9, bought: 5))
  }

  @Test("J3.5: never more than 999 credits; what was paid beyond waits, and turns into them when there is room")
  func most() {
    var ledger = Ledger(credits: 997)
    #expect(ledger.isFull(for: Self.coins))
    #expect(ledger.pay(pulses: 5, worth: Self.coins) == 0)
    #expect(ledger.credits == 997 && ledger.pulses == 5)
    ledger.credits -= 3
    #expect(ledger.convert(worth: Self.coins) == 0)
    ledger.credits -= 1
    #expect(ledger.convert(worth: Self.coins) == 6 && ledger.credits == 999 && ledger.pulses == 0)
    #expect(ledger.pay(pulses: 1, worth: Self.coins) == 0 && ledger.pulses == 1)
    #expect(ledger.isFull(for: Self.coins))
    #expect(!Ledger(credits: 993).isFull(for: Self.coins) && Ledger(credits: 994).isFull(for: Self.coins))
  }

  @Test("J3.5: no coin is lost and none counts twice, whatever falls in which order and is spent in between")
  func sum() {
    var random = SplitMix64(state: 5)
    for _ in 0..<200 {
      let coins = [1, 3, 7].reduce(into: [:]) { $0[$1] = $1 * 2 }
      var (ledger, paid, spent) = (Ledger(), 0, 0)
      for _ in 0..<300 {
        if Bool.random(using: &random) {
          let pulses = Int.random(in: 1...40, using: &random)
          paid += pulses
          ledger.pay(pulses: pulses, worth: coins)
        } else {
          let taken = min(ledger.credits, Int.random(in: 0...30, using: &random))
          spent += taken
          ledger.credits -= taken
          ledger.convert(worth: coins)
        }
        #expect((0...Ledger.mostCredits).contains(ledger.credits))
        #expect(ledger.credits + spent + ledger.pulses * 2 == paid * 2)
      }
    }
  }

  @Test("J3.5: numbers that no settings file has neither trap nor pay")
  func nonsense() {
    var ledger = Ledger()
    #expect(ledger.pay(pulses: -3, worth: [:]) == 0 && ledger.pulses == 0)
    #expect(ledger.pay(pulses: 3, worth: [0: 5, -1: 1, 2: 0]) == 0 && ledger.pulses == 3)
    ledger.pulses = .max
    #expect(ledger.pay(pulses: .max, worth: [1: 1]) == 999)
  }
}
