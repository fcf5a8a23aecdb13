/// Puts right what the pages of an Ogg file say of the positions in it, before the libraries see them, which would leave
/// out music where it is wrong.
struct OggRepair {
  /// Headers of pages that are to replace those of the file, by rising offsets; none where all is as it should be.
  private(set) var patches: [TrackFile.Patch] = []
  /// Offset of the first byte behind the last page of the last stream; nil where that was not looked for.
  private(set) var end: Int?
  /// Whether all pages were read, so that the positions on them are counted.
  private(set) var isThorough = false
  /// Whether something is wrong with the positions and the file is too large to be read through before it plays.
  private(set) var isLeft = false

  /// Smaller files are read through whenever they are opened.
  static let readThrough = 1 << 20
  /// Larger ones are looked at here and there. If that shows anything but a wrong last page, they are read through,
  /// too.
  private static let looks = 8
  /// Even larger ones are not: it would take seconds of the processor on a slow board.
  private static let most = 1 << 25
  private static let window = 1 << 17

  /// - Parameter isThorough: whether a file of any size is read through.
  init(_ file: TrackFile, _ codec: OggPage.Codec, isThorough: Bool) {
    if codec == .flac {
      self.init([], end: nil)
    } else if !isThorough, file.end > Self.readThrough, let last = Self.glance(file, codec) {
      self = last
    } else if !isThorough, file.end > Self.most {
      self.init([], end: nil)
      isLeft = true
    } else {
      self.init(through: file, codec)
    }
  }

  private init(_ patches: [TrackFile.Patch], end: Int?) { (self.patches, self.end) = (patches, end) }

  /// Reads the file through.
  private init(through file: TrackFile, _ codec: OggPage.Codec) {
    var allowance = file.end
    var walk = OggWalk(codec)
    while let next = OggPage.next(file, from: walk.offset, allowance: &allowance) { walk.take(next) }
    walk.finish()
    // Without an allowance left, not all was seen.
    isThorough = allowance >= 0
    if isThorough { (patches, end) = (walk.patches.sorted { $0.offset < $1.offset }, walk.end) }
  }

  /// What a look at the beginning, the end and a few places between shows; nil where the file is to be read through.
  private static func glance(_ file: TrackFile, _ codec: OggPage.Codec) -> OggRepair? {
    var allowance = file.end
    var walk = OggWalk(codec)
    while walk.link?.settled ?? 0 < 2, walk.offset < readThrough,
      let next = OggPage.next(file, from: walk.offset, allowance: &allowance)
    {
      walk.take(next)
    }
    guard let link = walk.link, link.settled > 1, link.patches.isEmpty, allowance >= 0 else { return nil }
    return tail(file, link)
  }

  /// The last pages; nil where more than the very last is wrong.
  private static func tail(_ file: TrackFile, _ first: OggLink) -> OggRepair? {
    var (link, allowance, offset) = (first.resumed(), window, file.end - window)
    while let (page, bytes) = OggPage.next(file, from: offset, allowance: &allowance) {
      // The links of a chain are left to the libraries.
      if page.begins { return OggRepair([], end: nil) }
      if page.serial == link.serial, link.end > 0 || page.position > 0 { link.take(page, bytes) }
      offset = page.end
    }
    link.finish()
    if link.end == 0 { return OggRepair([], end: nil) }
    guard allowance >= 0, link.settled > 2, link.patches.allSatisfy({ $0.offset >= link.last }) else { return nil }
    return isRising(file, first, to: link) ? OggRepair(link.patches, end: link.end) : nil
  }

  /// Whether the positions rise from place to place, and about as fast as the bytes.
  private static func isRising(_ file: TrackFile, _ first: OggLink, to last: OggLink) -> Bool {
    var places = [(offset: first.end, position: first.written ?? 0)]
    for look in 1..<looks {
      var allowance = window
      var offset = first.end + (last.last - first.end) / looks * look
      let end = offset + window
      while offset < end, let (page, _) = OggPage.next(file, from: offset, allowance: &allowance) {
        offset = page.end
        guard page.serial == first.serial, page.position >= 0 else { continue }
        places.append((page.end, page.position))
        break
      }
    }
    // If the position of the last page was put right, it shows nothing.
    if last.patches.isEmpty, let position = last.written, position > 0 { places.append((last.last, position)) }
    guard places.count > 1 else { return false }
    let paces = zip(places, places.dropFirst()).map {
      Double($1.position - $0.position) / Double($1.offset - $0.offset)
    }
    let usual = paces.sorted()[paces.count / 2]
    return paces.allSatisfy { $0 > usual / 8 && $0 < usual * 8 }
  }
}

/// A walk through all pages of an Ogg file, link by link.
struct OggWalk {
  private let codec: OggPage.Codec
  private(set) var patches: [TrackFile.Patch] = []
  /// Offset of the first byte that was not looked at.
  private(set) var offset = 0
  /// The stream that is played of the streams that began together last.
  private(set) var link: OggLink?
  /// Whether the pages just taken begin streams, which then are of one link.
  private var isBeginning = false
  private var serials: Set<UInt32> = []
  /// Offset of the first byte behind the last page of a stream that is played.
  private(set) var end: Int?

  init(_ codec: OggPage.Codec) { self.codec = codec }

  mutating func take(_ next: (page: OggPage, bytes: [UInt8])) {
    let page = next.page
    link?.miss(page.start - offset)
    offset = page.end
    if page.begins {
      if !isBeginning { finish() }
      if link == nil, OggPage.codec(next.bytes[(page.body - page.start)...]) == codec { begin(page.serial) }
    }
    isBeginning = page.begins
    if page.serial == link?.serial { link?.take(page, next.bytes) }
  }

  /// The link has no more pages.
  mutating func finish() {
    link?.finish()
    patches += link?.patches ?? []
    end = link?.end ?? end
    link = nil
  }

  private mutating func begin(_ serial: UInt32) {
    var unused = serial
    while !serials.insert(unused).inserted { unused &+= 1 }
    link = OggLink(serial, as: unused, OggFrames(codec))
  }
}
