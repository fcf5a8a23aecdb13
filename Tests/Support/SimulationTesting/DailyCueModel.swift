import AudioSession
import Jukebox

/// The cue of the day (N6): on which dates it no longer needs to be spoken.
struct DailyCueModel {
  /// The only cue with a time of day, which nothing else has spoken.
  static let cue = "closing"
  /// In seconds of the day, as the settings of the kiosks have it.
  private static let time = 13 * 3_600
  private static let day = 86_400

  /// How far the calendar is ahead of the time since power on: it begins at noon.
  private var ahead = day / 2
  /// The date on which the cue that is spoken was due, in days since that noon's; nil: it may be another one, because
  /// somebody has set the clock while it waited.
  private var begun: Int?
  /// The last date on which it ended, and whether that was saved.
  private var done: Int?
  private var isSaved = true

  /// - Parameter day: nil: the date stays.
  mutating func setClock(to time: TimeOfDay, second: Int, day: CalendarDay? = nil, at now: Instant) {
    let date = day.map { $0.number - HoursModel.firstDay } ?? calendar(now) / Self.day
    ahead += date * Self.day + time.hour * 3_600 + time.minute * 60 + second - calendar(now)
  }

  /// - Parameter isStorageGood: whether what is saved in this instant reaches the storage.
  mutating func check(_ event: Event, isStorageGood: Bool, at now: Instant) -> Mismatch? {
    if event.name == .stateSaved { isSaved = isSaved || event["error"] == nil }
    guard event["cue"] == Self.cue else { return nil }
    switch event.name {
    case .cueStarted:
      let date = calendar(now) / Self.day
      // At most four cues of a minute each wait before it.
      begun = (Self.time...Self.time + 360).contains(calendar(now) % Self.day) ? date : nil
      if let begun, begun == done {
        return Mismatch("N6", "the cue of the day is spoken again, though it was done on that day")
      }
    case .cueEnded:
      done = begun ?? done
      isSaved = isStorageGood
      begun = nil
    default: break
    }
    return nil
  }

  mutating func cutPower() {
    begun = nil
    if !isSaved { done = nil }
  }

  private func calendar(_ now: Instant) -> Int { ahead + Int(now.nanoseconds / 1_000_000_000) }
}
