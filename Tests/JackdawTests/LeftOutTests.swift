import Glibc
import TestSupport
import Testing

@testable import Storage

/// What the program says of files that did harm.
@Suite struct LeftOutTests {
  @Test("P13: a file that is left out is named by scan, the log and status, and is played again when it has changed")
  func told() throws {
    let folder = try TemporaryFolder()
    let track = try #require(readFile("\(Sources.fixtures)/cbr-128.mp3"))
    let path = folder.write("m/a.mp3", track)
    var status = stat()
    try #require(stat(path, &status) == 0)
    let modified = status.st_mtim.tv_sec * 1_000_000_000 + status.st_mtim.tv_nsec
    var quarantine = Quarantine()
    for _ in 0..<2 { quarantine.died(FileMark(path: path, size: track.count, modified: modified), reason: "signal 11") }
    folder.write("state/jackdaw/quarantine.toml", QuarantineText.encode(quarantine))
    let reason = "left out until the file changes: its decoder failed 2 times (signal 11)"

    let scan = try Program.run(["scan", "m"], in: folder)
    #expect(scan.output.hasPrefix("skip  a.mp3: \(reason)\n") && scan.status == 1)
    let firmware = try Program(
      ["run", "--board", "sim", "--output", "file:out.wav", "--music", "m"], in: folder, input: nil)
    try firmware.wait(for: " route.initial ")
    // The next program in this folder empties it.
    #expect(folder.read("stderr") == Array("jackdaw: \(path) is left out until it changes\n".utf8))
    #expect(try Program.run(["ctl", "status"], in: folder).output.contains(" left-out=1 "))
    firmware.send("p")
    try firmware.wait(for: " track.failed track=1 file=a.mp3 reason=\"\(reason)\"")
    folder.write("m/a.mp3", track + [0])
    firmware.send("p")
    try firmware.wait(for: " track.started ")
    firmware.send("q")
    #expect(try firmware.end().status == 0)
    #expect(try Program.run(["scan", "m"], in: folder).output.hasPrefix("play  1 "))
    #expect(folder.read("jackdaw/opening") == [])
  }
}
