/// How many frames of MPEG audio a file holds according to its headers, believed where they agree with the file's size.
/// A few places of the file are read, wherever it is long.
struct MPEGLength {
  private let file: TrackFile
  /// Where the first frame that is decoded begins, and what it says.
  private let start: Int
  private let first: MPEGHeader
  /// Where the music ends.
  private let end: Int

  /// - Parameter start: where the first frame that is decoded begins.
  init?(_ file: TrackFile, start: Int) {
    guard let first = MPEGHeader(file.bytes(at: start, count: 4)) else { return nil }
    self.file = file
    self.start = start
    self.first = first
    end = file.end
  }

  /// Frames that the decoder gives, before anything is cut off them; nil where the headers say nothing that agrees.
  func decoded() -> Int? { (announced() ?? constant()).map { $0 * first.samples } }

  /// Where the frame of that number begins, counted from the first that is decoded; nil where the bit rate is not constant
  /// from the beginning of the file to its end.
  func place(ofFrame number: Int) -> Int? {
    guard let frames = constant(), number < frames - 1 else { return nil }
    return places(ofFrame: number).first { place in
      guard let header = frame(at: place) else { return false }
      return frame(at: place + header.size) != nil
    }
  }

  /// MPEG frames according to a Xing, Info or VBRI header, whose count of bytes is the file's.
  private func announced() -> Int? {
    let lead = ID3Tags.leading(file)
    guard let header = MPEGHeader(file.bytes(at: lead, count: 4)), header.isLike(first),
      let found = Announcement(file.bytes(at: lead, count: 192), header), found.frames > 0
    else { return nil }
    // libmpg123 gives a frame with a VBRI header as silence, and one with a Xing header not at all.
    guard start == (found.isDecoded ? lead : lead + header.size) else { return nil }
    // Encoders disagree whether their own frame and the tags count.
    let sizes = [end - lead, end - lead - header.size, file.size - lead, file.size]
    guard sizes.contains(found.bytes) else { return nil }
    let bytes = end - lead - header.size
    let isPlausible = found.isConstant ? hasRate(bytes, found.frames) : isLikelyMean(bytes, found.frames)
    return isPlausible ? found.frames + (found.isDecoded ? 1 : 0) : nil
  }

  /// Whether this many frames at the bit rate of the first take this many bytes.
  private func hasRate(_ bytes: Int, _ frames: Int) -> Bool {
    let (product, overflow) = frames.multipliedReportingOverflow(by: first.bytesTimesRate)
    return !overflow && abs(bytes * first.rate - product) <= 2 * first.slot * first.rate
  }

  /// Whether the frames found in seven places are about as dense as the counts say. It shows a wrong count of frames
  /// beside a right one of bytes.
  private func isLikelyMean(_ bytes: Int, _ frames: Int) -> Bool {
    let sizes = (1...7).compactMap { meanSize(from: start + (end - start) / 8 * $0) }
    guard !sizes.isEmpty, bytes > 0 else { return false }
    let found = sizes.reduce(0) { $0 + 1 / $1 } / Double(sizes.count)
    return (0.7...1.45).contains(Double(frames) / Double(bytes) / found)
  }

  /// The mean size of the whole frames within some bytes, each followed by another; nil where there are none.
  private func meanSize(from offset: Int) -> Double? {
    let bytes = file.bytes(at: offset, count: min(4096, max(0, end - offset)))
    func header(_ place: Int) -> MPEGHeader? {
      guard place + 4 <= bytes.count, bytes[place] == 0xff else { return nil }
      return MPEGHeader(bytes[place...]).flatMap { $0.isLike(first) ? $0 : nil }
    }
    for begin in bytes.indices where bytes[begin] == 0xff {
      var (place, count) = (begin, 0)
      while let found = header(place), place + found.size <= bytes.count {
        place += found.size
        count += 1
      }
      if count > 1 { return Double(place - begin) / Double(count) }
    }
    return nil
  }

  /// MPEG frames where the bit rate of the first fills the file with whole frames, and frames of that bit rate are where
  /// they then must be.
  private func constant() -> Int? {
    let bytes = end - start
    let frames = (bytes * first.rate + first.bytesTimesRate / 2) / first.bytesTimesRate
    guard frames >= 4, hasRate(bytes, frames) else { return nil }
    let places = [1, 2, frames / 4, frames / 2, frames / 4 * 3, frames - 1]
    return places.allSatisfy(hasFrame) ? frames : nil
  }

  /// Whether the frame of that number begins where a constant bit rate puts it, whichever way it is padded.
  private func hasFrame(_ number: Int) -> Bool { places(ofFrame: number).contains { frame(at: $0) != nil } }

  private func places(ofFrame number: Int) -> [Int] {
    let place = start + number * first.bytesTimesRate / first.rate / first.slot * first.slot
    return [place, place - first.slot, place + first.slot]
  }

  /// The header there, where it is one of a frame like the first.
  private func frame(at place: Int) -> MPEGHeader? {
    MPEGHeader(file.bytes(at: place, count: 4)).flatMap { $0.isLike(first) && $0.bitRate == first.bitRate ? $0 : nil }
  }
}

/// The counts in the header that some encoders put into the first frame.
private struct Announcement {
  var frames: Int
  var bytes: Int
  /// Whether it says that the bit rate is constant.
  var isConstant: Bool
  /// Whether libmpg123 decodes the frame that holds it.
  var isDecoded: Bool

  /// - Parameter frame: the beginning of the frame.
  init?(_ frame: [UInt8], _ header: MPEGHeader) {
    func number(_ offset: Int) -> Int { frame[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) } }
    func hasName(_ name: String, _ offset: Int) -> Bool { frame[offset...].starts(with: Array(name.utf8)) }
    guard header.layer == 3, frame.count >= 64 else { return nil }
    let side = header.isFirstVersion ? (header.isMono ? 17 : 32) : (header.isMono ? 9 : 17)
    let place = 4 + side
    if hasName("Xing", place) || hasName("Info", place) {
      // The counts of frames and of bytes are both there.
      guard number(place + 4) & 3 == 3 else { return nil }
      (frames, bytes) = (number(place + 8), number(place + 12))
      (isConstant, isDecoded) = (hasName("Info", place), false)
    } else if hasName("VBRI", 36) {
      (bytes, frames) = (number(46), number(50))
      (isConstant, isDecoded) = (false, true)
    } else {
      return nil
    }
  }
}
