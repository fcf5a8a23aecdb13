import Board
import CMPG123

/// Tells MPEG audio from files that only look like it for a moment.
enum MPEGProbe {
  /// Frames that must follow one another without a byte between them.
  static let wantedRun = 4
  /// Bytes after the leading tags in which the run must be found: room for a cover picture that a broken tag left bare,
  /// and short enough that a large file of something else is refused at once.
  static let searchBound = 1 << 20
  static let refusal = "no MPEG audio in it"

  /// Leaves `handle` at the beginning of the file, with the tags read, or throws if the file holds no MPEG audio.
  /// - Returns: whether the handle must take a first frame that no other follows.
  static func check(_ handle: borrowing MPEGHandle, _ file: TrackFile) throws(TrackError) -> Bool {
    func refused(_ reason: String) -> TrackError { TrackError(operation: .open, path: file.path, reason: reason) }
    guard !isWave(file) else { throw refused(refusal) }
    // A tag that claims more than the file has is looked behind: the library would take all the music for the tag.
    if leadingTags(file) > file.size { file.origin = 10 }
    let limit = leadingTags(file) + searchBound
    defer { file.limit = Int.max }
    for lookAhead in [true, false] {
      // The library looks for ID3v1 at the end of the file when it starts.
      file.limit = Int.max
      try handle.start(junk: searchBound, tags: true, lookAhead: lookAhead)
      file.limit = limit
      if findsRun(handle, file, strict: !lookAhead) { return lookAhead }
      if file.failure != 0 { throw refused(handle.failureReason) }
    }
    throw refused(refusal)
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
        // A short file has fewer frames; then they must be all there is.
        guard run > 0, !broken else { return false }
        let leads = first == leadingTags(file)
        let fills = expected >= file.size - trailingTag(file)
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

  /// Whether the frame at `offset` is followed by one of the same version, layer and rate. Damage looks like a frame of
  /// some other format now and then, but hardly ever like two.
  static func isFollowed(_ file: TrackFile, at offset: Int, size: Int) -> Bool {
    func header(_ offset: Int) -> UInt32? {
      let bytes = file.bytes(at: offset, count: 4)
      return bytes.count == 4 ? bytes.reduce(0) { $0 << 8 | UInt32($1) } & 0xfffe_0c00 : nil
    }
    guard let this = header(offset), let next = header(offset + size) else { return false }
    return this == next
  }

  /// PCM is full of false syncs (small negative samples begin with 0xFF). RIFF around MPEG audio is let through.
  private static func isWave(_ file: TrackFile) -> Bool {
    let head = file.bytes(at: 0, count: 22)
    guard head.count == 22, head.starts(with: Array("RIFF".utf8)), head[8...].starts(with: Array("WAVEfmt ".utf8))
    else { return false }
    let format = Int(head[20]) | Int(head[21]) << 8
    return format != 0x50 && format != 0x55
  }

  /// Bytes of the ID3v2 tags at the beginning.
  private static func leadingTags(_ file: TrackFile) -> Int {
    var offset = 0
    for _ in 0..<8 {
      let head = file.bytes(at: offset, count: 10)
      guard head.count == 10, head.starts(with: Array("ID3".utf8)), head[6...].allSatisfy({ $0 < 0x80 }) else { break }
      let size = head[6...].reduce(0) { $0 << 7 | Int($1) }
      let footer = head[5] & 0x10 == 0 ? 0 : 10
      offset += 10 + size + footer
    }
    return offset
  }

  private static func trailingTag(_ file: TrackFile) -> Int {
    file.size >= 128 && file.bytes(at: file.size - 128, count: 3) == Array("TAG".utf8) ? 128 : 0
  }
}
