/// The first packet of an Opus stream.
struct OpusHead {
  /// Frames that the decoder gives before the first that counts.
  let preskip: Int
  /// The page of the header with a pre-skip of 0.
  ///
  /// libsndfile drops the pre-skip only where the stream's granule positions begin at 0 (1.2.0), while it takes
  /// it off the length of every stream. Told that there is none, it gives all that is decoded, and the dropping is ours.
  let patch: SoundFileView.Patch

  /// Nil where `pages` are of something else.
  init?(_ file: TrackFile, _ pages: OggPages) {
    guard let packet = pages.leadingPackets(1).packets.first?.first, packet.lowerBound == 28 else { return nil }
    var page = file.bytes(at: 0, count: packet.upperBound)
    guard page.count == packet.upperBound, page[28...].starts(with: Array("OpusHead".utf8)), page.count >= 47 else {
      return nil
    }
    preskip = Int(page[38..<40].littleEndian)
    page.replaceSubrange(38..<40, with: [0, 0])
    page.replaceSubrange(22..<26, with: [0, 0, 0, 0])
    let sum = OggPages.checksum(page)
    page.replaceSubrange(22..<26, with: (0..<4).map { UInt8(truncatingIfNeeded: sum >> (8 * $0)) })
    patch = SoundFileView.Patch(offset: 22, bytes: Array(page[22..<40]))
  }
}
