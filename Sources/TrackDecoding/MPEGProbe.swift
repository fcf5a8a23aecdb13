import Board
import CDecoders

/// Distinguishes MPEG audio from files in which some bytes only look like it.
enum MPEGProbe {
  /// Frames that must follow one another without a byte between them.
  static let wantedRun = 4
  /// Bytes after the leading tags in which the run must be found: room for a cover picture that a broken tag left bare,
  /// and short enough that a large file of something else is refused at once.
  static let searchBound = 1 << 20
  static let refusal = "no audio in it"
  /// Bytes after the leading tags in which their reader may look for the first frame.
  private static let tagBound = 1 << 12

  /// Leaves `handle` at the beginning of the file, with the tags read where they are not too large, or throws if the file
  /// holds no MPEG audio.
  /// - Returns: whether the handle must take a first frame that no other follows.
  static func check(_ handle: borrowing MPEGHandle, _ file: TrackFile) throws(TrackError) -> Bool {
    func refused(_ reason: String) -> TrackError { TrackError(operation: .open, path: file.path, reason: reason) }
    // PCM, for one, is full of false syncs: small negative samples begin with 0xFF.
    guard SoundFormat.detect(file) == nil else { throw refused(refusal) }
    // A tag may claim to be longer than the file. Skip its header only: the library would take all the music for the
    // tag.
    if ID3Tags.leading(file) > file.size { file.origin = 10 }
    defer { file.limit = Int.max }
    if alternates(file) {
      try begin(handle, file, lookAhead: false)
      return false
    }
    for lookAhead in [true, false] {
      try start(handle, file, tags: false, lookAhead, within: searchBound)
      if findsRun(handle, file, strict: !lookAhead) {
        try begin(handle, file, lookAhead: lookAhead)
        return lookAhead
      }
      if file.failure != 0 { throw refused(handle.failureReason) }
    }
    throw refused(refusal)
  }

  /// Starts at the beginning of the file, and reads the tags where they are not too large.
  private static func begin(
    _ handle: borrowing MPEGHandle, _ file: TrackFile, lookAhead: Bool
  ) throws(TrackError) {
    let areReadable = ID3Tags.areReadable(file)
    if areReadable { file.blanks = ID3Tags.pictures(file) }
    defer { file.blanks = [] }
    try start(handle, file, tags: areReadable, lookAhead, within: tagBound)
    _ = handle.nextFrame()
  }

  /// Whether a run begins right behind the leading tags whose first frame is mono and the second not, or the other way
  /// round. The library's look-ahead takes such frames for those of two streams and drops the first.
  private static func alternates(_ file: TrackFile) -> Bool {
    var place = ID3Tags.leading(file)
    var run: [MPEGHeader] = []
    while run.count < wantedRun {
      guard let header = MPEGHeader(file.bytes(at: place, count: 4)), run.first.map(header.isLike) ?? true else {
        return false
      }
      run.append(header)
      place += header.size
    }
    return place <= file.size && run[0].isMono != run[1].isMono
  }

  /// Why frames like the one at `offset` cannot be played; nil where they can.
  static func refusal(_ file: TrackFile, at offset: Int) -> String? {
    let head = file.bytes(at: offset, count: 3)
    // libmpg123 chooses the allocation of bits by the bit rate, which such frames do not name, and plays noise.
    let isFreeLayerTwo = head.count == 3 && head[1] & 6 == 4 && head[2] >> 4 == 0
    return isFreeLayerTwo ? "MPEG layer II without a bit rate (free format) cannot be played" : nil
  }

  /// Starts at the beginning of the file. Nothing further than `bound` behind the leading tags is read then.
  private static func start(
    _ handle: borrowing MPEGHandle, _ file: TrackFile, tags: Bool, _ lookAhead: Bool, within bound: Int
  ) throws(TrackError) {
    // The library looks for ID3v1 at the end of the file when it starts.
    file.limit = Int.max
    try handle.start(junk: searchBound, tags: tags, lookAhead: lookAhead)
    file.limit = ID3Tags.leading(file) + bound
  }

  /// - Parameter strict: the frames must fill the file, from the tags to its end; for the file of a single frame, which
  ///   the library only takes with the look-ahead off.
  private static func findsRun(_ handle: borrowing MPEGHandle, _ file: TrackFile, strict: Bool) -> Bool {
    var run = 0
    var broken = false
    var first = 0
    var expected = 0
    while run < wantedRun {
      switch handle.nextFrame() {
      case .decoded, .newFormat: break
      case .ended, .failed:
        // A short file has fewer frames; then they must fill it.
        guard run > 0, !broken else { return false }
        let leads = first == ID3Tags.leading(file)
        let fills = expected >= TrailingTags.start(file)
        return strict ? leads && fills && expected <= file.size : leads || fills
      }
      guard let info = handle.frameInfo() else { return false }
      let offset = handle.frameOffset
      if run == 0 { first = offset }
      if run > 0, offset != expected {
        broken = true
        run = 0
        if strict { return false }
      }
      run += 1
      expected = offset + Int(info.framesize)
    }
    return !strict
  }
}
