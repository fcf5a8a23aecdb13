import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// J4: credits are money.
@Suite struct CreditRows {
  static func jukebox(
    ledger: SavedLedger = .nothing, saved: PowerOn.Saved = .nothing, bad: [TrackID: String] = [:],
    _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let kiosk = RequestRows.jukebox(saved: saved, ledger: ledger) {
      $0.requests?.credits = CreditSettings()
      change(&$0)
    }
    kiosk.bad = bad
    return kiosk
  }

  private static func rich(_ credits: Int = 5, bad: [TrackID: String] = [:]) -> Kiosk {
    jukebox(ledger: .ledger(Ledger(credits: credits)), bad: bad)
  }

  @Test("J4: a request takes a credit by the write that adds it; without one it is refused, and begins nothing")
  func taken() {
    let kiosk = Self.rich(1)
    kiosk.type("track 3")
    #expect(kiosk.ledgers.map(\.credits) == [0] && kiosk.ledgers[0].requests.map(\.track) == ["3.mp3"])
    #expect(kiosk.last(.requestStarted)?["paid"] == "true")
    kiosk.type("track 1")
    #expect(kiosk.last(.requestRefused)?["reason"] == "credits" && kiosk.ledgers.count == 1)
    #expect(kiosk.replies.last == "error: track 1: no credit is left")
  }

  @Test("J4.1: the credit of a track that fails, is gone, is cleared or is skipped at once comes back, and is told")
  func returned() {
    let failing = Self.rich(bad: [2: "noise"])
    failing.type("track 3")
    #expect(failing.last(.creditReturned)?["reason"] == "failed" && failing.ledgers.last?.credits == 5)
    let gone = Self.rich()
    for track in [1, 2, 3, 4, 5] { gone.type("track \(track)") }
    gone.list(["1.mp3", "2.mp3", "3.mp3", "4.mp3"], then: .seconds(61))
    #expect(gone.last(.creditReturned)?["reason"] == "gone" && gone.ledgers.last?.credits == 1)
    let cleared = Self.rich()
    for track in [1, 5] { cleared.type("track \(track)") }
    cleared.type("requests clear")
    #expect(cleared.last(.creditReturned)?["reason"] == "cleared" && cleared.ledgers.last?.credits == 4)
    for (seconds, credits) in [(9, 5), (11, 4)] {
      let skipped = Self.rich()
      skipped.type("track 1", then: .seconds(seconds))
      skipped.type("next")
      #expect(skipped.ledgers.last?.credits == credits, "after \(seconds) s")
    }
  }

  @Test("J4.1: what the timetable stops gives its credit back, whatever was heard of it")
  func stoppedByTheClock() {
    let entry = TimetableEntry(.stop, .at([TimeOfDay(hour: 18, minute: 0)]))
    let kiosk = Self.jukebox(ledger: .ledger(Ledger(credits: 5))) { $0.timetable = [entry] }
    kiosk.type("track 1", then: .seconds(20))
    kiosk.feed(.scheduled(TimetableMoment(0, TimetableRows.day, TimeOfDay(hour: 18, minute: 0))))
    #expect(kiosk.last(.creditReturned)?["reason"] == "timetable" && kiosk.ledgers.last?.credits == 5)
  }

