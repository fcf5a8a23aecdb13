import Board
import Glibc

/// The decoded audio of one file, as floats, with exact seeks. Decode thread.
///
/// A file gives the frames that it holds. A length in its headers is what it should hold: a file that ends before it
/// fails with a reason then, and one that goes on is played on. Only lengths that were counted end it. Frames that are
/// missing on the way are silent.
final class SoundStream: TrackStream {
  /// Two months at 192 kHz; a header that announces more is ignored.
  static let mostFrames = 1 << 40

  /// Stretches of one rate each; nil where the headers do not say how long the file is.
  let parts: [(rate: Int, frames: Int)]?
  private(set) var rate: Int

  let file: TrackFile
  private let decoder: any SoundDecoder
  /// Frames that the headers announce.
  private let announced: Int?
  /// Position of the next frame to read, counted through all parts.
  private var position = 0
  /// The block decoded last; some of it may have been read.
  private var block: DecodedBlock?
  /// End of the last block decoded.
  private var reached = 0

  var channels: Int { decoder.channels }
  var tags: FileTags { decoder.tags }
  var loudness: LoudnessTags { decoder.loudness }

  /// Opens at the beginning of `file`, which holds `format` from its origin on.
  /// - Parameter isThorough: whether the pages of Ogg are read through, and not only looked at here and there.
  init(_ file: TrackFile, _ format: SoundFormat, isThorough: Bool = false) throws(TrackError) {
    let decoder = try Self.decoder(file, format, isThorough: isThorough)
    let parts = decoder.parts
    self.file = file
    self.decoder = decoder
    rate = parts.first?.rate ?? 0
    let known = parts.compactMap { part in part.frames.map { (rate: part.rate, frames: $0) } }
    self.parts = known.count == parts.count ? known : nil
    announced = self.parts?.reduce(0) { $0 + $1.frames }
    if let reason = parts.compactMap({ Self.refusal(rate: $0.rate) }).first { throw TrackError.refusal(file, reason) }
    guard announced != 0 else { throw TrackError.refusal(file, MPEGProbe.refusal) }
    if let reason = Self.refusal(channels: channels) { throw TrackError.refusal(file, reason) }
  }

  /// Why a stretch of this rate cannot be played; nil where it can.
  static func refusal(rate: Int) -> String? {
    TrackInfo.rates.contains(rate) ? nil : "a rate of \(rate) Hz cannot be played"
  }

  /// Why a stretch of this many channels cannot be played; nil where it can.
  static func refusal(channels: Int) -> String? {
    (1...ChannelMix.mostChannels).contains(channels)
      ? nil : "has \(channels) channels, at most \(ChannelMix.mostChannels) can be played"
  }

  private static func decoder(
    _ file: TrackFile, _ format: SoundFormat, isThorough: Bool
  ) throws(TrackError) -> any SoundDecoder {
    switch format {
    case .wave, .aiff, .coreAudio, .sunAudio, .wave64: return try SoundFileDecoder(file, format)
    case .flac: return try FLACDecoder(file, isOgg: false)
    case .ogg:
      guard let (first, codec) = OggPage.playable(file), let end = OggPage.lastEnd(file) else {
        throw TrackError.refusal(file, "damaged, or no Ogg that can be played")
      }
      file.limit = end
      do { return try decoder(file, codec, isThorough: isThorough) } catch {
        // The chain may go on with something that the library cannot play. Then only the first stream is played.
        guard let end = OggPage.lastEnd(file, serial: first.serial), end < file.limit else { throw error }
        file.limit = end
        return try decoder(file, codec, isThorough: isThorough)
      }
    }
  }

  private static func decoder(
    _ file: TrackFile, _ codec: OggPage.Codec, isThorough: Bool
  ) throws(TrackError) -> any SoundDecoder {
    file.patches = []
    let repair = OggRepair(file, codec, isThorough: isThorough)
    file.patches = repair.patches
    _ = file.seek(by: 0, whence: SEEK_SET)
    do {
      switch codec {
      case .vorbis: return try VorbisDecoder(file, isCounted: repair.isThorough, lastPage: repair.end)
      case .opus: return try OpusDecoder(file, isCounted: repair.isThorough)
      case .flac: return try FLACDecoder(file, isOgg: true)
      }
    } catch {
      guard repair.isLeft else { throw error }
      return try Self.decoder(file, codec, isThorough: true)
    }
  }

  func read(into target: UnsafeMutablePointer<Float>, frames: Int) throws(TrackError) -> StreamChunk {
    try read(into: target, frames) { block, first, count in block.copy(from: first, count, into: target) }
  }

