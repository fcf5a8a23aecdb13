import Board
import Firmware
import Glibc
import Jukebox
import Storage
import TestSupport
import Testing
import TrackDecoding

@testable import jackdaw

@Suite struct KeptMusicTests {
  private func watched(_ folder: TemporaryFolder, _ names: [String] = ["m"]) -> WatchedMusic {
    let folders = names.map { MusicFolder(path: folder.path(of: $0), setting: "kiosk.toml:1") }
    return WatchedMusic(folders, notices: Notices(), store: ListingStore(path: folder.path(of: "music.list")))
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
}
