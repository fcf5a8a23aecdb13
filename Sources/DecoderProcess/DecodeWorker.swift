import Board
import CLinux
import Glibc
import TrackDecoding

/// The process that decodes: reads files that it is handed, and writes frames into shared memory, for as long as the
/// firmware lives. Everything else is taken from it before the first file comes.
public enum DecodeWorker {
  /// The argument with which the program is a decoder.
  public static let command = "decode-worker"

  /// Why decoders are not confined here; nil if they are. Any thread.
  public static func whyNoJail() -> String? {
    let code = decoder_confinement_refusal()
    return code == 0 ? nil : "jail: \(String(cString: strerror(code)))"
  }

  private struct Track {
    var source: any TrackSource
    /// The frame that comes next.
    var frame: Int
    /// What the firmware was told of it last.
    var told: TrackInfo
  }

  /// Returns the exit status when the firmware has gone. Main thread, before anything else.
  public static func run() -> CInt {
    guard let frames = SharedFrames(descriptor: CInt(decoder_memory)) else { return 1 }
    // Where the kernel refuses, it decodes without; the firmware says so when it starts.
    _ = decoder_confine(DecoderLimits.memory)
    release_code()
    var tracks: [Int: Track] = [:]
    var request = DecoderRequest()
    var descriptor: CInt = -1
    let socket = CInt(decoder_socket)
    while receive(&request, &descriptor, from: socket) {
      let file = descriptor < 0 ? nil : OpenFile(adopting: descriptor, size: Int(request.size))
      if request.work == .close {
        tracks[Int(request.slot)] = nil
        continue
      }
      var answer = DecoderAnswer()
      do throws(TrackError) {
        answer = try perform(request, file, &tracks, frames)
      } catch {
        answer.failed = error.isStorage ? 2 : 1
        answer.texts.0 = frames.write(error.reason, at: 0)
      }
      answer.number = request.number
      let isSent = withUnsafeBytes(of: answer) { bytes in
        decoder_send(socket, bytes.baseAddress, UInt(bytes.count), -1) == bytes.count
      }
      if !isSent { return 0 }
    }
    return 0
  }

  private static func receive(_ request: inout DecoderRequest, _ file: inout CInt, from socket: CInt) -> Bool {
    withUnsafeMutableBytes(of: &request) { bytes in
      decoder_receive(socket, bytes.baseAddress, UInt(bytes.count), &file, 1) == bytes.count
    }
  }

  private static func perform(
    _ request: DecoderRequest, _ file: OpenFile?, _ tracks: inout [Int: Track], _ frames: SharedFrames
  ) throws(TrackError) -> DecoderAnswer {
    let slot = Int(request.slot)
    var answer = DecoderAnswer()
    if let file {
      let opener = FileTrackOpener(replayGain: request.gain)
      tracks[slot] = nil
      if request.work == .inspect || request.work == .inspectHeaders {
        let trustsHeaders = request.work == .inspectHeaders
        frames.describe(try opener.inspect(file, path: "", trustsHeaders: trustsHeaders), in: &answer)
        return answer
      }
      let source = try opener.open(file, path: "", rate: Int(request.rate))
      tracks[slot] = Track(source: source, frame: 0, told: source.info)
      frames.describe(source.info, in: &answer)
    }
    guard var track = tracks[slot] else { throw TrackError(operation: .read, path: "", reason: "closed") }
    if track.frame != Int(request.frame) { try track.source.seek(to: Int(request.frame)) }
    let count = try track.source.read(into: frames.slot(slot), frames: min(Int(request.frames), SharedFrames.frames))
    track.frame = Int(request.frame) + count
    if track.source.info != track.told {
      track.told = track.source.info
      frames.describe(track.told, in: &answer)
    }
    tracks[slot] = track
    answer.frames = Int64(count)
    return answer
  }
}

extension SharedFrames {
  /// Puts what is known of a track into an answer and the shared texts.
  func describe(_ info: TrackInfo, in answer: inout DecoderAnswer) {
    answer.rate = Int64(info.rate)
    answer.channels = Int64(info.channels)
    answer.length = Int64(info.frames ?? -1)
    answer.texts = (write(info.title, at: 0), write(info.artist, at: 1), write(info.album, at: 2))
  }

  /// What an answer says of a track.
  func info(_ answer: DecoderAnswer) -> TrackInfo {
    TrackInfo(
      title: text(at: 0, count: answer.texts.0), artist: text(at: 1, count: answer.texts.1),
      album: text(at: 2, count: answer.texts.2), rate: Int(answer.rate), channels: Int(answer.channels),
      frames: answer.length < 0 ? nil : Int(answer.length))
  }
}
