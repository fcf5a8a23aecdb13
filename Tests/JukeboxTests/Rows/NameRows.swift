import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

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

  private static let tracks = ["\(apart).mp3", "\(together).mp3"]

  @Test("N1: two tracks that look alike are counted as two")
  func counted() {
    let kiosk = Self.kiosk(Self.tracks)
    kiosk.type("play", then: .seconds(70))
    kiosk.type("stop")
    let started = kiosk.counted.compactMap { if case .start(let name) = $0 { FileName(name) } else { nil } }
    #expect(started == Self.tracks.map { FileName($0) })
    let left = kiosk.counted.compactMap { if case .left(let name, _, _) = $0 { FileName(name) } else { nil } }
    #expect(left == Self.tracks.map { FileName($0) })
    var period = CountedPeriod(id: 1, span: .powerOn)
    for step in kiosk.counted { period.count(step, hour: nil) }
    #expect(period.names.count == 2 && period.tracks.count == 2)
    #expect(Self.tracks.allSatisfy { period.tracks[FileName($0)]?.starts == 1 })
    period.fold(Self.tracks[0])
    #expect(period.names.map { FileName($0) } == [FileName(CountedPeriod.others), FileName(Self.tracks[1])])
    var history = CountedHistory([period])
    history.fold()
    #expect(history.periods.first?.tracks.count == 2)
  }

  @Test("W1: going from a track to one that looks alike is saved")
  func saved() {
    let kiosk = Self.kiosk(Self.tracks)
    kiosk.type("next")
    kiosk.type("previous", then: .seconds(5))
    kiosk.forget()
    kiosk.type("next", then: .seconds(5))
    #expect(kiosk.saves.last?.track.fileName == FileName(Self.tracks[1]))
  }

  @Test("D1: of two cues that look alike each is spoken by its bytes, and a single one however it is typed")
  func cues() {
    let cues = [Self.apart, Self.together].map { Cue(name: $0, path: "/c/\($0).mp3") }
    for (index, cue) in cues.enumerated() {
      let kiosk = Kiosk(cues: cues)
      kiosk.type("cue \(cue.name)")
      #expect(kiosk.engine.cue?.index == index)
      let single = Kiosk(cues: [cue])
      for typed in cues.map(\.name) {
        single.type("cue \(typed)")
        #expect(single.engine.cue?.index == 0)
        single.type("stop")
      }
    }
  }

  @Test("T1: two folders of music that look alike are both reached")
  func folders() {
    let folders = ["/m/\(Self.apart)", "/m/\(Self.together)"]
    let tracks = folders.map { Track(path: "\($0)/1.mp3", name: "1.mp3", folder: $0) }
    let list = TrackList(tracks)
    #expect(list.map { Array($0.path.utf8) } == tracks.map { Array($0.path.utf8) })
    #expect(list.paths.isEmpty && TrackList([tracks[0]]) != TrackList([tracks[1]]))
    var joined = TrackList([tracks[0]])
    joined.append(contentsOf: TrackList([tracks[1]]))
    #expect(joined.map { Array($0.path.utf8) } == tracks.map { Array($0.path.utf8) })
    #expect(Library(joined, after: Library([tracks[1], tracks[0]])).difference.replaced == 2)
  }

  @Test("X2: of two folders that look alike each is missing by itself")
  func missing() {
    let kiosk = Self.kiosk(["1.mp3"])
    let gone = [Self.apart, Self.together].map { LibraryReport.Missing(folder: "/media/\($0)", reason: "gone") }
    kiosk.list(["1.mp3"], missing: [gone[0]])
    kiosk.list(["1.mp3"], missing: gone)
    kiosk.list(["1.mp3"], missing: [gone[1]])
    #expect(kiosk.names(.libraryMissing).compactMap { $0["folder"]?.fileName } == gone.map { FileName($0.folder) })
    #expect(kiosk.names(.libraryFound).compactMap { $0["folder"]?.fileName } == [FileName(gone[0].folder)])
  }
}
