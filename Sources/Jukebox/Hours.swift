import AudioSession
import JSON

/// What has become of the opening hours.
enum HoursFact: Hashable {
  /// Nobody knows the time: it is open until somebody does.
  case unknown
  /// - Parameter isMissed: the board was off, or did not know the time, when it opened.
  case opened(by: HoursSource, isMissed: Bool)
  case closed(by: HoursSource)
}

/// Who opens or closes; the `by` of the log.
enum HoursSource: String, Hashable, Sendable {
  case clock, staff, line
}

/// Whether the kiosk is open: by the clock, unless staff says otherwise until the next boundary (H rows).
struct Hours: Hashable, Sendable {
  enum Phase: Hashable, Sendable {
    case open
    /// Nothing new begins; what sounds may go on until then, or with its track to that one's end.
    case ending(due: Instant?)
    case closed
  }

  /// What staff has said, until the end of the stretch in which it was said.
  private struct Order: Hashable {
    var isOpen: Bool
    /// nil: nobody knew the time.
    var until: Int?
    /// It was said before a power cut, and nobody knows yet whether it still counts.
    var isDoubtful = false
  }

  private let settings: HoursSettings?
  private var report = HoursReport.unknown
  private var order: Order?
  /// A contact of role `silence` is closed, and was not forgotten.
  private(set) var isSilenced = false
  /// When it ceases to count; nil: never.
  private(set) var backDue: Instant?
  /// The end of the stretch whose opening was done, or that is closed.
  private var known: Int?
  private(set) var phase = Phase.open
  /// Where music sounded when it closed that goes on when it opens.
  private(set) var keptAt: Port?
  /// Music was kept before a power cut, and nobody knows the time yet.
  private(set) var mayGoOn = false
  /// What an opening does is still to be done, because the board was off then.
  private(set) var isOpeningMissed = false
  /// The engine was sent the command to lower the music to nothing.
  private(set) var isFaded = false
  /// A selector was turned while what sounded came to its end.
  private(set) var isSelectionDue = false

  /// Without any hours, and before power on.
  init(_ settings: HoursSettings? = nil) { self.settings = settings }

  /// Whether there are any: staff cannot close a kiosk that has none.
  var isSet: Bool { settings != nil }

  private var isOpenByClock: Bool { report.isWithin != false }

  private var source: HoursSource { isSilenced ? .line : isOrdered ? .staff : .clock }

  private var isOrdered: Bool { order.map { !$0.isDoubtful } ?? false }

  private var shouldBeOpen: Bool {
    if isSilenced { return false }
    if let order, isOrdered { return order.isOpen }
    return isOpenByClock
  }

  /// Whatever asks for sound is refused.
  var refuses: Bool { phase != .open }

  /// What sounds may come to its end, and nothing follows.
  var isEnding: Bool { if case .ending = phase { true } else { false } }

  /// When the fade is over; nil: none runs.
  var fadeDue: Instant? { if case .ending(let due) = phase { due } else { nil } }

  /// What survives a power cut; nil without any hours.
  var memory: HoursMemory? {
    guard isSet else { return nil }
    // An order that staff gave while nobody knew the time need not be about the end that was known last.
    let kept = order.flatMap { $0.until == known ? $0 : nil }
    return HoursMemory(until: known, order: kept.map { $0.isOpen ? .open : .closed })
  }

  /// For `status`; nil without any hours.
  var status: HoursStatus? {
    guard isSet else { return nil }
    let isUnknown = report == .unknown && source == .clock
    let state: HoursStatus.State =
      switch phase {
      case .open: isUnknown ? .unknown : .open
      case .ending: .closing
      case .closed: .closed
      }
    return HoursStatus(state: state, until: report.until, by: source.rawValue)
  }

  mutating func awaitSelection() { isSelectionDue = true }

  mutating func takeSelection() -> Bool {
    defer { isSelectionDue = false }
    return isSelectionDue
  }

  // MARK: - What happens

