import Board
import CLinux
import Glibc
import TrackDecoding

/// The process that decodes: reads files that it is handed, and writes frames into shared memory, for as long as the
/// firmware lives. Everything else is taken from it before the first file comes.
public enum DecodeWorker {
  /// The argument with which the program is a decoder.
  public static let command = "decode-worker"

  /// Why decoders are not confined here; nil if they are. Any thread may call it.
  public static func whyNoJail() -> String? {
    let code = decoder_confinement_refusal()
    return code == 0 ? nil : "jail: \(String(cString: strerror(code)))"
  }

  /// The exit status when a library has run out of memory: the next process has all of it again.
  static let outOfMemory = ENOMEM
  /// Frames on the way to a place that can only be found by decoding, in one piece of work: half a minute of most music.
  static let approach = 1 << 20

  private struct Track {
    var source: any FileTrackSource
    /// The frame that comes next.
    var frame: Int
    /// What was reported of it last to the firmware.
    var told: TrackInfo
  }

  /// Returns the exit status when the firmware has gone. Call it on the main thread, before anything else.
  /// - Parameter libraries: the raw value of the libraries that it loads, because it can load none later.
  public static func run(loading libraries: String) -> CInt {
    guard let frames = SharedFrames(descriptor: CInt(decoder_memory)) else { return 1 }
    DecoderLibraries(rawValue: UInt32(libraries) ?? 0).load()
    DecoderLibraries.seal()
    // If the kernel refuses, it decodes unconfined; the firmware logs that when it starts.
    _ = decoder_confine(DecoderLimits.memory)
    release_code()
    let socket = CInt(decoder_socket)
    // It works: whatever ends it from now on may be a file's doing.
    guard send([DecoderAnswer()], to: socket) else { return 0 }
    var tracks: [Int: Track] = [:]
    var request = DecoderRequest()
    var descriptor: CInt = -1
    var held: [DecoderAnswer] = []
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
        answer.libraries = DecoderLibraries.missed.rawValue
        answer.failed = answer.libraries != 0 ? 3 : error.isStorage ? 2 : 1
        answer.texts.0 = frames.write(error.reason, at: request.firstText)
      }
      if DecoderMemory.isShort { return outOfMemory }
      answer.number = request.number
      held.append(answer)
      if request.holdsAnswer != 0 && held.count < SharedFrames.answers { continue }
      guard send(held, to: socket) else { return 0 }
      held = []
    }
    return 0
  }

  private static func send(_ answers: [DecoderAnswer], to socket: CInt) -> Bool {
    answers.allSatisfy { answer in
      withUnsafeBytes(of: answer) { bytes in
        decoder_send(socket, bytes.baseAddress, UInt(bytes.count), -1) == bytes.count
      }
    }
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
        let info = try opener.inspect(file, path: "", trustsHeaders: trustsHeaders)
        frames.describe(info, in: &answer, request)
        return answer
      }
      let source = try opener.open(file, path: "", rate: Int(request.rate))
      tracks[slot] = Track(source: source, frame: 0, told: source.info)
      frames.describe(source.info, in: &answer, request)
    }
    guard var track = tracks[slot] else { throw TrackError(operation: .read, path: "", reason: "closed") }
    if track.frame != Int(request.frame) {
      try track.source.seek(to: Int(request.frame))
      track.frame = Int(request.frame)
      tracks[slot] = track
    }
    guard try track.source.approach(frames: approach, using: frames.slot(slot), SharedFrames.frames) else {
      answer.failed = 4
      return answer
    }
    let count = try track.source.read(into: frames.slot(slot), frames: min(Int(request.frames), SharedFrames.frames))
    track.frame = Int(request.frame) + count
    if track.source.info != track.told {
      track.told = track.source.info
      frames.describe(track.told, in: &answer, request)
    }
    tracks[slot] = track
    answer.frames = Int64(count)
    return answer
  }
}

extension SharedFrames {
  /// Puts what is known of a track into an answer and the shared texts.
  func describe(_ info: TrackInfo, in answer: inout DecoderAnswer, _ request: DecoderRequest) {
    let first = request.firstText
    answer.rate = Int64(info.rate)
    answer.channels = Int64(info.channels)
    answer.length = info.frames.flatMap { $0 <= TrackInfo.mostFrames ? Int64($0) : nil } ?? -1
    answer.texts = (
      write(info.title, at: first), write(info.artist, at: first + 1), write(info.album, at: first + 2)
    )
  }

  /// What an answer reports of a track.
  /// - Parameter first: the first of its texts.
  func info(_ answer: DecoderAnswer, texts first: Int) -> TrackInfo {
    TrackInfo(
      title: text(at: first, count: answer.texts.0), artist: text(at: first + 1, count: answer.texts.1),
      album: text(at: first + 2, count: answer.texts.2), rate: Int(answer.rate), channels: Int(answer.channels),
      frames: answer.length < 0 ? nil : Int(answer.length))
  }
}

extension DecoderRequest {
  /// The first of its three shared texts.
  var firstText: Int { 3 * Int(min(max(0, place), Int64(SharedFrames.answers) - 1)) }
}
