import Glibc

/// Where the frames of an MPEG file follow one another, and where they go on after a loss of sync.
///
/// Bytes of anything else look like the header of a frame every few hundred bytes, and what libmpg123 makes of them is
/// noise at full scale. So the library gets to see only what `next` finds: after a loss of sync a frame counts if two
/// others follow it, or one that ends the music.
struct MPEGSync {
  private let file: TrackFile

  /// More is not searched at a time: what is longer ends the track.
  private static let searchBound = 1 << 26
  private static let window = 1 << 16

  init(_ file: TrackFile) { self.file = file }

  /// Hides what lies between a frame and the next from the library, which would play it.
  /// - Parameters:
  ///   - end: where the frame ends.
  ///   - word: its first four bytes.
  ///   - size: bytes in it.
  /// - Returns: where the next frame begins.
  @discardableResult
  func hideJunk(behind end: Int, after word: UInt32, size: Int) -> Int {
    guard end < file.end else { return end }
    let next = next(at: end, after: word, size: size)
    if next > end { file.hide(end..<next) }
    return next
  }

  /// Where the next frame begins.
  ///
  /// - Parameters:
  ///   - expected: where the frame before ends.
  ///   - last: the first four bytes of the frame before, which has `size` bytes.
  /// - Returns: `expected` where frames go on there, and where the storage does not say; the end of the file where no
  ///   more are found.
  private func next(at expected: Int, after last: UInt32, size: Int) -> Int {
    if isLike(last, at: expected) { return expected }
    let found = search(from: behindTags(expected), after: last, size)
    return file.failure == 0 ? found ?? file.end : expected
  }

  private func search(from first: Int, after last: UInt32, _ size: Int) -> Int? {
    let bound = min(file.end, first + Self.searchBound)
    for start in stride(from: first, to: bound, by: Self.window) where file.failure == 0 {
      let bytes = file.bytes(at: start, count: min(Self.window, bound - start))
      for index in bytes.indices where Self.mayBegin(bytes, index) {
        if isRun(at: start + index, after: last, size) { return start + index }
      }
    }
    return nil
  }

  /// Whether the bytes at hand allow a header there: to look at each 0xff in the file takes seconds where there are many.
  private static func mayBegin(_ bytes: [UInt8], _ index: Int) -> Bool {
    guard bytes[index] == 0xff else { return false }
    guard index + 2 < bytes.count else { return true }
    return bytes[index + 1] & 0xe0 == 0xe0 && bytes[index + 2] & 0xf0 != 0xf0
  }

  private func isLike(_ word: UInt32, at place: Int) -> Bool {
    guard place < file.end, let other = file.word(at: place) else { return false }
    return Self.kind(other) == Self.kind(word)
  }

  /// Version, layer and rate, and whether the bit rate is free.
  private static func kind(_ word: UInt32) -> UInt32 { word & 0xfffe_0c00 | (word & 0xf000 == 0 ? 1 : 0) }

  private func isRun(at place: Int, after last: UInt32, _ size: Int) -> Bool {
    guard let word = file.word(at: place) else { return false }
    if word & 0xf000 == 0, Self.kind(word) == Self.kind(last) {
      // The size of free frames stands nowhere; they differ by the byte or the four of their padding.
      return [-4, -1, 0, 1, 4].contains { isLike(word, at: place + size + $0) }
    }
    guard let first = MPEGHeader(word), let second = follower(of: first, word, at: place) else { return false }
    let third = second.place + second.header.size
    return third == file.end || isLike(word, at: third)
  }

  private func follower(of header: MPEGHeader, _ word: UInt32, at place: Int) -> (place: Int, header: MPEGHeader)? {
    let next = place + header.size
    guard isLike(word, at: next), let second = file.word(at: next).flatMap({ MPEGHeader($0) }) else { return nil }
    return (next, second)
  }

  /// Tags between tracks that were joined: what is in them is not searched.
  private func behindTags(_ place: Int) -> Int {
    var place = place
    while place < file.end, let size = ID3Tags.size(file, at: place) { place += size }
    return place
  }
}
