import AudioSession
import Testing

@testable import Jukebox

/// Names that somebody types, and names that the disk has.
@Suite struct NameRows {
  /// "Français" as a Mac writes it, and as everybody types it.
  private static let apart = "Franc\u{327}ais"
  private static let together = "Fran\u{e7}ais"

  private static func kiosk(_ names: [String], tokens: [String: Choice] = [:]) -> Kiosk {
    Kiosk(names: names) { $0.tokens = tokens }
  }

  @Test("T1: a track of another playlist is found with or without its folder and its ending")
  func elsewhere() {
    for name in ["deutsch/3 drei", "deutsch/3 drei.wav", "3 drei", "3 drei.wav"] {
      let kiosk = Self.kiosk(["deutsch/3 drei.wav", "english/1 one.wav", "english/2 two.wav"])
      kiosk.type("playlist english")
      kiosk.type("track \(name)")
      #expect(kiosk.status.file == "deutsch/3 drei.wav", "\(name)")
      #expect(kiosk.status.playlist == "deutsch", "\(name)")
    }
  }

  @Test("T1, T4: what looks the same is meant, however the disk writes it, and however it is typed")
  func looks() {
    for (there, typed) in [(Self.apart, Self.together), (Self.together, Self.apart)] {
      let kiosk = Self.kiosk(
        ["a/1.mp3", "\(there)/1 \(there).mp3"], tokens: ["T": .track(.file("1 \(typed)")), "P": .playlist(typed)])
      for way in ["playlist \(typed)", "track 1 \(typed)", "track \(typed)/1 \(typed)", "track 1 \(typed).mp3"] {
        kiosk.type("playlist a")
        kiosk.type(way)
        #expect(kiosk.status.file.map { Array($0.utf8) } == Array("\(there)/1 \(there).mp3".utf8), "\(way)")
        #expect(kiosk.status.playlist.map { Array($0.utf8) } == Array(there.utf8), "\(way)")
      }
      for token in ["t", "p"] {
        kiosk.type("playlist a")
        kiosk.read(token)
        #expect(kiosk.status.playlist.map { Array($0.utf8) } == Array(there.utf8), "\(token)")
        kiosk.wait(.seconds(4))
      }
    }
  }

  @Test("T4: two folders that look alike are two playlists, each reached by its bytes and by stepping")
  func twins() {
    let kiosk = Self.kiosk(["\(Self.apart)/1.mp3", "\(Self.together)/2.mp3"])
    for name in [Self.apart, Self.together, Self.apart] {
      kiosk.type("playlist \(name)")
      #expect(kiosk.status.playlist.map { Array($0.utf8) } == Array(name.utf8))
      #expect(kiosk.status.trackCount == 1)
    }
    kiosk.type("playlist +")
    #expect(kiosk.status.playlist.map { Array($0.utf8) } == Array(Self.together.utf8))
  }
}
