import Board
import CLinux
import Glibc
import JailProbe
import Testing

@testable import DecoderProcess

/// The decoder's end of the sockets, for tests that play the decoder.
final class PlayedDecoder: @unchecked Sendable {
  private var socket: CInt = -1
  /// How many decoders were started.
  private(set) var starts = 0

  deinit { close(socket) }

  func connect() -> CInt {
    var sockets: [CInt] = [-1, -1]
    decoder_connect(&sockets)
    close(socket)
    socket = sockets[1]
    starts += 1
    return sockets[0]
  }

  /// Has the track want frames, and returns the request for them.
  func ask(_ track: any TrackSource, of opener: ProcessTrackOpener) throws -> DecoderRequest {
    while true {
      try #require(!track.isReady())
      if let request = request(), request.work != .close { return request }
      waitOnce(opener)
    }
  }

  /// The next request; nil where none has come.
  func request() -> DecoderRequest? {
    var request = DecoderRequest()
    var file: CInt = -1
    let count = withUnsafeMutableBytes(of: &request) {
      decoder_receive(socket, $0.baseAddress, UInt($0.count), &file, 0)
    }
    if file >= 0 { close(file) }
    return count == MemoryLayout<DecoderRequest>.size ? request : nil
  }

  /// Answers as a decoder does that has a hundred frames, with one change.
  func answer(_ request: DecoderRequest, _ change: (inout DecoderAnswer) -> Void = { _ in }) {
    var answer = DecoderAnswer()
    (answer.number, answer.frames) = (request.number, 100)
    (answer.rate, answer.channels, answer.length) = (44_100, 2, 1_000)
    change(&answer)
    _ = withUnsafeBytes(of: answer) { decoder_send(socket, $0.baseAddress, UInt($0.count), -1) }
  }

  /// The same with a descriptor, sent along twice.
  func answer(_ request: DecoderRequest, withTwo descriptor: CInt) {
    var answer = DecoderAnswer()
    answer.number = request.number
    let sent = withUnsafeBytes(of: answer) { send_two(socket, $0.baseAddress, UInt($0.count), descriptor) }
    #expect(sent == MemoryLayout<DecoderAnswer>.size)
  }
}
