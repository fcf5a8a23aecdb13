import Board
import CLinux
import Files
import Glibc
import TestSupport
import Testing
import TrackDecoding

@testable import DecoderProcess

/// Decoders that die, stand still, work forever or cannot be started.
@Suite struct MishapTests {
  private static let path = fixture("seek-flac.flac")
  private static let whole = decode(FileTrackOpener(), path, rate: 44_100).samples

  private func limits(_ change: (inout DecoderLimits) -> Void) -> DecoderLimits {
    var limits = DecoderLimits()
    change(&limits)
    return limits
  }

  private func kill(_ opener: ProcessTrackOpener, _ signal: CInt) throws {
    #expect(Glibc.kill(try #require(opener.worker?.id), signal) == 0)
  }

  /// Waits until the track's first request was sent, and no longer.
  private func waitForProcess(_ track: any TrackSource, of opener: ProcessTrackOpener) {
    while opener.worker == nil && !track.isReady() { waitOnce(opener) }
  }

  @Test("P11: a decoder that is killed between or within two reads costs no frame", arguments: [0, 1, 4_096, 20_000])
  func killed(after frames: Int) throws {
    let (opener, faults) = makeOpener()
    let track = try opener.open(path: Self.path, rate: 44_100)
    if frames == 0 { waitForProcess(track, of: opener) }
    var heard = try read(track, of: opener, frames: frames)
    try kill(opener, SIGKILL)
    heard += try read(track, of: opener)
    #expect((heard == Self.whole) == true)
    #expect(
      faults.faults.allSatisfy {
        $0 == DecoderFault(path: Self.path, reason: "the decoder died (signal 9)", isOfFile: false)
      })
    #expect(faults.faults.count < 2)
  }

  /// A program that says that it works, and ends in this way with the first request.
  private func ending(_ folder: TemporaryFolder, _ how: String) -> String {
    scriptedDecoder(folder, "link.recvmsg(4096, 4096)\n\(how)")
  }

  @Test(
    """
    P11, P13.3, X4: a decoder that dies at the same place twice fails its track, for a fault by the file's doing, \
    otherwise as with a lost storage
    """,
    arguments: [
      ("os._exit(1)", "ended (status 1)", true), ("os.kill(os.getpid(), 11)", "died (signal 11)", true),
      ("os._exit(12)", "ran out of memory", true), ("os.kill(os.getpid(), 15)", "died (signal 15)", false),
      ("os.kill(os.getpid(), 9)", "died (signal 9)", false),
    ])
  func diesTwice(how: String, reason: String, isOfFile: Bool) throws {
    let folder = try TemporaryFolder()
    let (opener, faults) = makeOpener(ending(folder, how))
    let track = try opener.open(path: Self.path, rate: 44_100)
    waitUntilReady(track, of: opener)
    let fault = DecoderFault(path: Self.path, reason: "the decoder \(reason)", isOfFile: isOfFile)
    let error = TrackError(operation: .read, path: Self.path, reason: fault.reason, isStorage: !isOfFile)
    #expect(throws: error) { try read(track, of: opener) }
    #expect(faults.faults == [fault, fault])
  }

  @Test(
    "P13.3, X4: a program that is no decoder, or cannot be read, is no file's fault, and is tried again like a storage")
  func notReady() throws {
    let (opener, faults) = makeOpener("/bin/false")
    let track = try opener.open(path: Self.path, rate: 44_100)
    waitUntilReady(track, of: opener)
    let reason = "the decoder ended (status 1)"
    #expect(throws: TrackError(operation: .read, path: Self.path, reason: reason, isStorage: true)) {
      try read(track, of: opener)
    }
    #expect(faults.faults.map(\.isOfFile) == [false, false])
  }

  @Test(
    "P13.3: what ends the firmware, and reaches its decoders too, ends none at its work",
    arguments: [SIGTERM, SIGINT, SIGHUP, SIGQUIT])
  func ended(signal: CInt) throws {
    let (opener, faults) = makeOpener()
    let track = try opener.open(path: Self.path, rate: 44_100)
    var heard = try read(track, of: opener, frames: 4_096)
    let id = opener.worker?.id
    try kill(opener, signal)
    heard += try read(track, of: opener)
    #expect((heard == Self.whole) == true && opener.worker?.id == id && faults.faults.isEmpty)
  }

  @Test("a decoder that stands still is ended after the time for storage, and the music goes on at the same frame")
  func stopped() throws {
    let (opener, faults) = makeOpener(limits: limits { $0.storage = .seconds(1) })
    let track = try opener.open(path: Self.path, rate: 44_100)
    var heard = try read(track, of: opener, frames: 4_096)
    try kill(opener, SIGSTOP)
    heard += try read(track, of: opener)
    #expect((heard == Self.whole) == true)
    #expect(
      faults.faults.first
        == DecoderFault(path: Self.path, reason: "storage did not answer for 1 s", isOfFile: false))
  }

  @Test("P11: a decoder that works without end is ended by its processor time, and its track fails at once")
  func endless() throws {
    let folder = try TemporaryFolder()
    let decoder = ending(folder, "while True: pass")
    let (opener, faults) = makeOpener(decoder, limits: limits { $0.processor = .seconds(1) })
    let track = try opener.open(path: Self.path, rate: 44_100)
    waitUntilReady(track, of: opener)
    let expected = "decoding took more than 1 s of processor time"
    #expect(throws: TrackError(operation: .read, path: Self.path, reason: expected)) { try read(track, of: opener) }
    #expect(faults.faults == [DecoderFault(path: Self.path, reason: expected)])
    var inspected: [Bool] = []
    opener.inspect(paths: [Self.path]) { inspected.append((try? $1.get()) != nil) }
    #expect(inspected == [false])
  }

  @Test("tracks that were open in a decoder that is ended go on in the next one")
  func others() throws {
    let (opener, _) = makeOpener()
    let tracks = try (0..<3).map { _ in try opener.open(path: Self.path, rate: 44_100) }
    var heard = try tracks.map { try read($0, of: opener, frames: 3_000) }
    try kill(opener, SIGKILL)
    for index in tracks.indices { heard[index] += try read(tracks[index], of: opener) }
    #expect(heard.allSatisfy { $0 == Self.whole } == true)
  }

  @Test("a track that nobody wants any more does not hold up the next one, and its file is not blamed")
  func abandoned() throws {
    let (opener, faults) = makeOpener(limits: limits { $0.grace = .zero })
    let first = try opener.open(path: Self.path, rate: 44_100)
    _ = try read(first, of: opener, frames: 100)
    try kill(opener, SIGSTOP)
    _ = try read(first, of: opener, frames: 3_996)
    #expect(!first.isReady())
    first.close()
    #expect((decode(opener, Self.path, rate: 44_100).samples == Self.whole) == true)
    #expect(faults.faults.isEmpty)
  }

  @Test("a seek while frames are awaited is obeyed; what was awaited is dropped")
  func soughtMeanwhile() throws {
    let (opener, _) = makeOpener()
    let track = try opener.open(path: Self.path, rate: 44_100)
    waitForProcess(track, of: opener)
    try track.seek(to: 7_000)
    #expect((try read(track, of: opener) == Array(Self.whole[14_000...])) == true)
  }

  @Test("a program that cannot be started is the reason of every track; no descriptor is left open")
  func unstartable() throws {
    let (opener, _) = makeOpener("/nowhere/jackdaw")
    let track = try opener.open(path: Self.path, rate: 44_100)
    waitUntilReady(track, of: opener)
    let expected = "no decoder: /nowhere/jackdaw: No such file or directory"
    #expect(throws: TrackError(operation: .open, path: Self.path, reason: expected, isStorage: true)) {
      try read(track, of: opener)
    }
  }

  @Test("a file that is removed while it plays is played to its end, also by the next decoder")
  func removed() throws {
    let folder = try TemporaryFolder()
    let path = folder.write("a.flac", try #require(readFile(Self.path)))
    let (opener, _) = makeOpener()
    let track = try opener.open(path: path, rate: 44_100)
    var heard = try read(track, of: opener, frames: 4_096)
    unlink(path)
    try kill(opener, SIGKILL)
    heard += try read(track, of: opener)
    #expect((heard == Self.whole) == true)
  }

  @Test("a decoder is confined, has one thread and no signal blocked, and no descriptor but those that it needs")
  func inherited() throws {
    let (opener, _) = makeOpener()
    let track = try opener.open(path: Self.path, rate: 44_100)
    _ = try read(track, of: opener, frames: 100)
    let id = try #require(opener.worker?.id)
    let status = String(decoding: try #require(readFile("/proc/\(id)/status")), as: UTF8.self)
    let lines = Set(status.split(separator: "\n").map { $0.split(separator: "\t").joined(separator: " ") })
    #expect(lines.isSuperset(of: ["NoNewPrivs: 1", "SigBlk: 0000000000000000"]))
    if DecodeWorker.whyNoJail() == nil { #expect(lines.isSuperset(of: ["Seccomp: 2", "Threads: 1"])) }
    #expect(FileAccess.names(in: "/proc/\(id)/fd") == [".", "..", "0", "1", "2", "3", "4", "5"])
    #expect((0...2).allSatisfy { link("/proc/\(id)/fd/\($0)") == "/dev/null" })
    #expect(link("/proc/\(id)/fd/5") == Self.path)
  }

  private func link(_ path: String) -> String {
    var target = [CChar](repeating: 0, count: 4_096)
    let count = max(0, readlink(path, &target, target.count))
    return String(decoding: target.prefix(count).map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  @Test("more tracks than there are slots are refused, and a slot that is closed is free again")
  func slots() throws {
    let (opener, _) = makeOpener()
    var tracks = try (0..<SharedFrames.slots).map { _ in try opener.open(path: Self.path, rate: 44_100) }
    #expect(throws: TrackError.self) { try opener.open(path: Self.path, rate: 44_100) }
    tracks.removeLast().close()
    #expect((decode(opener, Self.path, rate: 44_100).samples == Self.whole) == true)
  }
}
