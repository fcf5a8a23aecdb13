/// Finds the frames of a bare FLAC file by their headers, without decoding them.
struct FLACScan {
  typealias Found = (place: Int, header: FLACFrameHeader)

  private let file: TrackFile

  /// Bytes behind the metadata in which the first frame is looked for, and at a place those in which the next is.
  private static let reach = (beginning: 1 << 20, place: 1 << 18)
  /// Bytes of the beginning in which the numbers of all frames are read.
  private static let readThrough = 1 << 17

  init(_ file: TrackFile) { self.file = file }

  /// The first frame that another follows, behind `begin`, and where that one begins; where there is none, the first that
  /// looks like a frame from `start` on.
  func first(behind begin: Int, orFrom start: Int) -> (first: Found, next: Int?)? {
    var followers: [Int: Found] = [:]
    var only: Found?
    var pair: (first: Found, next: Int?)?
    each(in: begin..<max(begin, start) + Self.reach.beginning) { found in
      if let before = followers[found.header.number] { pair = (before, found.place) }
      followers[found.header.following] = found
      if found.place >= start { only = only ?? found }
      return pair == nil
    }
    return pair ?? only.map { ($0, nil) }
  }

  /// Where the frame with these samples begins; nil where it is not found in so many bytes.
  func start(ofFrame number: Int, _ samples: Int, like first: FLACFrameHeader, in stretch: Range<Int>) -> Int? {
    var start: Int?
    each(in: max(stretch.lowerBound, stretch.upperBound - Self.reach.beginning)..<stretch.upperBound) { found in
      if found.header.firstSample(in: first) == number, found.header.block == samples { start = found.place }
      return start == nil
    }
    return start
  }

  /// Whether the numbers of the frames from `start` on rise from place to place, and end where the header says. In
  /// recordings that were joined they begin again: the places lie so close, measured from the beginning of the file, that
  /// one is in any recording, and the next in the first third of the one behind it.
  /// - Parameter end: the number behind the last frame; nil where it is not known.
  func isRising(from start: Int, like first: FLACFrameHeader, to end: Int?) -> Bool {
    var (last, lastPlace) = (first.firstSample, start)
    var isRising = true
    /// Looks at one frame, or at all, which then must follow one another.
    func look(in stretch: Range<Int>, isOne: Bool, next begin: Int? = nil) {
      var next = begin
      each(in: stretch) { found in
        guard found.header.isLike(first), found.place > lastPlace else { return true }
        let number = found.header.firstSample(in: first)
        isRising = number > last && number == next ?? number
        (last, lastPlace, next) = (number, found.place, number &+ found.header.block)
        return isRising && !isOne
      }
    }
    look(in: start..<start + Self.readThrough, isOne: false, next: first.end)
    var distance = Self.readThrough
    while isRising, distance < file.end - start {
      look(in: start + distance..<start + distance + Self.reach.place, isOne: true)
      distance += distance / 3
    }
    if isRising { look(in: max(start, file.end - Self.reach.place / 4)..<file.end, isOne: false) }
    return isRising && last < end ?? .max
  }

  /// The same for FLAC in Ogg, by the positions on the pages behind `first`.
  func isRising(behind first: OggPage, to end: Int?) -> Bool {
    var (last, lastStart, allowance) = (Int64(0), first.start, Self.reach.beginning)
    /// Returns whether the positions rise from `start` on: up to `bound`, or to the next page.
    func isRising(from start: Int, to bound: Int?) -> Bool {
      var offset = start
      while offset < bound ?? file.end, let (page, _) = OggPage.next(file, from: offset, allowance: &allowance) {
        offset = page.end
        guard page.serial == first.serial, page.position > 0, page.start > lastStart else { continue }
        guard page.position > last else { return false }
        (last, lastStart) = (page.position, page.start)
        if bound == nil { break }
      }
      return true
    }
    guard isRising(from: first.end, to: first.end + Self.readThrough) else { return false }
    var distance = Self.readThrough
    while distance < file.end - first.end {
      guard isRising(from: first.end + distance, to: nil) else { return false }
      distance += distance / 3
    }
    guard isRising(from: max(first.end, file.end - Self.readThrough), to: file.end) else { return false }
    return last <= Int64(clamping: end ?? .max)
  }

  /// Calls `use` with what looks like a frame, one after the other, until that returns false.
  private func each(in stretch: Range<Int>, _ use: (Found) -> Bool) {
    let window = 1 << 14
    let bound = min(stretch.upperBound, file.end)
    for start in stride(from: stretch.lowerBound, to: bound, by: window) {
      let bytes = file.bytes(at: start, count: min(window, bound - start) + FLACFrameHeader.longest)
      for index in bytes.indices.dropLast(FLACFrameHeader.longest) where bytes[index] == 0xff {
        if let header = FLACFrameHeader(whole: bytes[index...]), !use((start + index, header)) { return }
      }
    }
  }
}
