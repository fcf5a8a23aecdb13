import Board
import Glibc
import Testing
import TrackDecoding

@testable import DecoderProcess

/// Files for which a decoder waits without computing. The test plays the decoder, which never answers for some of them.
@Suite struct StallTests {
  private let decoder = PlayedDecoder()
  private let faults = FaultList()
  private let time = TestTime()
  private let opener: ProcessTrackOpener

  init() {
    var limits = DecoderLimits()
    (limits.storage, limits.storageAgain) = (.milliseconds(20), .milliseconds(10))
    opener = ProcessTrackOpener(
      limits: limits, now: { [time] in time.now }, connect: decoder.connect,
      openFile: { _ in Result { () throws(TrackError) in try OpenFile(path: fixture("seek-flac.flac")) } },
      onFault: faults.add)
  }

  /// Stands still except for what a dead decoder takes, however busy the machine is.
  private final class TestTime {
    var now = Duration.zero
  }

  private struct Found: Equatable {
    /// How often a decoder was asked for the file.
    var asked = 0
    var error: TrackError?
  }

  /// Opens and reads the track. Its decoder is silent, or answers each request.
  private func play(_ path: String, from frame: Int = 0, isDead: Bool) throws -> Found {
    let track = try opener.open(path: path, rate: 44_100)
    if frame > 0 { try track.seek(to: frame) }
    defer { track.close() }
    var found = Found()
    while !track.isReady() {
      if let request = decoder.request(), request.work != .close {
        found.asked += 1
        if isDead { time.now += .seconds(1) } else { decoder.answer(request) }
      }
      if !track.isReady() { waitOnce(opener) }
    }
    let frames = 100
    let samples = UnsafeMutablePointer<Int16>.allocate(capacity: 2 * frames)
    defer { samples.deallocate() }
    do throws(TrackError) { _ = try track.read(into: samples, frames: frames) } catch { found.error = error }
    return found
  }

  private func failure(_ path: String, _ reason: String, isStorage: Bool) -> TrackError {
    TrackError(operation: .read, path: path, reason: reason, isStorage: isStorage)
  }

  private static let again = "storage did not answer for 10 ms"

  @Test("X7, X4: a file that is waited for in vain is tried once more, and then its storage is in question")
  func first() throws {
    #expect(try play("m/a", isDead: true) == Found(asked: 2, error: failure("m/a", Self.again, isStorage: true)))
    #expect(faults.faults.map(\.reason) == ["storage did not answer for 20 ms", Self.again])
    #expect(!faults.faults.contains { $0.isOfFile })
  }

  @Test("X7.1: the second time that another file of its folder is read after it, it is left out, and others play")
  func leftOut() throws {
    for asked in [2, 1] {
      #expect(try play("m/a", isDead: true) == Found(asked: asked, error: failure("m/a", Self.again, isStorage: true)))
      #expect(try play("m/b", isDead: false) == Found(asked: 1))
    }
    let reason = "left out for a while: it was waited for in vain twice, while other files of its folder could be read"
    let refusal = TrackError(operation: .open, path: "m/a", reason: reason)
    for frame in [0, 0, 1_000] { #expect(try play("m/a", from: frame, isDead: true) == Found(error: refusal)) }
    #expect(try play("m/b", isDead: false) == Found(asked: 1))
  }

  @Test("X7.2, X4: storage that answers for none of its files leaves none out, however often it is tried")
  func deadShare() throws {
    for _ in 0..<3 {
      for name in ["a", "b", "c"] { #expect(try play("m/\(name)", isDead: true).error?.isStorage == true) }
    }
    // Another storage answers, and then this one.
    #expect(try play("n/a", isDead: false) == Found(asked: 1))
    for name in ["b", "c", "a"] { #expect(try play("m/\(name)", isDead: false) == Found(asked: 1)) }
  }

  @Test("X7: what answers again was never to blame")
  func answersAgain() throws {
    for _ in 0..<4 {
      #expect(try play("m/a", isDead: true).asked == 2)
      #expect(try play("m/b", isDead: false).error == nil)
      #expect(try play("m/a", isDead: false).error == nil)
    }
  }

  @Test("X7.1: a file that is left out is tried again after ten minutes, and no other waits for its storage then")
  func afterTheRest() {
    var stalls = StalledFiles()
    for second in 0..<2 {
      stalls.stalled("m/a", at: .seconds(second))
      stalls.answered("m/b", at: .seconds(second))
    }
    #expect(stalls.objection(to: "m/a", at: .seconds(600)) != nil)
    #expect(stalls.objection(to: "m/a", at: .seconds(601)) == nil)
    #expect(stalls.isSuspect("m/a") && stalls.isLeftOut("m/a"))
    stalls.stalled("m/a", at: .seconds(602))
    #expect(stalls.objection(to: "m/a", at: .seconds(1_201)) != nil)
    stalls.answered("m/a", at: .seconds(1_300))
    #expect(!stalls.isSuspect("m/a") && stalls.objection(to: "m/a", at: .seconds(1_300)) == nil)
  }

  @Test("X7: a large dead share is not remembered file by file")
  func bounded() {
    var stalls = StalledFiles()
    for number in 0..<1_000 { stalls.stalled("m/\(number)", at: .zero) }
    #expect((0..<1_000).count { stalls.isSuspect("m/\($0)") } <= 128)
  }

  @Test("X7.1: of two files that look alike each is under suspicion by itself")
  func alike() {
    var stalls = StalledFiles()
    stalls.stalled("m/\u{e9}", at: .zero)
    #expect(stalls.isSuspect("m/\u{e9}") && !stalls.isSuspect("m/e\u{301}"))
    stalls.answered("m/e\u{301}", at: .zero)
    #expect(stalls.isSuspect("m/\u{e9}"))
  }
}