  func readRounded(
    into target: UnsafeMutablePointer<Int16>, frames: Int, gain: Float
  ) throws(TrackError) -> StreamChunk {
    try read(into: target, frames) { block, first, count in
      block.round(from: first, count, gain: gain, into: target)
    }
  }

  /// - Parameter give: writes frames of a block to `target`: so many, from the block's frame on.
  private func read<Sample: Numeric>(
    into target: UnsafeMutablePointer<Sample>, _ frames: Int,
    give: (_ block: DecodedBlock, _ first: Int, _ count: Int) -> Void
  ) throws(TrackError) -> StreamChunk {
    while true {
      let (next, end) = place(position)
      if next != rate {
        rate = next
        return .rate(next)
      }
      let wanted = min(frames, end - position)
      guard wanted > 0 else { return .end }
      if let block, position < block.end {
        let count = min(wanted, position < block.start ? block.start - position : block.end - position)
        if position < block.start {
          target.update(repeating: 0, count: 2 * count)
        } else {
          give(block, position - block.start, count)
        }
        position += count
        return .frames(count)
      }
      guard decodeOn() else {
        try checkEnd()
        return .end
      }
    }
  }

  /// Goes on towards the position that was sought: decodes and drops about `most` frames before it at most.
  /// - Returns: whether `read` has no more to drop.
  func approach(frames most: Int) throws(TrackError) -> Bool {
    var dropped = 0
    while reached <= position {
      if dropped >= most { return false }
      guard decodeOn(), let block else { return true }
      dropped += block.frames
    }
    return true
  }

  func seek(to frame: Int) throws(TrackError) -> Bool {
    position = max(0, frame)
    if decoder.isCounted, let announced { position = min(position, announced) }
    rate = place(position).rate
    block = nil
    reached = 0
    if decoder.isCounted && position == announced { return true }
    // Where a file goes on behind the length in its headers is found from its last frame on.
    if let landed = decoder.seek(to: min(position, announced.map { $0 - 1 } ?? position)), landed <= position {
      return true
    }
    try file.checkStorage(.seek)
    // Seeking failed, so everything before the position is decoded and dropped.
    guard decoder.seek(to: 0) == 0 else {
      throw TrackError(operation: .seek, path: file.path, reason: "damaged: its beginning cannot be found again")
    }
    return true
  }

  /// Frames in the file, for each rate: those announced if the last of them is there, else those that can be decoded.
  /// The stream is at its beginning afterwards. Throws where the storage does not give all of it.
  func measure() throws(TrackError) -> [(rate: Int, frames: Int)] {
    if let parts, let announced {
      if decoder.isCounted { return parts }
      _ = try seek(to: announced - 1)
      while decodeOn() {}
      try file.checkStorage(.read)
      let found = reached
      _ = try seek(to: 0)
      if found == announced { return parts }
    }
    while decodeOn() {}
    try file.checkStorage(.read)
    var left = reached
    let stretches = parts ?? [(rate, reached)]
    let found = stretches.indices.map { index in
      let part = stretches[index]
      // After the length in the headers the last rate goes on.
      let count = index == stretches.count - 1 ? left : min(left, part.frames)
      left -= count
      return (rate: part.rate, frames: count)
    }
    _ = try seek(to: 0)
    return found
  }

  /// Decodes the next block; false where there is none.
  private func decodeOn() -> Bool {
    block = decoder.decode()
    guard let block else { return false }
    reached = block.end
    // Without a length in the headers, a gap cannot be told from the end: play on without it.
    if announced == nil { position = max(position, block.start) }
    return true
  }

  /// The rate at a frame, and where the stretch of that rate ends. A length that was only announced ends nothing.
  private func place(_ frame: Int) -> (rate: Int, end: Int) {
    guard let parts else { return (rate, .max) }
    var end = 0
    for (index, part) in parts.enumerated() {
      let isLast = index == parts.count - 1
      end = isLast && !decoder.isCounted ? .max : end + part.frames
      if frame < end { return (part.rate, end) }
    }
    return (parts.last?.rate ?? rate, end)
  }

  private func checkEnd() throws(TrackError) {
    func broken(_ reason: String) -> TrackError { TrackError(operation: .read, path: file.path, reason: reason) }
    try file.checkStorage(.read)
    if let reason = decoder.failure { throw broken(reason) }
    guard let announced, position < announced else { return }
    throw broken("damaged or cut short: only \(reached) of \(announced) frames are in it")
  }
}
