import Glibc
import TestSupport
import Testing

@testable import TrackDecoding
@testable import jackdaw

@Suite struct ScanTests {
  private func lines(_ outcome: Program.Outcome) -> [String] {
    outcome.output.split(separator: "\n").map(String.init)
  }

  private func music() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    folder.makeFolder("m")
    return folder
  }

  private func track(_ name: String, in folder: TemporaryFolder) throws {
    folder.write("m/\(name)", try #require(readFile("\(Sources.fixtures)/cbr-128.mp3")))
  }

  @Test("good music is listed in natural order, and the status is 0")
  func good() throws {
    let folder = try music()
    for name in ["10 b.mp3", "2 a.mp3", "ünï ö 🎵.mp3"] { try track(name, in: folder) }
    let outcome = try Program.run(["scan", "m"], in: folder)
    #expect(
      lines(outcome) == [
        "play  1  0:00  2 a.mp3  no tags  44100 Hz stereo", "play  2  0:00  10 b.mp3  no tags  44100 Hz stereo",
        "play  3  0:00  ünï ö 🎵.mp3  no tags  44100 Hz stereo", "3 tracks to play, 0:01 in all; 0 skipped",
      ])
    #expect(outcome.errors == "")
    #expect(outcome.status == 0)
  }

  @Test("T4: a track in a folder has the number of all the music and that of its playlist, as the firmware counts them")
  func playlists() throws {
    let folder = try music()
    for name in ["de", "de/Teil 2", "en"] { folder.makeFolder("m/\(name)") }
    for name in ["de/1.mp3", "de/Teil 2/1.mp3", "en/1.mp3", "en/2.mp3", "z.mp3"] { try track(name, in: folder) }
    folder.write("m/en/0.mp3", "broken")
    let outcome = try Program.run(["scan", "m"], in: folder)
    let numbers = lines(outcome).filter { $0.hasPrefix("play") }.map {
      String($0.split(separator: "  ").dropFirst().first ?? "")
    }
    #expect(numbers == ["1 (1 in de)", "2 (2 in de)", "4 (2 in en)", "5 (3 in en)", "6"])
    let scenario = """
      at 1s console "playlist en"
      at 2s console "track 3"
      at 2s expect event track.started track=3 file=en/2.mp3
      at 3s console "playlist de"
      at 3s console "track 3" refused
      at 4s console "playlist"
      at 5s console "track 5"
      at 5.1s expect event track.started track=5 file=en/2.mp3
      """
    folder.write("s", scenario)
    let played = try Program.run(["simulate", "s", "--music", "m"], in: folder)
    #expect(played.status == 0, "\(played.errors)")
  }

  @Test("X2: what the storage does not give is skipped, and it may be music")
  func unreadable() throws {
    let reason = "the storage cannot be read: Input/output error"
    let music = try Music(["m"]) { folder, taking in
      taking(.folder(folder))
      taking(.track("m/a.mp3", LibraryListing.Stamp(size: 1, modified: 1)))
      taking(.unreadable(LibraryError(path: "m/sub", reason: reason, isStorage: true)))
    }
    #expect(music.tracks.map(\.name) == ["a.mp3"])
    #expect(music.skipped == [LibraryListing.Skipped(path: "sub", reason: reason, isMusic: true)])
  }

  @Test("names that would spoil the screen are escaped, one line a file")
  func names() throws {
    let folder = try music()
    for name in ["a\nb.mp3", "c\u{1B}[31md.mp3", "e\u{2028}f.mp3"] { try track(name, in: folder) }
    folder.write("m/notes\r.txt", "no music")
    let outcome = try Program.run(["scan", "m"], in: folder)
    #expect(
      lines(outcome).map { $0.split(separator: "  ").first { $0.contains(".") } } == [
        "a\\u{a}b.mp3", "c\\u{1b}[31md.mp3", "e\\u{2028}f.mp3", "notes\\u{d}.txt: not a sound file name", nil,
      ])
    #expect(outcome.status == 0)
  }

  @Test("music of a format that is not played is named with what to do; pictures and texts are no problem")
  func foreign() throws {
    let folder = try music()
    try track("a.mp3", in: folder)
    folder.write("m/cover.jpg", "a picture")
    folder.write("m/notes.txt", "a text")
    #expect(try Program.run(["scan", "m"], in: folder).status == 0)
    folder.write("m/b.wma", "music")
    let outcome = try Program.run(["scan", "m"], in: folder)
    let reason = "WMA, not played here: convert it with ffmpeg -i IN -vn -c:a flac OUT.flac"
    #expect(lines(outcome)[1] == "skip  b.wma: \(reason)")
    #expect(outcome.status == 1)
    folder.write("s.toml", "music = ['m']")
    let check = try Program.run(["check", "--board", "sim", "--settings", "s.toml"], in: folder)
    let words = check.output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(words.contains("m, 1 file: \(reason)"))
    #expect(check.status == 1)
    let run = try Program.run(
      ["run", "--board", "sim", "--settings", "s.toml", "--output", "file:out.wav"], in: folder, input: "q")
    #expect(run.errors.contains("jackdaw: 1 file: \(reason)\n"))
  }

  @Test("the length of a header that agrees with the file's size is believed, unless the scan is thorough")
  func thorough() throws {
    let folder = try music()
    // Every frame of it has 192 bytes.
    let music = try #require(readFile("\(Sources.fixtures)/rate-48000-stereo.mp3"))
    let frames = 900
    var lying = Array(repeatElement(music.prefix(music.count / 192 * 192), count: 900).joined().prefix(192 * frames))
    let tag = try #require((0..<192).first { lying[$0...].starts(with: Array("Info".utf8)) })
    // The counts of the whole, of which the frames in the middle are damaged.
    let counts = [frames - 1, lying.count].flatMap { number in (0..<4).map { UInt8(number >> (24 - 8 * $0) & 255) } }
    lying.replaceSubrange(tag + 8..<tag + 16, with: counts)
    for place in lying.count / 4..<lying.count / 2 { lying[place] = 7 }
    folder.write("m/a.mp3", lying)
    let believed = try Program.run(["scan", "m"], in: folder)
    let walked = try Program.run(["scan", "m", "--thorough"], in: folder)
    #expect(lines(believed)[0].hasPrefix("play  1  0:21  "))
    #expect(lines(walked)[0].hasPrefix("play  1  0:16  "))
    let refused = try Program.run(["scan", "m", "--thorough=1"], in: folder)
    #expect(refused.errors == "jackdaw: --thorough takes no value\n")
    #expect(refused.status == 2)
  }

  @Test("a name that is not UTF-8 is played, and its bytes are shown")
  func notUTF8() throws {
    let folder = try music()
    try track("good.mp3", in: folder)
    let old = "\(folder.path)/m/good.mp3"
    let broken = Array("\(folder.path)/m/bad".utf8) + [0xFF] + Array(".mp3".utf8)
    let result = broken.map(CChar.init(bitPattern:)).withUnsafeBufferPointer { name in
      (Array(name) + [0]).withUnsafeBufferPointer { name in name.baseAddress.map { link(old, $0) } ?? -1 }
    }
    try #require(result == 0)
    let outcome = try Program.run(["scan", "m"], in: folder)
    #expect(lines(outcome)[0] == "play  1  0:00  bad\\xff.mp3  no tags  44100 Hz stereo")
    #expect(outcome.status == 0)
  }

  @Test("circular links end, and folders are followed 64 levels deep")
  func deep() throws {
    let folder = try music()
    symlink(".", "\(folder.path)/m/round")
    symlink("nowhere.mp3", "\(folder.path)/m/dangling.mp3")
    var deep = "m"
    for _ in 0..<60 {
      deep += "/d"
      folder.makeFolder(deep)
    }
    try track("\(deep.dropFirst(2))/end.mp3", in: folder)
    let found = lines(try Program.run(["scan", "m"], in: folder))
    #expect(found.contains("skip  round: folder already listed"))
    #expect(found.contains("skip  dangling.mp3: no such file"))
    #expect(found[0].hasPrefix("play  1 (1 in d)  0:00  d/d/d/"))
    for _ in 0..<6 {
      deep += "/d"
      folder.makeFolder(deep)
    }
    let deeper = lines(try Program.run(["scan", "m"], in: folder))
    #expect(deeper.contains { $0.hasPrefix("skip  d/d/d/") && $0.hasSuffix(": more than 64 folders deep") })
  }

  @Test("no music is a problem found")
  func empty() throws {
    let outcome = try Program.run(["scan", "m"], in: music())
    #expect(outcome.output == "0 tracks to play, 0:00 in all; 0 skipped\n")
    #expect(outcome.status == 1)
  }

  @Test("damaged files are skipped with their reason, and that is a problem found")
  func damaged() throws {
    let outcome = try Program.run(["scan", Sources.fixtures])
    let found = lines(outcome)
    for name in ["bad-empty.mp3: ", "bad-text.mp3: ", "bad-jpeg.mp3: ", "README.md: not a sound file name"] {
      #expect(found.contains { $0.hasPrefix("skip  \(name)") })
    }
    #expect(found.contains { $0.hasPrefix("play  ") && $0.contains("  Jackdaw - Only ID3v1  44100 Hz stereo") })
    #expect(found.dropLast().allSatisfy { $0.hasPrefix("play  ") || $0.hasPrefix("skip  ") })
    #expect(outcome.errors == "")
    #expect(outcome.status == 1)
  }
}
