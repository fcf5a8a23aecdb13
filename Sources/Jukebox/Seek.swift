import AudioSession

/// A place in the current track, as somebody asks for it (T6).
public enum Seek: Hashable, Sendable {
  /// This long after its start.
  case to(Duration)
  /// This much further on than now; negative: back.
  case by(Duration)

  /// What `init` takes, for errors.
  public static let expected = "a time such as 1:30, 90s or 2.5s, or +10s or -10s from here, up to 1000h"

  /// Longer than any track, and no more frames than a saved state may have.
  private static let longest = Duration.seconds(3_600_000)

  /// Reads `[+|-]TIME`: a duration with its unit, a plain number of seconds, or `M:SS` or `H:MM:SS`. Nil for anything else.
  public init?(_ text: String) {
    let isSigned = text.hasPrefix("+") || text.hasPrefix("-")
    let words = isSigned ? String(text.dropFirst()) : text
    let isNumber = words.utf8.allSatisfy {
      $0 == UInt8(ascii: ".") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
    let parsed = DurationText.parse(isNumber ? words + "s" : words) ?? DurationText.parse(clock: words)
    guard let time = parsed, time <= Self.longest else { return nil }
    if isSigned { self = .by(text.hasPrefix("-") ? .zero - time : time) } else { self = .to(time) }
  }

  /// The frame that is meant, within the track.
  /// - Parameters:
  ///   - current: the frame that is heard now.
  ///   - length: frames of the track; nil: not known.
  ///   - rate: frames per second.
  func frame(from current: Int, length: Int?, rate: Int) -> Int {
    let wanted =
      switch self {
      case .to(let time): time.frames(rate: rate)
      case .by(let step): step < .zero ? current - (.zero - step).frames(rate: rate) : current + step.frames(rate: rate)
      }
    // The last frame is still heard, and what follows the track comes after it.
    let last = length.map { max(0, $0 - 1) } ?? Self.longest.frames(rate: rate)
    return min(max(0, wanted), last)
  }
}
