import AudioSession
import Jukebox

/// When a kiosk of `HoursWorkload` is open, and when it is quiet, by counting minutes: nothing of it comes from the product.
struct HoursModel {
  /// In the settings' words.
  static let settings = """
    mon-fri = ["09:00-12:30", "14:00-18:00"]
    sat = ["20:00-02:00"]
    2026-01-06 = []
    """
  /// Its boundaries are also some of the hours.
  static let quietSettings = """
    at = "14:00-20:00"
    sun = ["00:00-02:00"]
    ceiling = 40
    """
  static let ceiling = 40
  /// The day of the simulated calendar at power on, in days since 1970: a Thursday.
  static let firstDay = 20_454
  private static let day = 86_400
  /// What is never further away than the next boundary.
  private static let farthest = 6 * 24 * 60

  /// Seconds since 1970 at power on.
  private var start = firstDay * day + day / 2
  private(set) var isKnown = true
  private var isUnset = false
  /// What staff has said, and the minute at which that ends; nil: nobody knew the time.
  private var order: (isOpen: Bool, until: Int?)?
  /// The same as it was saved last.
  private var saved: (isOpen: Bool, until: Int?)?

  /// Seconds since 1970, as the simulated calendar shows them.
  func second(_ now: Instant) -> Int { start + Int(now.nanoseconds / 1_000_000_000) }

  /// Whether a minute since 1970 lies in a range of the settings.
  private static func isWithin(_ minute: Int) -> Bool {
    let (date, time) = (minute / 1_440, minute % 1_440)
    // 1970-01-01 was a Thursday, and day 20,459 is 2026-01-06.
    func weekday(_ date: Int) -> Int { (date + 3) % 7 }
    if weekday(date - 1) == 5 && time < 120 { return true }
    if date == 20_459 { return false }
    switch weekday(date) {
    case 0...4: return (540..<750).contains(time) || (840..<1_080).contains(time)
    case 5: return time >= 1_200
    default: return false
    }
  }

  /// - Parameter now: not before what happened last.
  func isQuiet(at now: Instant) -> Bool {
    guard isKnown else { return false }
    let (date, time) = (second(now) / 60 / 1_440, second(now) / 60 % 1_440)
    return (date + 3) % 7 == 6 ? time < 120 : (840..<1_200).contains(time)
  }

  private static func nextBoundary(after minute: Int) -> Int {
    let isWithin = isWithin(minute)
    return (minute + 1..<minute + farthest).first { self.isWithin($0) != isWithin } ?? minute
  }

  /// - Parameter now: not before what happened last.
  mutating func isOpen(at now: Instant) -> Bool {
    guard isKnown else { return order.map { $0.until == nil && $0.isOpen || $0.until != nil } ?? true }
    let minute = second(now) / 60
    let boundary = Self.nextBoundary(after: minute)
    if let said = order {
      if said.until == nil { order?.until = boundary }
      if let until = said.until, until != boundary { order = nil }
    }
    return order?.isOpen ?? Self.isWithin(minute)
  }

  mutating func say(_ word: String, at now: Instant) {
    _ = isOpen(at: now)
    let until = isKnown ? Self.nextBoundary(after: second(now) / 60) : nil
    order = word == "auto" ? nil : (word == "open", until)
  }

  mutating func setClock(_ time: TimeOfDay, second: Int, day: CalendarDay?, at now: Instant) {
    if isUnset { start += Self.firstDay * Self.day + Self.day / 2 }
    isUnset = false
    let shown = self.second(now)
    let days = day.map { $0.number } ?? shown / Self.day
    start += days * Self.day + time.hour * 3_600 + time.minute * 60 + second - shown
  }

  /// Whoever runs learns of it.
  mutating func learn() { if !isUnset { isKnown = true } }

  /// Before power on: nobody has set the clock.
  mutating func unsetClock() {
    if !isUnset { start -= Self.firstDay * Self.day + Self.day / 2 }
    (isUnset, isKnown) = (true, false)
  }

  mutating func save() { saved = order }

  mutating func cutPower() {
    isKnown = false
    order = saved
    // What was said while nobody knew the time may be about any other.
    if order?.until == nil { order = nil }
  }
}
