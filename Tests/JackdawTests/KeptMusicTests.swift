import AudioSession
import Board
import Dispatch
import Firmware
import Glibc
import Jukebox
import Storage
import Synchronization
import TestSupport
import Testing
import TrackDecoding

@testable import BoardFiles
@testable import jackdaw

@Suite struct KeptMusicTests {
  private func watched(_ folder: TemporaryFolder, _ names: [String] = ["m"]) -> WatchedMusic {
    let folders = names.map { MusicFolder(path: folder.path(of: $0), setting: "kiosk.toml:1") }
    let store = ListingStore(KeptDatabase(folder: folder.path))
    return WatchedMusic(folders, notices: Notices(), store: store, known: (try? store.read()) ?? nil)
  }

  private func names(_ tracks: TrackList) -> [String] { tracks.map(\.name) }

  @Test("X6: a start takes the music as it was listed last, and lists it afterwards")
  func restart() throws {
    let folder = try TemporaryFolder()
    for name in ["m", "m/sub"] { folder.makeFolder(name) }
    for name in ["m/1.mp3", "m/sub/2.mp3", "m/3.m4a"] { folder.write(name, []) }
    // A name that is no UTF-8: what is shown of it opens no file.
    var bytes = Array(folder.path(of: "m/caf").utf8CString.dropLast()) + [CChar(bitPattern: 0xE9)]
    bytes += Array(".mp3".utf8CString)
    close(open(bytes, O_CREAT | O_WRONLY, 0o600))
    let first = watched(folder)
    let music = first.first()
    #expect(names(music.tracks) == ["1.mp3", "caf\\xe9.mp3", "sub/2.mp3"])
    _ = first.list(after: Library(music.tracks), takesAll: true)

    // Whoever has not read the folder below cannot know of it.
    folder.write("m/sub/4.mp3", [])
    let second = watched(folder)
    let known = second.first()
    #expect(known.tracks == music.tracks && known.skipped == music.skipped && known.missing.isEmpty)
    let library = second.list(after: Library(known.tracks), takesAll: true).report.library
    #expect(
      names(library.tracks) == ["1.mp3", "caf\\xe9.mp3", "sub/2.mp3", "sub/4.mp3"] && library.difference.added == 1)
    #expect(names(watched(folder).first().tracks) == ["1.mp3", "caf\\xe9.mp3", "sub/2.mp3", "sub/4.mp3"])
  }

  @Test("X2, X6: a folder whose storage hangs is missing at the start, and keeps no other from being there")
  func hangs() throws {
    let folder = try TemporaryFolder()
    for name in ["m", "share"] { folder.makeFolder(name) }
    for name in ["m/1.mp3", "share/2.mp3"] { folder.write(name, []) }
    let paths = ["m", "share"].map { folder.path(of: $0) }
    let never = DispatchSemaphore(value: 0)
    let silentFolders = SilentFolders { path in if path == paths[1] { never.wait() } }
    defer { never.signal() }
    // Of that folder alone: a busy machine may give the look at the other one no turn in so short a time.
    let silent = silentFolders.find([paths[1]], within: .milliseconds(50))
    #expect(silent == [FileName(paths[1])] && SilentFolders().find(paths).isEmpty)
    // Nobody waits for it a second time, and what is elsewhere is listed.
    let hung = WatchedMusic(
      paths.map { MusicFolder(path: $0, setting: nil) }, notices: Notices(), silentFolders: silentFolders)
    let report = hung.list(after: Library([]), takesAll: true).report
    #expect(names(report.library.tracks) == ["1.mp3"] && report.missing.map(\.folder) == [paths[1]])
    for isKept in [false, true] {
      let watched = watched(folder, ["m", "share"])
      let music = watched.first(without: silent)
      #expect(names(music.tracks) == ["1.mp3"], "\(isKept)")
      #expect(music.missing.map(\.folder) == [paths[1]] && music.missing[0].reason == "the storage does not answer")
      // It answers again.
      #expect(names(watched.list(after: Library(music.tracks), takesAll: true).report.library.tracks).count == 2)
    }
  }

  @Test("D8, X2: cues whose storage hangs are missing at the start, which they do not keep waiting")
  func cuesHang() throws {
    let folder = try TemporaryFolder()
    folder.write("m/1.mp3", [])
    folder.write("cues/gong.mp3", [])
    let text = "music = [\"m\"]\ncue_folder = \"cues\"\nstate = \"s\"\n"
    let file = folder.write("kiosk.toml", text)
    let cues = folder.path(of: "cues")
    let never = DispatchSemaphore(value: 0)
    defer { never.signal() }
    func start(_ silentFolders: SilentFolders) throws -> KioskConfiguration {
      let words = try Arguments(parsing: ["--settings", file], for: RunCommand.help)
      return try KioskConfiguration(
        KioskOptions(words), defaultBoard: "sim", keepsState: true, silentFolders: silentFolders
      ) { database, _ in
        // Not the firmware's own: of that, this process would note its crashes, in place of those of other tests.
        QuarantineStore(database, openingPath: nil) { _ in nil }
      }
    }
    let hung = try start(SilentFolders { path in if path == cues { never.wait() } })
    #expect(hung.cues.isEmpty && hung.library.count == 1)
    #expect(hung.remarks == ["\(cues): the storage does not answer; without it the rest plays"])
  }

  @Test("a check does not look into folders that do not answer, and says so")
  func checkOfHanging() throws {
    var kiosk = try ChosenSettings(nil, for: ChosenBoard("sim"))
    let music = kiosk.music
    kiosk.silent = Set((music + [kiosk.cueFolder]).map { FileName($0) })
    let bad = MusicChecks.findings(kiosk).filter { $0.what.hasSuffix(": the storage does not answer") }
    #expect(bad.map(\.subject) == ["music", "cues"] && bad.allSatisfy { $0.grade == .bad })
    #expect(!MusicChecks.findings(kiosk).contains { $0.grade == .good && ["music", "cues"].contains($0.subject) })
  }

  @Test("X2: a folder that is missing is told of with the line of the settings that names it, where one does")
  func notices() throws {
    let chosen = try ChosenSettings(nil, for: ChosenBoard("sim"))
    #expect(chosen.folders.map(\.setting) == [nil])
    let notices = [nil, "kiosk.toml:3"].map {
      LibraryReport.Missing(folder: "/mnt/m", setting: $0, reason: "no such file or folder").notice
    }
    let words = "music: /mnt/m: no such file or folder; it is taken in when it comes"
    #expect(notices == [words, "kiosk.toml:3: " + words])
  }

  @Test("X1, X6: while files are still being written, what is listed is not kept: each listing would be another one")
  func copying() throws {
    let folder = try TemporaryFolder()
    folder.makeFolder("m")
    folder.write("m/1.mp3", [])
    let music = watched(folder)
    let store = ListingStore(KeptDatabase(folder: folder.path))
    #expect(music.list(after: Library([]), takesAll: false).isUnsettled)
    #expect(try store.read()?.folders.isEmpty ?? true)
    _ = music.list(after: Library([]), takesAll: true)
    #expect(try store.read()?.folders.count == 1)
  }

  @Test("X2: a missing folder is back when it can be read")
  func back() throws {
    let folder = try TemporaryFolder()
    folder.makeFolder("m")
    let music = watched(folder, ["m", "stick"])
    let missing = music.list(after: Library([]), takesAll: true).report.missing
    #expect(missing.count == 1 && !music.isBack(missing))
    folder.makeFolder("stick")
    #expect(music.isBack(missing))
  }

  @Test("X2: of the many files that a dying stick does not give, some are looked at, and by one thread")
  func dying() throws {
    let folder = try TemporaryFolder()
    folder.makeFolder("stick")
    let looks = Mutex<[String]>([])
    let music = WatchedMusic(
      [MusicFolder(path: folder.path(of: "stick"))], notices: Notices(),
      silentFolders: SilentFolders { path in looks.withLock { $0.append(path) } })
    let missing = (1...300).map {
      LibraryReport.Missing(folder: folder.path(of: "stick/\($0).mp3"), reason: "I/O error")
    }
    #expect(!music.isBack(missing) && looks.withLock { $0 } == [folder.path(of: "stick")])
    folder.write("stick/300.mp3", [])
    let turn = (1...40).first { _ in music.isBack(missing) }
    #expect(turn == 37)
  }

  @Test("X2: what is missing in a folder that does not answer is not looked at for one around it, or of such a name")
  func hangsInside() throws {
    let folder = try TemporaryFolder()
    for name in ["m", "m/share", "m-share"] { folder.makeFolder(name) }
    let paths = ["m", "m/share", "m-share"].map { folder.path(of: $0) }
    let never = DispatchSemaphore(value: 0)
    defer { for _ in paths { never.signal() } }
    let silentFolders = SilentFolders { path in if path != paths[0] { never.wait() } }
    let hanging = Array(paths.dropFirst())
    #expect(silentFolders.find(hanging, within: .milliseconds(50)) == Set(hanging.map { FileName($0) }))
    let music = WatchedMusic(
      paths.map { MusicFolder(path: $0, setting: nil) }, notices: Notices(), silentFolders: silentFolders)
    // Each of them could be read: whoever looks takes it for back.
    let missing = (hanging + [folder.path(of: "m/share/1.mp3")]).map {
      LibraryReport.Missing(folder: $0, reason: SilentFolders.reason)
    }
    folder.write("m/share/1.mp3", [])
    #expect(!music.isBack(missing))
    folder.makeFolder("m/sub")
    #expect(music.isBack(missing + [LibraryReport.Missing(folder: folder.path(of: "m/sub"), reason: "I/O error")]))
  }

  @Test("X6: a folder that is another one, missing or new is not taken for what it was")
  func others() throws {
    let folder = try TemporaryFolder()
    for name in ["m", "stick"] { folder.makeFolder(name) }
    for name in ["m/1.mp3", "stick/2.mp3"] { folder.write(name, []) }
    let first = watched(folder, ["m", "stick"])
    _ = first.list(after: Library(first.first().tracks), takesAll: true)
    rename(folder.path(of: "stick"), folder.path(of: "pulled"))
    let without = watched(folder, ["m", "stick"]).first()
    #expect(names(without.tracks) == ["1.mp3"] && without.missing.map(\.folder) == [folder.path(of: "stick")])
    folder.makeFolder("stick")
    folder.write("stick/5.mp3", [])
    #expect(names(watched(folder, ["m", "stick"]).first().tracks) == ["1.mp3", "5.mp3"])
    #expect(names(watched(folder, ["stick"]).first().tracks) == ["5.mp3"])
  }

  @Test("X6.1: music that was changed below its folder is taken for what it was, which is a guess, until it is listed")
  func changedBelow() throws {
    let folder = try TemporaryFolder()
    for name in ["m", "m/sub"] { folder.makeFolder(name) }
    for name in ["m/sub/1 Old.mp3", "m/sub/2.mp3"] { folder.write(name, []) }
    let first = watched(folder)
    let listed = first.first()
    #expect(!listed.isKept)
    _ = first.list(after: Library(listed.tracks), takesAll: true)
    rename(folder.path(of: "m/sub/1 Old.mp3"), folder.path(of: "m/sub/1 New.mp3"))
    let second = watched(folder)
    let known = second.first()
    #expect(known.isKept && names(known.tracks) == ["sub/1 Old.mp3", "sub/2.mp3"])
    let report = second.list(after: Library(known.tracks), takesAll: true).report
    #expect(!report.isKept && names(report.library.tracks) == ["sub/1 New.mp3", "sub/2.mp3"])
  }

  @Test("X6.1, X4: a file that is not there is missing, unless its folder is gone or empty, as one without its mount")
  func missing() throws {
    let folder = try TemporaryFolder()
    for name in ["m", "empty"] { folder.makeFolder(name) }
    folder.write("m/1.mp3", [])
    let found = ["m/2.mp3", "m/1.mp3/2.mp3", "m/1.mp3", "empty/2.mp3", "gone/2.mp3"].map { name in
      do throws(TrackError) {
        _ = try OpenFile(path: folder.path(of: name))
        return "open"
      } catch {
        return error.isMissing ? "missing" : error.isStorage ? "storage" : "bad"
      }
    }
    #expect(found == ["missing", "missing", "bad", "storage", "storage"])
  }

  @Test("X1, X6: two files that look alike, in two folders that look alike, are all listed, settled and kept apart")
  func alike() throws {
    let folder = try TemporaryFolder()
    let names = ["\u{e9}", "e\u{301}"]
    for name in names {
      folder.makeFolder(name)
      for file in names { folder.write("\(name)/\(file).mp3", []) }
    }
    func bytes(_ tracks: TrackList) -> Set<[UInt8]> { Set(tracks.map { Array($0.path.utf8) }) }
    let first = watched(folder, names)
    let all = first.first().tracks
    #expect(all.count == 4 && bytes(all).count == 4)
    // All are fresh: those that are known stay, and of one that looks like another nothing is known.
    for track in all {
      let known = Library([track])
      let listing = first.list(after: known, takesAll: false)
      #expect(bytes(listing.report.library.tracks) == [Array(track.path.utf8)] && listing.isUnsettled)
    }
    _ = first.list(after: Library(all), takesAll: true)
    #expect(bytes(watched(folder, [names[1]]).first().tracks).count == 2)
    #expect(watched(folder, names).first().tracks == all)
  }

  @Test("D1: settings of a cue are those of the file of that name, or of the one that looks like it")
  func cues() throws {
    let folder = try TemporaryFolder()
    folder.makeFolder("c")
    let names = ["\u{e9}", "e\u{301}"]
    let events: [EventName?] = [.trackFailed, nil]
    var kiosk = KioskSettings()
    kiosk.cueFolder = folder.path(of: "c")
    kiosk.cues = [CueSettings(name: names[0], event: .trackFailed, line: 1)]
    folder.write("c/\(names[1]).mp3", [])
    #expect(CueFiles(kiosk, fallback: "", file: "").cues.map(\.event) == [.trackFailed])
    folder.write("c/\(names[0]).mp3", [])
    let found = CueFiles(kiosk, fallback: "", file: "").cues
    #expect(found.count == 2)
    for (name, event) in zip(names, events) {
      #expect(found.first { $0.name.fileName == FileName(name) }?.event == event)
    }
  }

  @Test("N4: a report counts tracks that look alike as two")
  func report() {
    var period = CountedPeriod(id: 1, span: .powerOn)
    for name in ["\u{e9}.mp3", "e\u{301}.mp3"] {
      var counts = TrackCounts()
      counts.starts = 1
      period.add(counts, of: name)
    }
    #expect(ListeningReport([ReportSource(periods: [period])], from: nil, to: nil).tracks.count == 2)
  }
}
