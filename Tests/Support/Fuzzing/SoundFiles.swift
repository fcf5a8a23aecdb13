import Board
import Files
import Jukebox
import Simulator
import TestSupport
import TrackDecoding

/// Any bytes as a track: it is opened, or refused with a reason. It gives as many frames as it announces at last, unless it
/// breaks off with a reason; none after its end; no more than that after a seek; and the same at its beginning the second
/// time.
enum SoundFiles {
  /// The most frames that are decoded: a small file may contain hours of silence.
  private static let most = 60_000
  private static let block = 1_000
  /// Samples of a file that is decoded more than once.
  private static let longest = 1 << 24

  /// - Returns: how many samples it has.
  static func check(_ bytes: [UInt8], isMPEG: Bool = false, isFLAC: Bool = false) throws -> Int {
    var samples = 0
    let folder = try TemporaryFolder()
    let path = folder.write("track", bytes)
    let opener = FileTrackOpener(replayGain: bytes.count % 2 == 0 ? .track : .off)
    let rate = [44_100, 8_000, 192_000][bytes.count % 3]
    do {
      let info = try opener.inspect(path: path)
      try checkInfo(info)
      samples = (info.frames ?? 0) * info.channels
    } catch let error as TrackError {
      try checkReason(error)
    }
    if samples > longest { return samples }
    do {
      let track = try opener.open(path: path, rate: rate)
      try checkInfo(track.info)
      let slack = isMPEG || isFLAC ? nil : track.info.rate != rate ? 2 : 0
      try checkTrack(track, isMPEG: isMPEG, slack: slack)
    } catch let error as TrackError {
      try checkReason(error)
    }
    return samples
  }

  /// A file of a megabyte: the first two bytes of the input give the length of its head, which comes next; the rest of
  /// the input follows again and again, with the digits of its number for each `#` in it.
  static func repeated(_ bytes: [UInt8]) -> [UInt8] {
    guard bytes.count > 2 else { return bytes }
    let head = bytes.dropFirst(2).prefix(Int(bytes[0]) | Int(bytes[1]) << 8)
    let unit = bytes[head.endIndex...]
    let places = unit.indices.filter { unit[$0] == UInt8(ascii: "#") }
    guard !unit.isEmpty else { return Array(head) }
    var file = Array(head)
    for number in 0..<(1 << 20) / unit.count {
      let start = file.count - unit.startIndex
      file += unit
      var rest = number
      for place in places.reversed() {
        file[start + place] = UInt8(ascii: "0") + UInt8(rest % 10)
        rest /= 10
      }
    }
    return file
  }

  /// The simulated microphone has a reader of its own.
  static func checkMicrophone(_ bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let path = folder.write("m.wav", bytes)
    do {
      let sound = try WAVSound.read(path)
      try hold(sound.samples.count % 2 == 0 && sound.rate > 0, "\(sound.samples.count) samples at \(sound.rate) Hz")
    } catch let error as FileError {
      try TextFiles.checkError(error, lines: 0)
    }
  }

  /// - Parameter slack: frames by which what follows a seek may be longer, as a resampler that begins in the middle may
  ///   end a step or two later; nil: in damaged audio, a decoder that begins in the middle may take other bytes for frames,
  ///   or find frames that one from the beginning passes over.
  private static func checkTrack(_ track: any TrackSource, isMPEG: Bool, slack: Int?) throws {
    let (begin, count, end) = try play(track, atMost: most)
    // Headers may announce too little, which decoding puts right: no length in them ends a track.
    let announced = track.info.frames
    if let announced {
      try hold(count <= announced, "\(count) frames of \(announced)")
      // libmpg123 counts frames of damaged MPEG audio that it then gives up in the middle.
      let isEnough = count == announced || isMPEG
      try hold(end != .ended || isEnough, "ends after \(count) frames of \(announced) without a word")
    }
    if end == .ended { try hold(try play(track, atMost: block).count == 0, "goes on after its end") }
    for frame in [count / 2, count - 1, count, announced ?? count, .max, 0] where frame >= 0 {
      do throws(TrackError) { try track.seek(to: frame) } catch { continue }
      let (_, rest, _) = try play(track, atMost: 3 * block)
      guard let announced, let slack else { continue }
      try hold(rest <= max(0, announced - frame) + slack, "\(rest) frames at \(frame) of \(announced)")
    }
    try track.seek(to: 0)
    let (again, _, _) = try play(track, atMost: block)
    try hold(again.prefix(begin.count).elementsEqual(begin.prefix(again.count)), "another beginning the second time")
    track.close()
    try hold(try play(track, atMost: block).end == .broke, "goes on when it is closed")
  }

  private enum End { case ended, broke, open }

  private static func play(
    _ track: any TrackSource, atMost most: Int
  ) throws -> (begin: [Int16], count: Int, end: End) {
    var samples = [Int16](repeating: 0, count: 2 * block)
    var begin: [Int16] = []
    var total = 0
    while total < most {
      var count = 0
      do throws(TrackError) {
        count = try samples.withUnsafeMutableBufferPointer { (buffer) throws(TrackError) in
          guard let base = buffer.baseAddress else { return 0 }
          return try track.read(into: base, frames: block)
        }
      } catch {
        try checkReason(error)
        return (begin, total, .broke)
      }
      try hold((0...block).contains(count), "\(count) frames where \(block) fit")
      if count == 0 { return (begin, total, .ended) }
      if total == 0 { begin = Array(samples[..<(2 * count)]) }
      total += count
    }
    return (begin, total, .open)
  }

  private static func checkInfo(_ info: TrackInfo) throws {
    try hold(info.frames ?? 0 >= 0 && info.rate > 0 && info.channels > 0, "\(info)")
    // These texts are shown in the log and on the panel.
    _ = Duration.covering(frames: info.frames ?? 0, rate: info.rate)
    let event = Event(.trackStarted, .info, ["title": info.title, "artist": info.artist, "album": info.album])
    try checkLine(event, at: .powerOn)
  }

  private static func checkReason(_ error: TrackError) throws {
    try hold(!error.reason.isEmpty && Wording.oneLine(error.reason) == error.reason, "\(error)")
  }
}
