import Board
import RealtimeAudio

/// The decoded audio of one MPEG file at its own rate (layers I to III, any rate, mono or stereo, constant, variable or
/// free bit rate), by libmpg123. Decode thread.
///
/// Gapless: encoder delay and padding of the LAME tag are cut off; the rest is what libmpg123 gives, bit for bit.
/// Damaged stretches and other data are skipped, and the decode goes to where the trailing tags begin, whatever the
/// file's headers announce.
final class MPEGStream: TrackStream {
  /// Rate of what `read` gives now, Hz.
  private(set) var rate: Int
  /// Channels in the file's first frame.
  let channels: Int
  let parts: [(rate: Int, frames: Int)]? = nil
  let trim: MPEGTrim
  let tags: FileTags
  let loudness: LoudnessTags

  let file: TrackFile
  private let handle: MPEGHandle
  private let samplesPerFrame: Int
  private let lookAhead: Bool
  /// Where the first frame that is decoded begins.
  private let start: Int

  /// Decoded and not yet read: the last `tail` frames wait here until it is known whether the track ends there.
  private let pending: UnsafeMutablePointer<Int16>
  private let capacity: Int
  private var pendingStart = 0
  private var pendingEnd = 0
  private var held: Int

  /// Frames that the decoder gave since the beginning of the file.
  private var decoded = 0
  private var discard: Int
  private var nextRate: Int?
  private let sync: MPEGSync
  /// The frame that was parsed last, and where the next one is expected.
  private var last: (word: UInt32, size: Int, end: Int)?
  private var index: MPEGIndex
  /// Why it cannot go on; what was decoded before is given first.
  private var failure: TrackError?
  private var ended = false
  /// Frames of the encoder's padding among those decoded, at the end.
  private var cut = 0

  private static let block = MPEGHandle.longestFrame

  /// Opens at the beginning of the file; throws where it holds no MPEG audio.
  init(_ file: TrackFile) throws(TrackError) {
    let handle = try MPEGHandle.open(file)
    lookAhead = try MPEGProbe.check(handle, file)
    tags = FileTags(handle)
    loudness = handle.loudness()
    file.limit = TrailingTags.start(file)
    sync = MPEGSync(file)
    try handle.start(junk: -1, tags: false, lookAhead: lookAhead)
    guard let rate = handle.rate(), let first = handle.frameInfo() else {
      throw TrackError(operation: .open, path: file.path, reason: MPEGProbe.refusal)
    }
    if let reason = MPEGProbe.refusal(file, at: handle.frameOffset) { throw TrackError.refusal(file, reason) }
    self.file = file
    self.rate = rate
    channels = first.mode == 3 ? 1 : 2
    samplesPerFrame = max(1, handle.samplesPerFrame)
    trim = MPEGTrim(handle)
    start = handle.frameOffset
    index = MPEGIndex(file, sync, start: start, frameSize: Int(first.framesize))
    self.handle = handle
    discard = trim.head
    held = trim.tail
    capacity = trim.tail + 4 * Self.block
    pending = .allocate(capacity: 2 * capacity)
  }

  deinit { pending.deallocate() }

  /// Up to `frames` stereo frames. After `.rate` the next frames have the new rate; after `.end` there are none.
  func read(into target: UnsafeMutablePointer<Int16>, frames: Int) throws(TrackError) -> StreamChunk {
    while true {
      let available = min(frames, pendingEnd - pendingStart - held)
      if available > 0 {
        target.update(from: pending + 2 * pendingStart, count: 2 * available)
        pendingStart += available
        return .frames(available)
      }
      if let next = nextRate {
        nextRate = nil
        rate = next
        return .rate(next)
      }
      if let failure { throw failure }
      if ended { return .end }
      if frames >= held + Self.block {
        let count = readStraight(into: target, frames)
        if count > 0 { return .frames(count) }
      } else {
        try decode()
      }
    }
  }

  func readRounded(
    into target: UnsafeMutablePointer<Int16>, frames: Int, gain: Float
  ) throws(TrackError) -> StreamChunk {
    let chunk = try read(into: target, frames: frames)
    if case .frames(let count) = chunk, gain != 1 { roundSamples(target, scale: gain, to: target, count: 2 * count) }
    return chunk
  }

  /// Decodes to where the frames are wanted instead of copying them there; called when `pending` has no more than the
  /// frames that are held back, which are the first then. Those that are held back next go to `pending`.
  private func readStraight(into target: UnsafeMutablePointer<Int16>, _ frames: Int) -> Int {
    var end = pendingEnd - pendingStart
    target.update(from: pending + 2 * pendingStart, count: 2 * end)
    while end + Self.block <= frames, nextRate == nil, failure == nil, !ended {
      end += decode(to: target + 2 * end)
      end -= min(takeCut(), end)
    }
    let count = max(0, end - held)
    pendingStart = 0
    pendingEnd = end - count
    pending.update(from: target + 2 * count, count: 2 * pendingEnd)
    return count
  }

