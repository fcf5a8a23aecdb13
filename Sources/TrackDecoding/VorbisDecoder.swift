import Board
import CDecoders
import Glibc

/// Ogg Vorbis by libvorbisfile, with all links of a chain.
final class VorbisDecoder: SoundDecoder {
  let parts: [(rate: Int, frames: Int?)]
  let isCounted: Bool
  let channels: Int
  let tags: FileTags
  let loudness: LoudnessTags

  private let handle: UnsafeMutablePointer<OggVorbis_File>
  private let file: TrackFile
  private let samples = DecodedSamples(isVorbisOrder: true, frames: blockFrames)
  private var position = 0
  /// Byte offset in the file at which the library last reported damage.
  private var damageOffset: Int?

  private static let blockFrames = 1024
  /// Frames before the target of a seek: the longest block. In chains, libvorbisfile (1.3.7) lands up to a block behind
  /// the target, which `ov_pcm_tell` then shows.
  private static let preroll = 8192
  private static let mostErrors = 10_000

  /// Offset behind the last page, which cuts the end within it. The library cuts only what the page's last packet gives.
  private let lastPage: Int?
  /// Where the last page ends the music.
  private var end: Int { parts.reduce(0) { $0 + ($1.frames ?? SoundStream.mostFrames) } }

  /// - Parameters:
  ///   - isCounted: whether the positions on all pages are known to be right.
  ///   - lastPage: offset behind the last page, whose position is right; nil where that is not known.
  init(_ file: TrackFile, isCounted: Bool = false, lastPage: Int? = nil) throws(TrackError) {
    try DecoderLibraries.vorbisFile.require(for: file.path)
    let handle = UnsafeMutablePointer<OggVorbis_File>.allocate(capacity: 1)
    let status = file.bounded {
      vorbisfile.open_callbacks(Unmanaged.passUnretained(file).toOpaque(), handle, nil, 0, Self.callbacks)
    }
    guard status == 0 else {
      handle.deallocate()
      throw TrackError.refusal(file, "damaged: its headers are incomplete")
    }
    let links = (0..<CInt(vorbisfile.streams(handle))).map { link in
      let info = vorbisfile.info(handle, link)?.pointee
      return ChainLink(
        rate: info?.rate ?? 0, channels: Int(info?.channels ?? 0), frames: Int(vorbisfile.pcm_total(handle, link)))
    }
    let comments = VorbisComments(vorbisfile.comment(handle, 0)?.pointee)
    self.handle = handle
    self.file = file
    self.isCounted = isCounted
    self.lastPage = lastPage
    parts = ChainLink.parts(links, isCounted: isCounted)
    channels = links.first?.channels ?? 0
    tags = FileTags(comments)
    loudness = LoudnessTags { comments[$0] }
    if let reason = links.compactMap(\.refusal).first { throw TrackError.refusal(file, reason) }
    // libvorbisfile opens behind a first link of a single page, so go to the beginning.
    if seek(to: 0) == nil { throw TrackError.refusal(file, MPEGProbe.refusal) }
  }

  deinit {
    _ = vorbisfile.clear(handle)
    handle.deallocate()
  }

  func decode() -> DecodedBlock? {
    var planes: UnsafeMutablePointer<UnsafeMutablePointer<Float>?>?
    var link: CInt = 0
    for _ in 0..<Self.mostErrors {
      let place = Int(vorbisfile.raw_tell(handle))
      var count = vorbisfile.read_float(handle, &planes, CInt(Self.blockFrames), &link)
      if let lastPage, count > 0, vorbisfile.raw_tell(handle) >= lastPage { count = max(0, min(count, end - position)) }
      if count == 0 { return nil }
      if count < 0 {
        // A failure of the storage does not mean that the file is damaged.
        guard file.failure == 0 else { return nil }
        recount(from: place)
        continue
      }
      guard let planes, let info = vorbisfile.info(handle, link) else { return nil }
      let channels = Int(info.pointee.channels)
      defer { position += count }
      if channels == 2, let left = planes[0], let right = planes[1] {
        return DecodedBlock(samples: .planes(left: left, right: right), start: position, frames: count)
      }
      for channel in 0..<channels {
        guard let plane = planes[channel] else { return nil }
        let target = samples.input + channel
        for frame in 0..<count { target[frame * channels] = plane[frame] }
      }
      return samples.block(count, of: channels, at: position)
    }
    return nil
  }

  /// After damage at byte `place`, libvorbisfile counts on as if there had been none until the page ends. A seek to the
  /// page makes it take the position from the page before any sample of it is read.
  private func recount(from place: Int) {
    if damageOffset != place, file.bounded({ vorbisfile.raw_seek(handle, ogg_int64_t(place)) }) == 0 {
      position = Int(vorbisfile.pcm_tell(handle))
    }
    damageOffset = place
  }

  func seek(to frame: Int) -> Int? {
    let start = ogg_int64_t(max(0, frame - Self.preroll))
    guard file.bounded({ vorbisfile.pcm_seek(handle, start) }) == 0 else { return nil }
    position = Int(vorbisfile.pcm_tell(handle))
    damageOffset = nil
    return position
  }

  private static let callbacks = ov_callbacks(
    read_func: { target, size, count, source in
      guard let target, let source, size > 0 else { return 0 }
      let read = TrackFile.from(source).read(into: target, count: size * count)
      // libvorbisfile distinguishes an error from the end by errno, not by the count.
      if read < 0 { errno = EIO }
      return max(0, read) / size
    },
    seek_func: { source, offset, whence in
      guard let source else { return -1 }
      return TrackFile.from(source).seek(by: Int(offset), whence: whence) < 0 ? -1 : 0
    },
    close_func: nil,
    tell_func: { source in source.map { TrackFile.from($0).seek(by: 0, whence: SEEK_CUR) } ?? -1 })
}

/// One logical stream of a chain.
private struct ChainLink {
  var rate: Int
  var channels: Int
  var frames: Int

  /// Why it cannot be played; nil where it can.
  var refusal: String? { SoundStream.refusal(rate: rate) ?? SoundStream.refusal(channels: channels) }

  /// The links as stretches of one rate each; one of unknown length where a link has no believable length.
  static func parts(_ links: [ChainLink], isCounted: Bool) -> [(rate: Int, frames: Int?)] {
    guard links.allSatisfy({ ((isCounted ? 0 : 1)...SoundStream.mostFrames).contains($0.frames) }) else {
      return [(links.first?.rate ?? 0, nil)]
    }
    return links.reduce(into: []) { parts, link in
      if let last = parts.last, last.rate == link.rate {
        parts[parts.count - 1].frames = (last.frames ?? 0) + link.frames
      } else {
        parts.append((link.rate, link.frames))
      }
    }
  }
}
