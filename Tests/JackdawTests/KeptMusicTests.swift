import Firmware
import Glibc
import Jukebox
import Storage
import TestSupport
import Testing

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
}
