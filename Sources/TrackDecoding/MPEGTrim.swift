/// The frames to cut from the decoder's output so that tracks join without a gap: encoder and decoder delay at the
/// beginning, the rest of the padding at the end. All in frames of the file's rate.
struct MPEGTrim: Equatable {
  /// Delay of the decoder itself (`GAPLESS_DELAY` in libmpg123, `DECDELAY` + 1 in LAME).
  static let decoderDelay = 529

  /// Cut from the beginning.
  var head = 0
  /// Cut from the end, if the end is where the header announced it.
  var tail = 0
  /// Frames that the decoder should give according to the header.
  var announced = 0

  init(_ handle: borrowing MPEGHandle) {
    guard let gap = handle.encoderGap else { return }
    head = gap.delay + Self.decoderDelay
    tail = max(0, gap.padding - Self.decoderDelay)
    announced = handle.announcedFrames * handle.samplesPerFrame
  }

  /// Frames to cut from the end after `decoded` frames. None where the header's count is wrong: the file was cut short,
  /// or another was appended, so that its last frames are music and not padding.
  func tail(after decoded: Int) -> Int { decoded == announced ? tail : 0 }
}
