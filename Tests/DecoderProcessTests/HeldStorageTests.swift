import Board
import Dispatch
import Glibc
import TestSupport
import Testing
import Threads
import TrackDecoding

@testable import DecoderProcess

/// Storage that does not answer: what it holds, and whom that may hold up (X7.3).
@Suite struct HeldStorageTests {
  private static let path = fixture("seek-flac.flac")
  private static let whole = decode(FileTrackOpener(), path, rate: 44_100).samples

  @Test("X7.3: where one storage holds four threads, no more of its files are opened, and those of another are")
  func heldStorage() throws {
    let never = DispatchSemaphore(value: 0)
    let (opener, _) = makeOpener()
    opener.files = FileQueue(limit: .milliseconds(300)) { path in
      if path.hasPrefix("/share/") { never.wait() }
      return Result { () throws(TrackError) in try OpenFile(path: Self.path) }
    }
    func reason(_ path: String) throws -> String {
      let track = try opener.open(path: path, rate: 44_100)
      defer { track.close() }
      waitUntilReady(track, of: opener)
      do { return "\(try read(track, of: opener).count > 0)" } catch { return (error as? TrackError)?.reason ?? "" }
    }
    for file in ["a/1", "b/2", "c/3", "4"] { #expect(try reason("/share/\(file)").hasPrefix("storage did not answer")) }
    #expect(try reason("/share/d/5") == "the storage does not answer")
    #expect(try reason("/card/1") == "true")
    for _ in 0..<8 { never.signal() }
  }

  @Test("X7.3: files that were closed while another one did not open hold up no other, and hold no threads")
  func closedWhileHeld() throws {
    let never = DispatchSemaphore(value: 0)
    let asked = Locked<[String]>([])
    let (opener, _) = makeOpener()
    opener.files = FileQueue(limit: .milliseconds(300)) { path in
      asked.withLock { $0.append(path) }
      if path.hasPrefix("/share/") { never.wait() }
      return Result { () throws(TrackError) in try OpenFile(path: Self.path) }
    }
    let files = try ["a/1", "b/2", "c/3"].map { try opener.open(path: "/share/\($0)", rate: 44_100) }
    for file in files { file.close() }
    let track = try opener.open(path: "/card/1", rate: 44_100)
    defer { track.close() }
    waitUntilReady(track, of: opener)
    #expect(try read(track, of: opener).count > 0)
    #expect(asked.withLock { $0 } == ["/share/a/1", "/card/1"])
    never.signal()
  }

  @Test("X7.3: where storage holds four decoders that were killed, it gets no other until one of them is gone")
  func heldDecoders() throws {
    let (opener, faults) = makeOpener()
    func play() throws -> Int {
      opener.end()
      let track = try opener.open(path: Self.path, rate: 44_100)
      defer { track.close() }
      return try read(track, of: opener, frames: 100).count / 2
    }
    // Processes that are there and cannot be waited for.
    func hold(_ count: Int, _ path: String) {
      opener.ending = (0..<count).map { _ in (WorkerProcess(getpid(), socket: -1), opener.now() - .seconds(1), path) }
    }
    hold(4, Self.path)
    let refused = TrackError(
      operation: .open, path: Self.path, reason: "the storage holds 4 decoders that were killed", isStorage: true)
    #expect(throws: refused) { try play() }
    #expect(faults.faults.isEmpty)
    opener.ending.removeLast()
    #expect(try play() == 100)
    // A process that lives opens no more of it either, but goes on with what it has open.
    let open = try opener.open(path: Self.path, rate: 44_100)
    defer { open.close() }
    waitUntilReady(open, of: opener)
    hold(4, Self.path)
    let next = try opener.open(path: Self.path, rate: 44_100)
    waitUntilReady(next, of: opener)
    #expect(throws: refused) { try read(next, of: opener) }
    next.close()
    #expect(try read(open, of: opener, frames: 100).count / 2 == 100)
    // That of another storage holds nobody up, unless there are many.
    hold(4, "/share/1.mp3")
    #expect(try play() == 100)
    hold(12, "/share/1.mp3")
    #expect(throws: TrackError.self) { try play() }
  }

  @Test("X7.3: a file that does not open costs one thread and is refused at once meanwhile; with four such, all are")
  func heldFiles() throws {
    var (answers, calls): ([CInt], [CInt]) = ([-1, -1], [-1, -1])
    try #require(pipe(&answers) == 0 && pipe(&calls) == 0)
    let (answer, call) = (answers[0], calls[1])
    let (opener, faults) = makeOpener()
    opener.files = FileQueue(limit: .zero) { path in
      var byte: UInt8 = 0
      _ = write(call, &byte, 1)
      _ = Glibc.read(answer, &byte, 1)
      return .failure(TrackError(operation: .open, path: path, reason: "late"))
    }
    func reason(_ path: String = Self.path, from frame: Int = 0, isHeld: Bool = false) throws -> String {
      let track = try opener.open(path: path, rate: 44_100)
      if frame > 0 { try track.seek(to: frame) }
      defer { track.close() }
      // A thread that is left before it makes the call is not held by it.
      var byte: UInt8 = 0
      if isHeld { _ = Glibc.read(calls[0], &byte, 1) }
      waitUntilReady(track, of: opener)
      do { return "\(try read(track, of: opener).count)" } catch { return (error as? TrackError)?.reason ?? "" }
    }
    for file in ["a/1", "b/1", "c/1", "d/1"] {
      #expect(try reason(file, isHeld: true) == "storage did not answer for 0 s")
      for frame in [0, 1_000] { #expect(try reason(file, from: frame) == "the storage still does not answer") }
    }
    for frame in [0, 1_000] { #expect(try reason(from: frame) == "the storage does not answer") }
    // It answers again: the threads end, and files are opened as before.
    close(answers[1])
    while try reason() == "the storage does not answer" { sched_yield() }
    opener.files = FileQueue(limit: .seconds(60)) { path in Result { () throws(TrackError) in try OpenFile(path: path) }
    }
    #expect((decode(opener, Self.path, rate: 44_100).samples == Self.whole) == true)
    #expect(faults.faults.isEmpty)
    // The pipes stay open, as a thread that was left last may still use them.
  }
}
