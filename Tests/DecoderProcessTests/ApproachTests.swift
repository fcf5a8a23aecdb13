import Board
import Glibc
import TestSupport
import Testing
import TrackDecoding

@testable import DecoderProcess

/// Places that only decoding from the beginning finds. The process answers after a piece of the way and is asked again.
@Suite struct ApproachTests {
  private let decoder = PlayedDecoder()
  private let faults = FaultList()
  private let opener: ProcessTrackOpener

  init() {
    opener = ProcessTrackOpener(
      connect: decoder.connect,
      openFile: { _ in Result { () throws(TrackError) in try OpenFile(path: fixture("seek-flac.flac")) } },
      onFault: faults.add)
  }

  private func nextRequest(_ track: any TrackSource) -> DecoderRequest? {
    while !track.isReady() {
      if let request = decoder.request(), request.work != .close { return request }
      waitOnce(opener)
    }
    return nil
  }

  @Test("P11: a decoder that is on its way to a frame is asked for it again, and then for what follows")
  func asked() throws {
    let track = try opener.open(path: "a", rate: 44_100)
    try track.seek(to: 10_000_000)
    var works: [DecoderRequest.Work] = []
    for piece in 0..<9 {
      let request = try #require(nextRequest(track))
      #expect(request.frame == 10_000_000)
      works.append(request.work)
      decoder.answer(request) { answer in
        if piece < 8 { (answer.failed, answer.frames) = (4, 0) }
        if piece > 0 { answer.rate = 0 }
      }
    }
    waitUntilReady(track, of: opener)
    #expect(works == [.open] + [DecoderRequest.Work](repeating: .seek, count: 8))
    #expect(track.info.frames == 1_000)
    #expect(try read(track, of: opener, frames: 100).count == 200)
    #expect(nextRequest(track)?.work == .read)
    #expect(faults.faults.isEmpty)
  }

  @Test("P11: one that never comes there makes no sense", arguments: [0, 1_000, 10_000_000])
  func never(frame: Int) throws {
    let track = try opener.open(path: "a", rate: 44_100)
    try track.seek(to: frame)
    var asked = 0
    while let request = nextRequest(track) {
      asked += 1
      decoder.answer(request) { ($0.failed, $0.frames) = (4, 0) }
    }
    #expect(asked < 1_000)
    let nonsense = "the decoder sent an answer that makes no sense"
    #expect(faults.faults.map(\.reason) == [nonsense, nonsense])
    #expect(throws: TrackError(operation: .read, path: "a", reason: nonsense)) { try read(track, of: opener) }
  }

  @Test("P11, P13: a place far into a file that was joined takes more time than a piece of work may, and is no fault")
  func far() throws {
    let folder = try TemporaryFolder()
    let music = try #require(readFile(fixture("seek-vbr.mp3")))
    let path = folder.write("a.mp3", Array([[UInt8]](repeating: music, count: 400).joined()))
    var limits = DecoderLimits()
    (limits.processor, limits.perMebibyte) = (.milliseconds(400), .zero)
    let (opener, faults) = makeOpener(limits: limits)
    let info = try FileTrackOpener().inspect(path: path)
    let frame = try #require(info.frames) - 10_000
    let track = try opener.open(path: path, rate: info.rate)
    try track.seek(to: frame)
    #expect(try read(track, of: opener).count == 20_000)
    #expect(faults.faults.isEmpty)
  }
}
