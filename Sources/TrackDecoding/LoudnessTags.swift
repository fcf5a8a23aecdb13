import Board
import Glibc

/// What a file's tags say about its loudness. Gains are in dB towards ReplayGain's reference (89 dB SPL), peaks of 1
/// are full scale.
struct LoudnessTags: Equatable {
  var trackGain: Double?
  var trackPeak: Double?
  var albumGain: Double?
  var albumPeak: Double?

  /// What a gain can be, as in the header of LAME: others are mistakes.
  static let gains = -51.0...51.0
  /// Where no peak says how far music can be raised, no more than the gain that quiet recordings have.
  private static let mostWithoutPeak = pow(10, 12 / 20.0)

  /// Reads the tags with ReplayGain's names, whatever the container. Opus has names of its own (RFC 7845, 5.2.1), in
  /// 1/256 dB towards -23 LUFS, which is 5 dB below ReplayGain's reference. They add to the gain in the Opus header,
  /// which libopus has applied already. Some taggers write ReplayGain's names into Opus files, too.
  init(_ tag: (String) -> String?) {
    trackGain = Self.r128(tag("R128_TRACK_GAIN")) ?? Self.number(tag("REPLAYGAIN_TRACK_GAIN"), in: Self.gains)
    albumGain = Self.r128(tag("R128_ALBUM_GAIN")) ?? Self.number(tag("REPLAYGAIN_ALBUM_GAIN"), in: Self.gains)
    trackPeak = Self.number(tag("REPLAYGAIN_TRACK_PEAK"), in: 0.000_01...100)
    albumPeak = Self.number(tag("REPLAYGAIN_ALBUM_PEAK"), in: 0.000_01...100)
  }

  /// The factor for all samples; 1 without tags. If a file has only one kind of gain, that one is used for both
  /// modes. The factor is limited by the peak, so that nothing clips; a file without a peak tag may clip where its gain
  /// raises it, as with other players, but by 12 dB at most.
  func factor(_ mode: ReplayGain) -> Float {
    let track = trackGain.map { ($0, trackPeak) }
    let album = albumGain.map { ($0, albumPeak ?? trackPeak) }
    let chosen: (gain: Double, peak: Double?)? =
      switch mode {
      case .off: nil
      case .track: track ?? album
      case .album: album ?? track
      }
    guard let chosen else { return 1 }
    let factor = pow(10, chosen.gain / 20)
    return Float(min(factor, chosen.peak.map { 1 / $0 } ?? Self.mostWithoutPeak))
  }

  private static func r128(_ text: String?) -> Double? {
    guard let text, let steps = Int16(plain(text)) else { return nil }
    let gain = Double(steps) / 256 + 5
    return gains.contains(gain) ? gain : nil
  }

  /// Parses a number with or without a unit behind it, such as `-7.20 dB`, as taggers of any language write it: with a
  /// decimal comma, or a space behind the sign.
  private static func number(_ text: String?, in range: ClosedRange<Double>) -> Double? {
    guard let text else { return nil }
    var digits = plain(text)
    if digits.lowercased().hasSuffix("db") { digits.removeLast(2) }
    guard let value = Double(digits), range.contains(value) else { return nil }
    return value
  }

  /// The text without spaces, with the signs that Swift reads. A comma that separates thousands makes no number then.
  private static func plain(_ text: String) -> String {
    let kept = text.unicodeScalars.filter { !$0.properties.isWhitespace && $0 != "\u{feff}" }
    return String(String.UnicodeScalarView(kept.map { $0 == "," ? "." : $0 == "\u{2212}" ? "-" : $0 }))
  }
}