  @Test("J4.1: Next behind a request whose file is gone gives back the credit of one that was never heard")
  func behindOneThatIsGone() {
    let kiosk = Self.rich()
    for track in [5, 1, 2] { kiosk.type("track \(track)") }
    kiosk.wait(.seconds(12))
    kiosk.list(["1.mp3", "2.mp3", "3.mp3", "4.mp3"])
    kiosk.type("pause")
    kiosk.type("next")
    #expect(
      kiosk.names(.creditReturned).map { "\($0["file"] ?? "") \($0["reason"] ?? "")" } == [
        "5.mp3 gone", "1.mp3 skipped",
      ])
    #expect(kiosk.ledgers.last?.credits == 4)
  }

  @Test("J4.1: Previous makes nothing unheard: Next behind it costs what it would have before")
  func previous() {
    let kiosk = Self.rich()
    kiosk.type("track 1", then: .seconds(20))
    kiosk.type("previous", then: .seconds(2))
    kiosk.type("next")
    #expect(kiosk.ledgers.last?.credits == 4 && kiosk.names(.creditReturned).isEmpty)
  }

  @Test("J4.1: a request that the storage does not have yet is dropped with the visit")
  func pending() {
    let kiosk = RequestRows.jukebox(plugged: ["JACK"], ledger: .ledger(Ledger(credits: 5))) {
      $0.requests?.credits = CreditSettings()
    }
    kiosk.type("track 1")
    kiosk.unplug("JACK")
    kiosk.holdsLedger = true
    kiosk.type("track 2", then: .seconds(301))
    #expect(kiosk.ledgers.last?.credits == 5 && kiosk.ledgers.last?.requests.isEmpty == true)
    kiosk.feed(.ledger(.kept(99)))
    #expect(kiosk.sounding == nil && kiosk.status.state == .stopped)
  }

  @Test("J4.1: a credit does not come back after a visitor's Stop")
  func stopped() {
    let kiosk = Self.rich()
    kiosk.type("track 1", then: .seconds(2))
    kiosk.type("stop")
    #expect(kiosk.ledgers.last?.credits == 4 && kiosk.names(.creditReturned).isEmpty)
  }

  @Test("J4: nothing is told of a coin or a gift before the storage has it")
  func gift() {
    let kiosk = Self.jukebox()
    kiosk.holdsLedger = true
    kiosk.type("credits +3")
    #expect(kiosk.names(.creditsGiven).isEmpty && kiosk.ledgers.last?.credits == 3)
    kiosk.feed(.ledger(.kept(1)))
    #expect(kiosk.last(.creditsGiven)?["total"] == "3")
    kiosk.type("credits")
    #expect(kiosk.replies.last?.hasPrefix("credits=3 pulses=0 coins=0 bought=0 given=3") == true)
  }

  @Test("J4.2: a storage that refuses is said once, what is paid counts in memory, and is written as soon as it can be")
  func refused() {
    let kiosk = Self.jukebox()
    kiosk.ledgerFault = "full"
    kiosk.type("credits +3")
    kiosk.type("track 3")
    #expect(kiosk.names(.ledgerFailed).count == 1 && kiosk.heard?.track == 2)
    #expect(kiosk.last(.creditsGiven)?["kept"] == "false")
    kiosk.ledgerFault = nil
    let writes = kiosk.ledgers.count
    kiosk.wait(.seconds(30))
    #expect(kiosk.ledgers.count == writes + 1 && kiosk.ledgers.last?.credits == 2)
    kiosk.wait(.seconds(300))
    #expect(kiosk.ledgers.count == writes + 2, "the end of the request, and no more")
  }

  @Test("J4.2: a storage that does not answer is not waited for longer than 5 s; what it says later counts")
  func hangs() {
    let kiosk = Self.rich()
    kiosk.holdsLedger = true
    kiosk.type("track 3", then: .milliseconds(4_900))
    #expect(kiosk.sounding == nil && kiosk.names(.ledgerFailed).isEmpty)
    kiosk.wait(.milliseconds(200))
    #expect(kiosk.sounding == .speaker && kiosk.last(.ledgerFailed)?["error"] == "the storage does not answer")
    #expect(kiosk.jukebox.accounts.isRefused)
    kiosk.type("credits +2", then: .seconds(6))
    #expect(kiosk.last(.creditsGiven)?["kept"] == "false" && kiosk.names(.ledgerFailed).count == 1)
    kiosk.feed(.ledger(.kept(kiosk.ledgers.count)))
    #expect(!kiosk.jukebox.accounts.isRefused)
    let writes = kiosk.ledgers.count
    kiosk.holdsLedger = false
    kiosk.wait(.seconds(50))
    #expect(kiosk.names(.ledgerFailed).count == 1 && kiosk.ledgers.last?.credits == 6)
    #expect(kiosk.ledgers.count == writes, "nothing is written again for that")
  }

  @Test("J4.2: a board that slept while the storage wrote does not blame it")
  func sleeps() {
    let kiosk = Self.rich()
    kiosk.holdsLedger = true
    kiosk.type("track 3", then: .seconds(2))
    kiosk.feed(.woke(asserted: [], slept: .seconds(3_600)), then: .seconds(2))
    #expect(kiosk.names(.ledgerFailed).isEmpty)
  }

  @Test("J5.3: what came back is said at power on")
  func restored() {
    let request = Request(number: 3, track: "3.mp3", isPaid: true)
    let kiosk = Self.jukebox(ledger: .ledger(Ledger(credits: 2, requests: [request], nextNumber: 4)))
    #expect(kiosk.last(.ledgerRestored)?["credits"] == "2" && kiosk.last(.ledgerRestored)?["requests"] == "1")
    #expect(Self.jukebox().names(.ledgerRestored).isEmpty)
  }

  @Test("J4.3: free play takes nothing")
  func free() {
    let kiosk = Self.jukebox { $0.requests?.credits?.isFree = true }
    kiosk.type("track 3")
    #expect(kiosk.heard?.track == 2 && kiosk.last(.requestStarted)?["paid"] == nil)
  }

  @Test("J3.5: never above 999; what is paid beyond waits, and counts as soon as there is room")
  func full() {
    var ledger = Ledger(credits: 998)
    #expect(ledger.pay(pulses: 3, worth: [1: 1]) == 1 && ledger.credits == 999 && ledger.pulses == 2)
    ledger.credits -= 1
    #expect(ledger.convert(worth: [1: 1]) == 1 && ledger.credits == 999 && ledger.pulses == 1)
  }
}
