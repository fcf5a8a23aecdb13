import Board
import CSndFile

/// The decoded audio of one file that libsndfile opens, at its own rate, as floats, with exact seeks. Decode thread.
///
/// A file gives as many frames as its headers announce, which for Ogg is what the last page counts, less Opus' pre-skip;
/// encoders' padding is cut off thereby. One that turns out to be shorter gives what there is and then fails with a reason.
final class SoundStream: TrackStream {
  let rate: Int
  let channels: Int
  let tags: TrackTags
  let loudness: LoudnessTags
  /// Frames that the headers announce; nil where they do not.
  let announced: Int?

  private let file: TrackFile
  /// Frames decoded before the first that counts.
  private let lead: Int
  /// Where in the file what libsndfile is to see ends; nil: nowhere before the file does.
  private let end: Int?
  private let patch: SoundFileView.Patch?
  private let format: SoundFormat
  private let mix: ChannelMix
  /// How to find places in Ogg; nil where libsndfile's own seeks are exact.
  private let index: OggIndex?
  private var sound: SoundFile
  /// Of the next frame.
  private var position: Int
  private var discard: Int
  /// Frames that stand for a damaged stretch, still to be given.
  private var silence = 0
  /// Whether a seek went past the last frame.
  private var ended = false
  private let block: UnsafeMutablePointer<Float>

  private static let blockFrames = 1024

  /// Opens at the beginning of `file`, which holds `format` from its origin on.
  init(_ file: TrackFile, _ format: SoundFormat) throws(TrackError) {
    func refusal(_ reason: String) -> TrackError { TrackError(operation: .open, path: file.path, reason: reason) }
    // What comes after the last whole page, or after the first of several streams, leaves libsndfile without a length.
    let pages = format == .ogg ? OggPages(file) : nil
    let end = pages?.last()?.end
    let opus = pages.flatMap { OpusHead(file, $0) }
    if format == .ogg && pages?.beginWhole != true { throw refusal("damaged: its first page is not whole") }
    if let pages, pages.beginVorbis, !pages.haveVorbisHeaders { throw refusal("damaged: its headers are not whole") }
    let patch = format == .wave ? WaveRepair.patch(file) : opus?.patch
    let lead = opus?.preskip ?? 0
    let sound = try SoundFile.open(SoundFileView(file, end: end, patch: patch), as: format)
    guard (1_000...768_000).contains(sound.rate) else { throw refusal("a rate of \(sound.rate) Hz cannot be played") }
    guard sound.frames.map({ $0 > lead }) ?? true else { throw refusal(MPEGProbe.refusal) }
    guard (1...ChannelMix.mostChannels).contains(sound.channels) else {
      throw refusal("has \(sound.channels) channels, at most \(ChannelMix.mostChannels) can be played")
    }
    let isVorbis = sound.format & SF_FORMAT_SUBMASK == SF_FORMAT_VORBIS
    let comments = VorbisComments(file, format)
    self.file = file
    self.end = end
    self.patch = patch
    self.format = format
    rate = sound.rate
    channels = sound.channels
    announced = sound.frames.map { max(0, $0 - lead) }
    self.lead = lead
    position = -lead
    discard = lead
    tags = TrackTags(comments, sound)
    loudness = LoudnessTags { comments[$0] }
    mix = ChannelMix(sound.channels, map: sound.channelMap(), isVorbisOrder: isVorbis || opus != nil)
    index = isVorbis || opus != nil ? announced.flatMap { OggIndex(file, isOpus: opus != nil, frames: $0) } : nil
    self.sound = sound
    block = .allocate(capacity: Self.blockFrames * channels)
  }

  deinit { block.deallocate() }

  func read(into target: UnsafeMutablePointer<Float>, frames: Int) throws(TrackError) -> StreamChunk {
    while !ended {
      if silence > 0 {
        let count = min(frames, silence)
        target.update(repeating: 0, count: 2 * count)
        silence -= count
        return .frames(count)
      }
      let wanted = min(frames, Self.blockFrames)
      let count = sound.read(into: channels == 2 ? target : block, frames: wanted)
      if count == 0 {
        guard try stepOverDamage() else { return .end }
        continue
      }
      position += count
      let dropped = min(discard, count)
      discard -= dropped
      let kept = count - dropped
      guard kept > 0 else { continue }
      if channels != 2 {
        mix.apply(block + dropped * channels, kept, into: target)
      } else if dropped > 0 {
        target.update(from: target + 2 * dropped, count: 2 * kept)
      }
      return .frames(kept)
    }
    return .end
  }

