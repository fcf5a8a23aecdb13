import Board
import Glibc
import Testing
import TrackDecoding

@testable import DecoderProcess

/// Answers that no decoder sends unless a file has taken it over. The test plays the decoder.
@Suite struct AnswerTests {
  private static let path = fixture("seek-flac.flac")

  private let peer = PlayedDecoder()
  private let faults = FaultList()
  private let opener: ProcessTrackOpener

  init() {
    opener = ProcessTrackOpener(
      connect: peer.connect,
      openFile: { path in Result { () throws(TrackError) in try OpenFile(path: path) } }, onFault: faults.add)
  }

  private func answer(_ request: DecoderRequest, _ change: (inout DecoderAnswer) -> Void = { _ in }) {
    peer.answer(request, change)
    opener.service()
  }

  @Test("the most that can be true is believed")
  func good() throws {
    for change: (inout DecoderAnswer) -> Void in [
      { _ in }, { $0.frames = 0 }, { $0.frames = 4_096 }, { $0.rate = 768_000 }, { $0.rate = 1_000 },
      { $0.length = 1 << 40 }, { $0.length = -1 }, { $0.channels = 8 }, { $0.texts = (1_024, 0, -1) },
      { ($0.rate, $0.channels) = (0, 0) }, { $0.failed = 1 }, { $0.failed = 2 },
    ] {
      let track = try opener.open(path: Self.path, rate: 44_100)
      answer(try peer.ask(track, of: opener), change)
      #expect(track.isReady() && faults.faults.isEmpty)
      track.close()
    }
  }

  @Test("P11.3: an answer of which one field cannot be true ends its decoder, and the second fails the track")
  func implausible() throws {
    for change: (inout DecoderAnswer) -> Void in [
      { $0.frames = 4_097 }, { $0.frames = -1 }, { $0.frames = .max }, { $0.rate = 768_001 }, { $0.rate = 999 },
      { $0.rate = -1 }, { $0.length = 1 << 40 + 1 }, { $0.length = 1 << 48 }, { $0.length = .max },
      { $0.length = -2 }, { $0.channels = 0 }, { $0.channels = 9 }, { $0.channels = .min },
      { $0.texts.0 = 1_025 }, { $0.texts.1 = -2 }, { $0.texts.2 = .max }, { $0.failed = 4 },
      { ($0.failed, $0.frames) = (5, 0) },
      { $0.failed = -1 },
      { ($0.failed, $0.libraries) = (3, 1 << 20) }, { $0.failed = 3 },
    ] {
      let (before, starts) = (faults.faults.count, peer.starts)
      let track = try opener.open(path: Self.path, rate: 44_100)
      for _ in 0..<2 { answer(try peer.ask(track, of: opener), change) }
      let reason = "the decoder sent an answer that makes no sense"
      #expect(track.isReady())
      #expect(throws: TrackError(operation: .read, path: Self.path, reason: reason)) { try read(track, of: opener) }
      #expect(faults.faults.dropFirst(before).map(\.reason) == [reason, reason])
      #expect(faults.faults.allSatisfy { $0.isOfFile } && peer.starts >= starts + 1)
      track.close()
    }
  }

  @Test("P11.3, P13: an answer that nobody had asked for ends its decoder at once, and the second fails the track")
  func unasked() throws {
    let track = try opener.open(path: Self.path, rate: 44_100)
    let reason = "the decoder sent an answer that nobody had asked for"
    for count in 1...2 {
      let request = try peer.ask(track, of: opener)
      answer(request)
      #expect(try read(track, of: opener, frames: 100).count == 200)
      // The music pauses: nothing is wanted.
      answer(request)
      #expect(opener.worker == nil && faults.faults.map(\.reason) == [String](repeating: reason, count: count))
      // Nobody reads what else it may send, and nothing has to be polled.
      #expect(opener.pollDescriptors.isEmpty)
    }
    #expect(throws: TrackError(operation: .read, path: Self.path, reason: reason)) { try read(track, of: opener) }
    #expect(faults.faults.allSatisfy { $0.isOfFile })
  }

  @Test("P11.3: an answer of another number than was asked for ends its decoder, too")
  func wrongNumber() throws {
    let track = try opener.open(path: Self.path, rate: 44_100)
    answer(try peer.ask(track, of: opener)) { $0.number += 1 }
    #expect(faults.faults.map(\.reason) == ["the decoder sent an answer that makes no sense"])
    answer(try peer.ask(track, of: opener))
    #expect(try read(track, of: opener, frames: 100).count == 200)
  }

  @Test("P11.3: descriptors that a decoder sends along are dropped, however many there are")
  func descriptors() throws {
    let track = try opener.open(path: Self.path, rate: 44_100)
    let request = try peer.ask(track, of: opener)
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    defer { close(ends[0]) }
    peer.answer(request, withTwo: ends[1])
    close(ends[1])
    opener.service()
    #expect(track.isReady())
    // The other end is closed.
    var polled = pollfd(fd: ends[0], events: CShort(POLLIN), revents: 0)
    #expect(poll(&polled, 1, 0) == 1 && polled.revents & CShort(POLLHUP) != 0)
  }
}
