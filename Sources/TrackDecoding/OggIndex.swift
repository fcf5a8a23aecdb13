/// Where in an Ogg file of Vorbis or Opus a decode may begin so that it is exact at a certain frame.
struct OggIndex {
  /// Bytes of the pages that hold the stream's headers.
  let head: Int

  private let pages: OggPages
  /// Granule position of frame 0.
  private let base: Int
  /// Frames before the wanted one that the decoder must have seen.
  private let preroll: Int

  /// - Parameter frames: in the whole file.
  init?(_ file: TrackFile, isOpus: Bool, frames: Int) {
    guard let pages = OggPages(file), let last = pages.last(), let end = last.granule else { return nil }
    let headers = isOpus ? 2 : 3
    let (packets, head) = pages.leadingPackets(headers)
    guard packets.count == headers, head > 0 else { return nil }
    self.pages = pages
    self.head = head
    base = end - frames
    // Vorbis forgets after one block; Opus' predictors converge, to the last bit of 16 within some 30 packets of 20 ms
    // (RFC 7845 asks for 80 ms only).
    preroll = isOpus ? 48_000 : 8_192
  }

  /// The byte to go on from after the headers; nil if `frame` is so near the beginning that it is best begun there.
  func place(before frame: Int) -> Int? {
    let wanted = frame + base - preroll
    guard wanted > base, let page = pages.last(endingBy: wanted, from: head) else { return nil }
    return page.offset
  }
}
