import AudioSession
import JSON

/// What has become of the quiet hours.
enum QuietFact: Hashable {
  /// Nobody knows the time: nothing is quieter until somebody does.
  case unknown
  case began, ended
}

/// Whether the quiet hours count, and how far what sounds has faded down to their ceiling, or back (H4 rows). It knows no
/// volume of any port.
struct Quiet: Hashable, Sendable {
  /// A way from one volume to another, a point after the other.
  private struct Fade: Hashable {
    var from: Int
    var to: Int
    var since: Instant
    /// For each point.
    var step: Duration
    /// How many are done.
    var points = 0

    var volume: Int { from < to ? from + points : from - points }
    var isOver: Bool { volume == to }
    var due: Instant { since + step * (points + 1) }
  }

  /// What turns out right after a wake was so before: nobody has heard anything since.
  private static let wakeTime = Duration.seconds(1)

  private let settings: QuietSettings?
  private var report = HoursReport.known(isWithin: false, until: nil)
  private var fade: Fade?
  private var wokeAt: Instant?

  /// Without any quiet hours, and before power on.
  init(_ settings: QuietSettings? = nil) { self.settings = settings }

  private var isQuiet: Bool { report.isWithin == true }

  var until: HoursBoundary? { report.until }

  /// What every volume is at most; nil: it is not quiet.
  var ceiling: Int? { isQuiet ? settings?.ceiling : nil }

  /// The loudest volume that may be heard; nil: any.
  var heard: Int? { fade?.volume ?? ceiling }

  /// When the fade goes on; nil: none is under way.
  var due: Instant? { fade?.due }

  /// For `status`; nil without any quiet hours.
  var status: QuietStatus? {
    guard let settings else { return nil }
    let state: QuietStatus.State = report == .unknown ? .unknown : isQuiet ? .on : .off
    return QuietStatus(state: state, ceiling: settings.ceiling, until: until)
  }

  // MARK: - What happens

  /// - Parameter found: nil: there are none.
  mutating func powerOn(_ found: HoursReport?) -> [QuietFact] {
    guard settings != nil, let found else { return [] }
    return (found == .unknown ? [.unknown] : []) + take(found)
  }

  /// The clock says something else than before, or for the first time.
  mutating func take(_ found: HoursReport) -> [QuietFact] {
    guard settings != nil else { return [] }
    let wasQuiet = isQuiet
    report = found
    return isQuiet == wasQuiet ? [] : [isQuiet ? .began : .ended]
  }

  mutating func wake(at now: Instant) { if settings != nil { wokeAt = now } }

  /// It has begun or ended while something may sound.
  /// - Parameters:
  ///   - heard: what was heard at most before.
  ///   - loudest: the volume of the loudest port, as it was set.
  mutating func beginFade(from heard: Int?, loudest: Int, at now: Instant) {
    fade = nil
    guard let settings, settings.fade > .zero, wokeAt.map({ now - $0 > Self.wakeTime }) ?? true else { return }
    let from = min(heard ?? loudest, loudest)
    let to = ceiling ?? loudest
    guard from != to, (from > to) == isQuiet else { return }
    fade = Fade(from: from, to: to, since: now, step: settings.fade / abs(from - to))
  }

  /// After every input.
  /// - Parameter isSounding: something is heard, or may be still.
  mutating func settle(isSounding: Bool, at now: Instant) {
    guard isSounding else { return fade = nil }
    while let due = fade?.due, due <= now {
      fade?.points += 1
      if fade?.isOver == true { fade = nil }
    }
  }
}

/// What anyone may know of the quiet hours.
public struct QuietStatus: Hashable, Sendable {
  public enum State: String, Hashable, Sendable, CaseIterable {
    case on, off
    /// Nobody knows the time, so it is not quiet.
    case unknown
  }

  public var state: State
  public var ceiling: Int
  /// The next boundary.
  public var until: HoursBoundary?
}

extension QuietStatus {
  /// The part of `status` that follows all else.
  var line: String {
    " quiet=\(state.rawValue) quiet-ceiling=\(ceiling)" + (until.map { " quiet-until=\(Event.quoted($0.text))" } ?? "")
  }

  var json: JSONValue {
    ["state": .string(state.rawValue), "ceiling": .integer(ceiling), "until": .optional(until?.text)]
  }
}
