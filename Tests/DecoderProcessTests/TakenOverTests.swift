import Board
import Glibc
import TestSupport
import Testing

@testable import DecoderProcess

/// Decoders that a file has taken over: what they send is bounded before it is used, and what nobody asked for ends them.
@Suite struct TakenOverTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// A program that answers each request with `frames` frames of a track of `length` at `rate`, and sends `extra` more
  /// answers.
  private func decoder(
    frames: Int = 0, rate: Int = 44_100, length: Int = 100, number: String = "number", extra: Int = 0
  )
    -> String
  {
    let body = """
      while True:
          request = link.recvmsg(4096, 4096)[0]
          if not request: break
          number = struct.unpack_from('<Q', request, 16)[0]
          answer = struct.pack('<QqI4x7q', \(number), 0, 0, \(frames), \(rate), 2, \(length), -1, -1, -1)
          for _ in range(\(extra + 1)): link.send(answer)
      """
    return scriptedDecoder(folder, body)
  }

  private static let nonsense = "the decoder sent an answer that makes no sense"

  @Test(
    "P11: an answer that cannot be true ends the decoder, and twice the track",
    arguments: [1 << 40 + 1, 1 << 48, .max, -2, .min])
  func length(length: Int) throws {
    let (opener, faults) = makeOpener(decoder(length: length))
    let track = try opener.open(path: fixture("seek-flac.flac"), rate: 48_000)
    waitUntilReady(track, of: opener)
    #expect(throws: TrackError.self) { try read(track, of: opener) }
    #expect(faults.faults.map(\.reason) == [Self.nonsense, Self.nonsense])
  }

  @Test("P11: an answer to another request than the one that was made makes no sense")
  func otherNumber() throws {
    let (opener, faults) = makeOpener(decoder(number: "number + 7"))
    let track = try opener.open(path: fixture("seek-flac.flac"), rate: 48_000)
    waitUntilReady(track, of: opener)
    #expect(faults.faults.map(\.reason) == [Self.nonsense, Self.nonsense])
  }

  @Test(
    "P11, P13: an answer that nobody has asked for ends the decoder and is the file's fault", arguments: [1, 1_000])
  func unasked(extra: Int) throws {
    let (opener, faults) = makeOpener(decoder(frames: 100, extra: extra))
    let track = try opener.open(path: fixture("seek-flac.flac"), rate: 48_000)
    waitUntilReady(track, of: opener)
    while opener.worker != nil { waitOnce(opener) }
    #expect(faults.faults.map(\.reason) == ["the decoder sent an answer that nobody had asked for"])
    #expect(faults.faults.map(\.isOfFile) == [true])
  }
}