  /// Goes to a frame of the file's first rate, exactly: what follows is what a decode from the beginning gives there.
  /// - Returns: false if that place can only be found by decoding from the beginning, as near the beginning and after a
  ///   change of format; the stream is then at its beginning.
  func seek(to frame: Int) throws(TrackError) -> Bool {
    try restart()
    let (sample, overflow) = frame.addingReportingOverflow(trim.head)
    // The bit reservoir reaches back 511 bytes, up to 23 of the smallest frames, and two more fill the filter banks.
    // The synthesis window turns by 36, 18 or 12 of 16 places per frame, and the order of its sums with it; only from a
    // multiple of 8 are they those of an unbroken decode, to the last bit. The library itself goes one frame ahead.
    let first = (sample / samplesPerFrame - 33) / 8 * 8 + 1
    guard !overflow, first > 8 else { return false }
    file.hideAgain()
    // It begins one frame before.
    let (offsets, step) = index.entries(before: first - 1)
    handle.setIndex(offsets, step: step)
    ended = handle.seek(to: first * samplesPerFrame) < 0
    try file.checkStorage(.seek)
    decoded = first * samplesPerFrame
    discard = sample - decoded
    var exact = !handle.isStitched && handle.rate() == rate
    while exact, discard > 0, !ended {
      try decode()
      exact = nextRate == nil
    }
    if !exact { try restart() }
    return exact
  }

  /// Frames according to headers that agree with the file's size, where they do. They may still lie: what is read
  /// does not depend on them.
  func announcedFrames() -> Int? {
    guard let decoded = MPEGLength(file, start: start)?.decoded() else { return nil }
    return max(0, decoded - trim.head - trim.tail(after: decoded))
  }

  /// Reads the whole file without decoding it. The stream is at its beginning afterwards.
  /// - Throws: where the storage does not give all of it.
  /// - Returns: how many frames there are of each rate, in order.
  func measure() throws(TrackError) -> [(rate: Int, frames: Int)] {
    try restart()
    var parts = [(rate: rate, frames: 0)]
    // `restart` has already parsed the first frame to learn its rate; asking for the next one first would lose it.
    var status = MPEGHandle.Status.decoded
    while status == .decoded || status == .newFormat {
      if status == .newFormat {
        if let new = handle.rate(), new != parts[parts.count - 1].rate { parts.append((new, 0)) }
      }
      parts[parts.count - 1].frames += handle.samplesPerFrame
      noteFrame()
      hideJunk()
      status = handle.nextFrame()
    }
    try file.checkStorage(.read)
    let cut = parts.count == 1 ? trim.tail(after: parts[0].frames) : 0
    parts[0].frames = max(0, parts[0].frames - trim.head - cut)
    try restart()
    return parts
  }

  /// Goes to the beginning.
  func restart() throws(TrackError) {
    // With what a decode hid, the library may find another first frame in what lies before it.
    file.show()
    try handle.start(junk: -1, tags: false, lookAhead: lookAhead)
    guard let rate = handle.rate() else {
      throw TrackError(operation: .seek, path: file.path, reason: handle.failureReason)
    }
    self.rate = rate
    pendingStart = 0
    pendingEnd = 0
    held = trim.tail
    decoded = 0
    discard = trim.head
    nextRate = nil
    last = nil
    failure = nil
    ended = false
  }

  /// Decodes into `pending`.
  private func decode() throws(TrackError) {
    makeRoom()
    pendingEnd += decode(to: pending + 2 * pendingEnd)
    pendingEnd -= min(takeCut(), pendingEnd - pendingStart)
    if let failure { throw failure }
  }

  /// Decodes a block, and returns how many frames there are at `place`, less those that a seek or the encoder's delay
  /// drops.
  private func decode(to place: UnsafeMutablePointer<Int16>) -> Int {
    hideJunk()
    do throws(TrackError) { try file.checkStorage(.read) } catch {
      // What lies here may not be music, and the library would play it.
      failure = error
      return 0
    }
    let (status, frames) = handle.decodeFrame(to: place)
    let kept = keep(frames, at: place)
    switch status {
    case .decoded: noteFrame()
    case .newFormat:
      // It is decoded by the next call.
      last = nil
      guard let new = handle.rate(), new != rate else { break }
      nextRate = new
      held = 0
    case .ended:
      ended = true
      if held > 0 { cut = trim.tail(after: decoded) }
      held = 0
    case .failed(let reason): failure = TrackError(operation: .read, path: file.path, reason: reason)
    }
    return kept
  }

  /// How many of the frames decoded last are to be cut off, once.
  private func takeCut() -> Int {
    defer { cut = 0 }
    return cut
  }

  /// Counts frames that were decoded to `place`, drops those that are to be dropped, and returns how many are left.
  private func keep(_ frames: Int, at place: UnsafeMutablePointer<Int16>) -> Int {
    decoded += frames
    let dropped = min(discard, frames)
    discard -= dropped
    let kept = frames - dropped
    if dropped > 0 { place.update(from: place + 2 * dropped, count: 2 * kept) }
    return kept
  }

  private func noteFrame() {
    guard let info = handle.frameInfo() else { return }
    let (offset, size) = (handle.frameOffset, Int(info.framesize))
    last = file.word(at: file.place(offset)).map { ($0, size, file.place(offset + size)) }
  }

  /// Hides what lies between the last frame and the next from the library, which would play it.
  private func hideJunk() {
    if let last { sync.hideJunk(behind: last.end, after: last.word, size: last.size) }
  }

  private func makeRoom() {
    guard pendingStart > 0, pendingEnd + Self.block > capacity || pendingStart == pendingEnd else { return }
    pending.update(from: pending + 2 * pendingStart, count: 2 * (pendingEnd - pendingStart))
    pendingEnd -= pendingStart
    pendingStart = 0
  }
}
