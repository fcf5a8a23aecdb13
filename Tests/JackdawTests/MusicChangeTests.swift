import Files
import Glibc
import TestSupport
import Testing

/// The built firmware with music folders that change under it. It lists them when they have rested for two seconds.
@Suite struct MusicChangeTests {
  private static let run = ["run", "--board", "sim", "--output", "file:out.wav", "--settings", "kiosk.toml"]
  private static let waltz = repositoryPath("board/sim/music/1 Waltz of the Chimneys.mp3")

  /// A folder with one track, and settings that name it and a stick that is not there.
  private func furnished() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    folder.write("kiosk.toml", "\nmusic = [\"m\", \"stick\"]\n")
    try put("m/1.mp3", in: folder)
    return folder
  }

  /// Renames a complete file into its place, as rsync and editors do.
  private func put(_ name: String, in folder: TemporaryFolder) throws {
    let made = folder.write("made.mp3", try FileAccess.read(Self.waltz))
    folder.makeFolder(String(name.prefix { $0 != "/" }))
    // Nobody can take it for a file that is still being written.
    var times = [timespec(tv_sec: 1_000_000_000, tv_nsec: 0), timespec(tv_sec: 1_000_000_000, tv_nsec: 0)]
    utimensat(AT_FDCWD, made, &times, 0)
    rename(made, folder.path(of: name))
  }

  @Test("X1, X2: files and folders that come and go while music plays are noticed, and nobody is cut")
  func changes() throws {
    let folder = try furnished()
    let firmware = try Program(Self.run, in: folder, input: nil)
    try firmware.wait(for: " warn library.missing folder=stick reason=\"no such file or folder\" setting=kiosk.toml:2")
    try firmware.wait(forErrors: "jackdaw: kiosk.toml:2: music: stick: no such file or folder; ")
    firmware.send("p")
    try firmware.wait(for: " track.started track=1 ")
    try put("m/2.mp3", in: folder)
    try firmware.wait(for: " library.changed tracks=2 added=1 removed=0 replaced=0")
    folder.makeFolder("m/new")
    try put("m/new/3.mp3", in: folder)
    try firmware.wait(for: " library.changed tracks=3 added=1 removed=0 replaced=0")
    // Another size, and so another file of that name.
    folder.write("made.mp3", [0])
    utimensat(AT_FDCWD, folder.path(of: "made.mp3"), [timespec(), timespec()], 0)
    rename(folder.path(of: "made.mp3"), folder.path(of: "m/2.mp3"))
    try firmware.wait(for: " library.changed tracks=3 added=0 removed=0 replaced=1")
    unlink(folder.path(of: "m/1.mp3"))
    try firmware.wait(for: " library.changed tracks=2 added=0 removed=1 replaced=0")
    try put("stick/4.mp3", in: folder)
    try firmware.wait(for: " library.found folder=stick")
    try firmware.wait(for: " library.changed tracks=3 added=1 removed=0 replaced=0")
    let status = try Program.run(["ctl", "status"], in: folder).output
    #expect(status.hasPrefix("state=playing "))
    #expect(status.contains(" track=none "))
    firmware.send("q")
    let end = try firmware.end()
    #expect(!end.output.contains("track.failed") && !end.output.contains("playback.stopped"))
  }

  @Test("X1: a file that is still being written is not taken, unless reload is typed (X5)")
  func halfWritten() throws {
    let folder = try furnished()
    let firmware = try Program(Self.run, in: folder, input: nil)
    try firmware.wait(for: " library.missing ")
    folder.write("m/2.mp3", [1])
    try put("m/3.mp3", in: folder)
    try firmware.wait(for: " library.changed tracks=2 added=1 ")
    let reply = try Program.run(["ctl", "reload"], in: folder)
    #expect(reply.output.contains("restart"))
    try firmware.wait(for: " library.changed tracks=3 added=1 ")
    firmware.send("q")
    _ = try firmware.end()
  }

  @Test("X5: SIGHUP lists the music, and ends nothing")
  func hangup() throws {
    let folder = try furnished()
    let firmware = try Program(Self.run, in: folder, input: nil)
    try firmware.wait(for: " library.missing ")
    folder.write("m/2.mp3", [1])
    firmware.signalled(SIGHUP)
    try firmware.wait(for: " library.changed tracks=2 added=1 ")
    try firmware.wait(forErrors: "jackdaw: SIGHUP: the music is listed again")
    firmware.send("q")
    #expect(try firmware.end().status == 0)
  }

  @Test("X3: with nothing to play it says so at once, and takes in what comes")
  func empty() throws {
    let folder = try furnished()
    unlink(folder.path(of: "m/1.mp3"))
    let firmware = try Program(Self.run, in: folder, input: nil)
    try firmware.wait(for: " warn library.empty")
    try put("m/1.mp3", in: folder)
    try firmware.wait(for: " library.changed tracks=1 ")
    firmware.send("p")
    try firmware.wait(for: " track.started track=1 ")
    firmware.send("q")
    #expect(try firmware.end().status == 0)
  }

  @Test("X2: a folder that may not be read is missing, and check names its line")
  func unreadable() throws {
    let folder = try furnished()
    folder.makeFolder("stick/sub")
    // Root may read everything: a file where a folder was is as unreadable to it.
    rmdir(folder.path(of: "stick/sub"))
    rmdir(folder.path(of: "stick"))
    symlink("stick", folder.path(of: "stick"))
    let firmware = try Program(Self.run, in: folder, input: nil)
    try firmware.wait(for: " warn library.missing folder=stick reason=\"too many symbolic links\" ")
    firmware.send("q")
    _ = try firmware.end()
    let check = try Program.run(["check", "--board", "sim", "--settings", "kiosk.toml"], in: folder)
    #expect(check.output.contains("kiosk.toml:2: "))
  }
}