  /// Returns what the log has to say of the hours at power on, before anything may sound.
  /// - Parameter found: nil: nothing but a contact closes it.
  mutating func powerOn(_ found: HoursReport?, _ saved: HoursMemory?) -> [HoursFact] {
    guard isSet else { return [] }
    let found = found ?? .known(isWithin: true, until: nil)
    known = saved?.until
    if let said = saved?.order, said != .auto {
      order = Order(isOpen: said == .open, until: saved?.until, isDoubtful: true)
    }
    return (found == .unknown ? [.unknown] : []) + take(found)
  }

  /// The clock says something else than before, or for the first time.
  mutating func take(_ found: HoursReport) -> [HoursFact] {
    let wasUnknown = report == .unknown
    report = found
    guard case .known(_, let until) = found else { return compare(isNew: false) }
    if let order, order.until == nil, isOrdered { self.order?.until = until?.second }
    order = order.flatMap { $0.until == until?.second ? Order(isOpen: $0.isOpen, until: $0.until) : nil }
    // An opening that a known clock jumps over was not missed (H2.1).
    let isNew = wasUnknown && known != until?.second
    known = until?.second
    return compare(isNew: isNew)
  }

  mutating func obey(_ said: HoursOrder) -> [HoursFact] {
    order = said == .auto ? nil : Order(isOpen: said == .open, until: report.until?.second)
    // What a power cut has paused is kept for an order from before the cut, and for no other.
    if said == .closed { mayGoOn = false }
    return compare(isNew: false)
  }

  /// A contact of role `silence` is closed, or open again.
  /// - Parameter due: when it ceases to count; nil: never.
  mutating func silence(_ isSilenced: Bool, until due: Instant? = nil) -> [HoursFact] {
    (self.isSilenced, backDue) = (isSilenced, due)
    // Nor is it kept for a switch.
    if isSilenced { mayGoOn = false }
    guard isSet else { return [] }
    return compare(isNew: false).map { if case .opened = $0 { .opened(by: .line, isMissed: false) } else { $0 } }
  }

  /// - Parameter isNew: another stretch than the one that was known.
  private func compare(isNew: Bool) -> [HoursFact] {
    if shouldBeOpen != refuses {
      return shouldBeOpen && isNew ? [.opened(by: source, isMissed: true)] : []
    }
    return [shouldBeOpen ? .opened(by: source, isMissed: false) : .closed(by: source)]
  }

  // MARK: - What is done about it

  /// - Parameter due: when what sounds has faded; nil: with its track.
  mutating func end(until due: Instant?) { phase = .ending(due: due) }

  /// - Parameter keptAt: where music goes on when it opens; nil: none does.
  mutating func close(keptAt: Port?) {
    phase = .closed
    self.keptAt = keptAt
    mayGoOn = false
  }

  mutating func open() {
    phase = .open
    keptAt = nil
    mayGoOn = false
  }

  /// Music that was kept before a power cut goes on when the time is known.
  mutating func awaitTime() { mayGoOn = report == .unknown }

  mutating func noteMissedOpening(_ isMissed: Bool) { isOpeningMissed = isMissed }

  mutating func fade(_ isFaded: Bool) { self.isFaded = isFaded }
}

/// What anyone may know of the opening hours.
public struct HoursStatus: Hashable, Sendable {
  public enum State: String, Hashable, Sendable, CaseIterable {
    case open
    /// Nothing new begins, and what sounds comes to its end.
    case closing
    case closed
    /// Nobody knows the time, so it is open.
    case unknown
  }

  public var state: State
  /// The next boundary by the clock.
  public var until: HoursBoundary?
  /// Who says so: `clock`, `staff` or `line`.
  public var by: String
}

extension HoursStatus {
  /// The part of `status` that follows all else.
  var line: String {
    " hours=\(state.rawValue)" + (until.map { " hours-until=\(Event.quoted($0.text))" } ?? "") + " hours-by=\(by)"
  }

  var json: JSONValue {
    ["state": .string(state.rawValue), "until": .optional(until?.text), "by": .string(by)]
  }
}
