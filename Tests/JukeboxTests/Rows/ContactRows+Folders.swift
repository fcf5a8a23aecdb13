import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Contacts that choose the next file of a folder, or any (O4).
extension ContactRows {
  @Test("O4: each press plays the file that follows, round and round, as a chosen track of its playlist")
  func next() {
    let kiosk = Self.kiosk(Manners(.next), .playlist("english"), names: Kiosk.folders) { $0.afterTrack = .stop }
    var heard: [String?] = []
    for _ in 0..<5 {
      Self.trip(kiosk)
      heard.append(kiosk.status.file)
      kiosk.wait(.seconds(3))
    }
    #expect(heard == ["1", "2", "1", "2", "1"].map { "english/\($0) \($0 == "1" ? "House" : "Yard").mp3" })
    #expect(kiosk.status.playlist == "english")
    kiosk.wait(.seconds(60))
    #expect(kiosk.last(.playbackStopped)?["cause"] == "track-ended")
  }

  @Test(
    "O4, T2: a file that is drawn begins anew where it plays already, whatever `again` says",
    arguments: Settings.Again.allCases, [Manners.Mode.next, .random])
  func drawnAgain(again: Settings.Again, mode: Manners.Mode) {
    let kiosk = Self.kiosk(Manners(mode), .playlist("f"), names: ["f/1", "g/1"]) { $0.again = again }
    Self.trip(kiosk)
    kiosk.wait(.seconds(30))
    Self.trip(kiosk)
    #expect(kiosk.status.state == .playing && kiosk.status.frame < Kiosk.rate)
    kiosk.wait(.seconds(30))
    kiosk.type("pause", then: .seconds(3))
    Self.trip(kiosk)
    #expect(kiosk.status.state == .playing && kiosk.status.frame < Kiosk.rate)
  }

  @Test("O4, W1: no file is heard twice before all were, whichever is drawn, also across a power cut")
  func random() {
    let names = (1...9).map { "f/\($0).mp3" } + ["g/1.mp3"]
    var saved = PowerOn.Saved.nothing
    var rounds: [[String]] = [[]]
    var last = ""
    for boot in 0..<12 {
      let kiosk = Kiosk(
        saved: saved, seed: UInt64(boot), selectors: [Self.line("PIR", .playlist("f"), Manners(.random))], names: names)
      for _ in 0..<(boot % 5) {
        Self.trip(kiosk)
        let file = kiosk.status.file ?? ""
        #expect(file != last)
        last = file
        if rounds[rounds.count - 1].count == 9 { rounds.append([]) }
        rounds[rounds.count - 1].append(file)
        kiosk.wait(.seconds(5))
      }
      if let state = kiosk.saves.last { saved = .state(state) }
    }
    #expect(rounds.count == 3 && rounds.allSatisfy { Set($0).count == $0.count })
    #expect(rounds[0] != rounds[0].sorted() && rounds[0] != rounds[1])
  }

  @Test("O4, T4: the log names the file that is chosen, where that is of another playlist", arguments: [false, true])
  func chosenFile(isToken: Bool) {
    let kiosk = Self.kiosk(Manners(.next), .playlist("english"), names: Kiosk.folders) {
      $0.tokens = ["A": .track(.file("english/2 Yard"))]
    }
    Self.trip(kiosk)
    kiosk.type("playlist deutsch")
    if isToken { kiosk.read("A") } else { Self.trip(kiosk) }
    let change = kiosk.last(.playlistChanged)
    #expect(change?["playlist"] == "english" && change?["track"] == "2" && kiosk.status.track == 2)
    #expect(kiosk.status.frame < Kiosk.rate && kiosk.last(.trackStarted)?["file"] == "english/2 Yard.mp3")
  }

  @Test("O4.1, X1: where the music changes, the place among the files stays, and what comes has its turn")
  func changedFolder() {
    let kiosk = Self.kiosk(Manners(.next), .playlist("f"), names: ["f/1", "f/2", "f/3", "f/4"])
    Self.trip(kiosk)
    Self.trip(kiosk)
    #expect(kiosk.status.file == "f/2")
    // The one that was heard last goes, and one comes after it.
    kiosk.list(["f/1", "f/3", "f/3a", "f/4"])
    Self.trip(kiosk)
    #expect(kiosk.status.file == "f/3")
    Self.trip(kiosk)
    #expect(kiosk.status.file == "f/3a")
    kiosk.list([])
    Self.trip(kiosk)
    #expect(kiosk.last(.choiceFailed)?["playlist"] == "f")
    var drawn: Set<String> = []
    let random = Self.kiosk(Manners(.random), .playlist("f"), names: ["f/1", "f/2", "f/3"])
    Self.trip(random)
    random.list(["f/1", "f/2", "f/3", "f/4", "f/5"])
    for _ in 0..<10 {
      Self.trip(random)
      drawn.insert(random.status.file ?? "")
    }
    #expect(drawn.count == 5)
  }
}
