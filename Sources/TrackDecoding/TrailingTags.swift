/// The tags behind the music of an MPEG file.
enum TrailingTags {
  /// Where the music ends: before ID3v1, APE, Lyrics3 and ID3v2 tags, in whatever order they stand.
  static func start(_ file: TrackFile) -> Int {
    var end = file.size
    for _ in 0..<4 {
      guard let size = size(of: file, before: end), size <= end else { break }
      end -= size
    }
    return end
  }

  private static func size(of file: TrackFile, before end: Int) -> Int? {
    let tail = file.bytes(at: max(0, end - 128), count: min(end, 128))
    if tail.count == 128, tail.starts(with: Array("TAG".utf8)) { return 128 }
    if tail.count >= 32, tail.suffix(32).starts(with: Array("APETAGEX".utf8)) {
      let footer = Array(tail.suffix(32))
      let header = footer[23] & 0x80 == 0 ? 0 : 32
      return Int(footer[12..<16].littleEndian) + header
    }
    if tail.count >= 15, tail.suffix(9).elementsEqual("LYRICS200".utf8) {
      return Int(String(decoding: tail.suffix(15).prefix(6), as: UTF8.self)).map { max(0, $0) + 15 }
    }
    return ID3Tags.size(file, before: end)
  }
}