  func seek(to frame: Int) throws(TrackError) -> Bool {
    silence = 0
    ended = false
    if let announced, frame >= announced {
      ended = true
      return true
    }
    if let index { return try seek(to: frame, index) }
    if lead == 0, sound.seek(to: frame) {
      position = frame
      discard = 0
      return true
    }
    try reopen(view())
    return false
  }

  /// Frames in the file: what the headers announce if the last of them is there, else what can be decoded. The stream
  /// is at its beginning afterwards.
  func measure() throws(TrackError) -> Int {
    if let announced {
      // In Ogg it is the last page that announces, so it is there.
      if index != nil { return announced }
      if sound.seek(to: announced - 1), sound.read(into: block, frames: 1) == 1 {
        try reopen(view())
        return announced
      }
    }
    try reopen(view())
    var total = -lead
    while true {
      let count = sound.read(into: block, frames: Self.blockFrames)
      if count == 0 { break }
      total += count
    }
    try reopen(view())
    return max(0, total)
  }

  /// libsndfile lands beside the frame it is sent to in a fifth of all seeks in Vorbis (1.2.0; its issue 885 is open),
  /// and near the beginning and the end of some Opus files. Its decode from the beginning of a stream is exact, so a
  /// stream is made that begins near the frame: the file's headers, and then what follows from some page. How many
  /// frames that one announces less tells where it begins.
  private func seek(to frame: Int, _ index: OggIndex) throws(TrackError) -> Bool {
    if let place = index.place(before: frame) {
      try reopen(view(from: index.head, place))
      if let announced, let left = sound.frames, left <= announced, announced - left <= frame {
        position = announced - left
        discard = frame - position
        return true
      }
    }
    try reopen(view())
    discard += frame
    return true
  }

  private func view(from head: Int = 0, _ place: Int? = nil) -> SoundFileView {
    SoundFileView(file, end: end, patch: patch, head: head, resumingAt: place)
  }

  private func reopen(_ view: SoundFileView) throws(TrackError) {
    sound = try SoundFile.open(view, as: format)
    position = -lead
    discard = lead
    ended = false
  }

  /// Goes on behind what cannot be decoded, with silence in its place. Only for FLAC, where libFLAC gives up at some
  /// kinds of damage and a seek finds the next whole frame; most it leaves out by itself, as libogg does.
  /// - Returns: false if the end is reached.
  private func stepOverDamage() throws(TrackError) -> Bool {
    func broken(_ reason: String) -> TrackError { TrackError(operation: .read, path: file.path, reason: reason) }
    if file.failure != 0 { throw broken(fileReason(file.failure)) }
    guard let announced, position < announced else { return false }
    let (place, left) = (position, discard)
    var step = 512
    let isAtEnd = sound.metEnd
    while format == .flac, !isAtEnd, step < announced - place, file.failure == 0 {
      try reopen(view())
      if sound.seek(to: place + step), sound.read(into: block, frames: 1) == 1, sound.seek(to: place + step) {
        position = place + step
        let dropped = min(left, step)
        discard = left - dropped
        silence = step - dropped
        return true
      }
      step *= 2
    }
    position = place
    throw broken("damaged or cut short: only \(max(0, place)) of \(announced) frames are in it")
  }
}

extension TrackTags {
  fileprivate init(_ comments: VorbisComments, _ sound: borrowing SoundFile) {
    self.init(
      title: Self.joined(comments.values["TITLE"] ?? []) ?? sound.text(SF_STR_TITLE),
      artist: Self.joined(comments.values["ARTIST"] ?? []) ?? sound.text(SF_STR_ARTIST),
      album: Self.joined(comments.values["ALBUM"] ?? []) ?? sound.text(SF_STR_ALBUM))
  }
}
