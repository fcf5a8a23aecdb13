/// A moment of the calendar, as `2026-11-23T05:36:00.250Z`.
enum UTCStamp {
  /// - Parameter milliseconds: since 1970, not negative.
  static func text(milliseconds: Int) -> String {
    let (days, rest) = (milliseconds / 86_400_000, milliseconds % 86_400_000)
    let date = civil(days: days)
    let time = (rest / 3_600_000, rest / 60_000 % 60, rest / 1_000 % 60)
    return "\(padded(date.year, 4))-\(padded(date.month, 2))-\(padded(date.day, 2))T"
      + "\(padded(time.0, 2)):\(padded(time.1, 2)):\(padded(time.2, 2)).\(padded(rest % 1_000, 3))Z"
  }

  /// The Gregorian date so many days after 1970-01-01, by eras of 400 years that begin in March.
  private static func civil(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let (era, dayOfEra) = (shifted / 146_097, shifted % 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }
}
