/// Repairs the header of a WAV file whose writer never filled in its length.
enum WaveRepair {
  /// The patch for a length of 0, which libsndfile would believe; nil where the header needs none. libsndfile itself
  /// cuts a length that is too large (0xFFFFFFFF, for one) to that of the file.
  static func patch(_ file: TrackFile) -> SoundFileView.Patch? {
    var offset = 12
    for _ in 0..<64 {
      guard let (name, size) = chunk(file, offset) else { return nil }
      if name == "data" {
        let rest = file.size - offset - 8
        guard size == 0, rest > 0, !isChain(file, from: offset + 8) else { return nil }
        return SoundFileView.Patch(offset: offset + 4, bytes: [0xff, 0xff, 0xff, 0xff])
      }
      offset += 8 + size + size % 2
    }
    return nil
  }

  /// Whether only whole chunks follow from `start` to the end of the file: the data is then really empty.
  private static func isChain(_ file: TrackFile, from start: Int) -> Bool {
    var offset = start
    for _ in 0..<64 where offset < file.size {
      guard let (name, size) = chunk(file, offset), name.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) else {
        return false
      }
      offset += 8 + size + size % 2
    }
    return offset >= file.size && offset <= file.size + 1
  }

  private static func chunk(_ file: TrackFile, _ offset: Int) -> (name: String, size: Int)? {
    let head = file.bytes(at: offset, count: 8)
    guard head.count == 8, head[..<4].allSatisfy({ $0 < 0x80 }) else { return nil }
    return (String(decoding: head[..<4], as: UTF8.self), Int(head[4...].littleEndian))
  }
}
