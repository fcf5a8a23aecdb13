/// A day of the week.
public enum Weekday: Int, Hashable, Sendable, CaseIterable {
  case monday, tuesday, wednesday, thursday, friday, saturday, sunday

  /// In settings and for people: `mon`.
  public var word: String { ["mon", "tue", "wed", "thu", "fri", "sat", "sun"][rawValue] }

  /// `Mon`.
  public var title: String { word.prefix(1).uppercased() + word.dropFirst() }
}

extension CalendarDay {
  /// Days since 1970-01-01, by Hinnant's counting of days from March on.
  public var number: Int {
    let year = month > 2 ? self.year : self.year - 1
    let era = (year >= 0 ? year : year - 399) / 400
    let yearOfEra = year - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  /// The day this many days after 1970-01-01.
  public init(number: Int) {
    let shifted = number + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    self.init(year: year, month: month, day: dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  public var weekday: Weekday {
    // 1970-01-01 was a Thursday.
    let index = (number + Weekday.thursday.rawValue) % 7
    return Weekday(rawValue: index < 0 ? index + 7 : index) ?? .monday
  }
}
