/// The positions that the pages of one stream of Vorbis or Opus should have: those of the file where they follow from
/// the packets, else what the packets say. Takes the pages in order.
///
/// A position counts only on the first page, where it says where the stream was cut out of another; behind damage, where
/// it says how much is missing; and on the last page, where it may cut the end within that page.
struct OggLink {
  let serial: UInt32
  /// The serial number to give its pages; another where an earlier link has the same.
  private let newSerial: UInt32
  private(set) var frames: OggFrames
  /// The pages that need other headers.
  private(set) var patches: [TrackFile.Patch] = []
  /// Offset of the last page on which a packet ends, and of the first byte behind the last page.
  private(set) var last = 0
  private(set) var end = 0
  /// Pages whose positions are certain.
  private(set) var settled = 0

  /// The position of the last page settled, and as the file has it; nil where it has none.
  private var reached: Int64?
  private(set) var written: Int64?
  /// The last page taken on which a packet ends, until the next one shows that it is not the last.
  private var pending: Pending?
  /// Bytes since the last page that belong to no whole page, and those of which the pages' numbers say that pages are
  /// missing, too.
  private var missing = (here: 0, proven: 0)
  /// All frames and bytes of pages that were settled.
  private var total = (frames: Int64(0), bytes: 0)

  private struct Pending {
    var page: OggPage
    var bytes: [UInt8]
    var frames: Int64
    /// Bytes that are missing before it.
    var missing: Int
    /// A page behind it on which no packet ends, but which has the same position.
    var echo: (page: OggPage, bytes: [UInt8])?
  }

  /// Positions beyond that are invalid: three thousand years at 48 kHz.
  private static let furthest = Int64(1) << 52

  init(_ serial: UInt32, as newSerial: UInt32, _ frames: OggFrames) {
    self.serial = serial
    self.newSerial = newSerial
    self.frames = frames
  }

  /// The same stream, to go on at another of its pages, whose position is believed.
  func resumed() -> OggLink {
    var link = OggLink(serial, as: newSerial, frames)
    link.frames.leave()
    link.isResumed = true
    return link
  }

  private var isResumed = false

  /// Notes bytes that belong to no whole page.
  mutating func miss(_ count: Int) { missing.here += count }

  mutating func take(_ page: OggPage, _ bytes: [UInt8]) {
    if !frames.isNext(page) { missing.proven += missing.here }
    missing.here = 0
    end = page.end
    guard let count = frames.take(page, bytes) else { return put(page, bytes, page.position) }
    guard count.hasEnd else {
      guard pending?.echo == nil, pending?.page.position == page.position else { return put(page, bytes, -1) }
      pending?.echo = (page, bytes)
      return
    }
    let next = Pending(page: page, bytes: bytes, frames: Int64(count.frames), missing: missing.proven)
    missing.proven = 0
    last = page.start
    if let pending { settle(pending, next) }
    pending = next
  }

  /// There are no more pages.
  mutating func finish() {
    if let pending { settle(pending, nil) }
    pending = nil
  }

  private mutating func settle(_ page: Pending, _ next: Pending?) {
    let position = page.page.position
    let whole = reached.map { $0 + page.frames + gap(before: page) } ?? first(page, next)
    let cut = next == nil ? cut(page, whole) : nil
    let place = cut ?? whole
    // The libraries cut the end where a page says that it is the last.
    put(page.page, page.bytes, place, ends: cut != nil || next == nil && page.page.ends)
    if let echo = page.echo { put(echo.page, echo.bytes, place == position ? position : -1) }
    settled += 1
    total = (total.frames + page.frames, total.bytes + page.bytes.count)
    reached = place
    written = (0...Self.furthest).contains(position) ? position : nil
  }

  /// The position of the first page: that of the file where it is larger than what the page holds, as in a stream that
  /// was cut out of another. If it is smaller, Vorbis leaves out the first frames of the page, if the page behind
  /// agrees.
  private func first(_ page: Pending, _ next: Pending?) -> Int64 {
    let position = page.page.position
    guard position > 0, position <= Self.furthest else { return page.frames }
    if isResumed || position >= page.frames { return position }
    let isMeant = frames.codec == .vorbis && next?.page.position == position + (next?.frames ?? 0)
    return isMeant ? position : page.frames
  }

  /// The frames that damage before a page has taken, by its position, but no more than the bytes that are missing may
  /// have held.
  private func gap(before page: Pending) -> Int64 {
    guard page.missing > 0, let written, (0...Self.furthest).contains(page.page.position), total.bytes > 0
    else { return 0 }
    let most = Int64(4 * Double(total.frames) / Double(total.bytes) * Double(page.missing))
    return max(0, min(page.page.position - written - page.frames, most))
  }

  /// The position of the last page where it cuts the end within the page; `place` is its end without that.
  private func cut(_ page: Pending, _ place: Int64) -> Int64? {
    let position = page.page.position
    guard (0...Self.furthest).contains(position) else { return nil }
    guard let reached else { return page.frames > 0 && (1..<page.frames).contains(position) ? position : nil }
    guard let written else { return nil }
    let moved = position + reached - written
    return moved > reached && moved < place ? moved : nil
  }

  /// Notes what the header of a page must say, where it says something else.
  private mutating func put(_ page: OggPage, _ bytes: [UInt8], _ position: Int64, ends: Bool? = nil) {
    let ends = ends ?? page.ends
    guard position != page.position || serial != newSerial || ends != page.ends else { return }
    let header = OggPage.header(bytes, position: position, serial: newSerial, ends: ends)
    patches.append(TrackFile.Patch(offset: page.start, bytes: header))
  }
}
