import AudioSession
import Files
import Jukebox

/// What was counted in a range of days, added up in the ways in which a report shows it.
struct ListeningReport {
  struct Day {
    /// A month that is long past, whose days are no longer known.
    var isMonth: Bool
    var first: CalendarDay
    var sum: TrackCounts
    var board: [BoardCount: Int] = [:]

    var text: String { isMonth ? String(first.text.dropLast(3)) : first.text }
    var last: CalendarDay { isMonth ? first.lastOfMonth : first }

    mutating func add(_ other: Day) {
      sum.add(other.sum)
      board.merge(other.board) { $0.adding($1) }
    }
  }

  /// What was counted on one of the boards, or of one playlist.
  struct Part {
    var name: String
    var sum = TrackCounts()
    /// What the board counts beside the tracks; nothing for a playlist.
    var board: [BoardCount: Int] = [:]
  }

  /// nil: nothing has a date.
  private(set) var range: ClosedRange<CalendarDay>?
  /// What was asked for where that gives no range, as words; nil: everything.
  private(set) var openRange: String?
  private(set) var sum = TrackCounts()
  /// The board's name, or those of all that are added up; empty where nobody named it.
  private(set) var name = ""
  /// Each board, where there are several.
  private(set) var boards: [Part] = []
  /// The first-level folders of the music, the one with most starts first; none where no track lies in one. The empty name
  /// stands for the tracks beside them.
  private(set) var playlists: [Part] = []
  /// Titles by the tracks' names, where they are known.
  private(set) var titles: [String: String] = [:]
  /// What was counted in the range, with the name of the board.
  private(set) var periods: [(board: String, period: CountedPeriod)] = []
  /// The tracks, the one with most starts first; `CountedPeriod.others` at the end.
  private(set) var tracks: [(name: String, counts: TrackCounts)] = []
  /// The days on which something was counted, in their order.
  private(set) var days: [Day] = []
  /// Starts in each hour of the day; 24 numbers.
  private(set) var hours = CountedPeriod.noHours
  /// What has no date: by power on, or from long ago. nil: there is none.
  private(set) var undated: TrackCounts?
  private(set) var undatedBoard: [BoardCount: Int] = [:]
  private(set) var board: [BoardCount: Int] = [:]
  /// How long sound was played in all the board's days, from the saved state; nil: not known.
  private(set) var played: Duration?
  /// Months that are only partly in the range, and whatever has no date where there is a range.
  private(set) var leftOut = 0

  /// - Parameters:
  ///   - first: the first day that counts; nil: from the beginning.
  ///   - last: the last one; nil: to the end.
  init(_ sources: [ReportSource], from first: CalendarDay?, to last: CalendarDay?) {
    var tracks: [FileName: TrackCounts] = [:]
    for source in sources {
      var part = Part(name: source.name)
      for period in source.periods {
        guard take(period, from: first, to: last) else { continue }
        for (name, counts) in period.tracks { tracks[name, default: TrackCounts()].add(counts) }
        periods.append((source.name, period))
        part.sum.add(period.sum)
        part.board.merge(period.board) { $0.adding($1) }
        hours = zip(hours, period.hours).map { $0.adding($1) }
      }
      sum.add(part.sum)
      board.merge(part.board) { $0.adding($1) }
      boards.append(part)
      if let time = source.played { played = (played ?? .zero) + time }
      titles.merge(source.titles) { first, _ in first }
    }
    addUpDays()
    name =
      boards.count > 3 ? "\(boards.count) boards" : boards.map(\.name).filter { !$0.isEmpty }.joined(separator: ", ")
    if boards.count < 2 { boards = [] }
    playlists = Self.playlists(tracks)
    let others = tracks.removeValue(forKey: FileName(CountedPeriod.others))
    self.tracks = tracks.map { ($0.key.text, $0.value) }.sorted {
      ($1.counts.starts, $0.name) < ($0.counts.starts, $1.name)
    }
    if let others { self.tracks.append((CountedPeriod.others, others)) }
    if let begin = first ?? days.first?.first, let end = last ?? days.last?.last, begin <= end {
      range = begin...end
    } else if let day = first ?? last {
      openRange = first == nil ? "until \(day.text)" : "since \(day.text)"
    }
  }

  /// Whether a period counts. Notes what it has by time.
  private mutating func take(_ period: CountedPeriod, from first: CalendarDay?, to last: CalendarDay?) -> Bool {
    let day: Day
    switch period.span {
    case .day(let date): day = Day(isMonth: false, first: date, sum: period.sum, board: period.board)
    case .month(let date): day = Day(isMonth: true, first: date, sum: period.sum, board: period.board)
    case .powerOn, .earlier:
      if first != nil || last != nil {
        leftOut += 1
        return false
      }
      var sum = undated ?? TrackCounts()
      sum.add(period.sum)
      undated = sum
      undatedBoard.merge(period.board) { $0.adding($1) }
      return true
    }
    if day.last < first ?? day.last || day.first > last ?? day.first { return false }
    if day.first < first ?? day.first || day.last > last ?? day.last {
      leftOut += 1
      return false
    }
    days.append(day)
    return true
  }

  /// Several boards may have counted on one day.
  private mutating func addUpDays() {
    var sums: [Day] = []
    for day in days.sorted(by: { ($0.first, $0.isMonth ? 0 : 1) < ($1.first, $1.isMonth ? 0 : 1) }) {
      if let last = sums.last, last.first == day.first, last.isMonth == day.isMonth {
        sums[sums.count - 1].add(day)
      } else {
        sums.append(day)
      }
    }
    days = sums
  }

  private static func playlists(_ tracks: [FileName: TrackCounts]) -> [Part] {
    var sums: [String: TrackCounts] = [:]
    for (name, counts) in tracks { sums[playlist(of: name.text), default: TrackCounts()].add(counts) }
    guard sums.keys.contains(where: { !$0.isEmpty }) else { return [] }
    return sums.map { Part(name: $0.key, sum: $0.value) }.sorted { ($1.sum.starts, $0.name) < ($0.sum.starts, $1.name) }
  }

  /// The first-level folder of the music in which a track lies; empty for none.
  static func playlist(of track: String) -> String {
    Library.playlist(of: track) ?? ""
  }

  /// A share in whole percent; nil of nothing.
  static func percent(_ part: Int, of whole: Int) -> Int? {
    whole > 0 ? Int(min(1e9, (Double(part) * 100 / Double(whole)).rounded())) : nil
  }
}

extension TrackCounts {
  /// The share of listens, 0...1, that came as far as each tenth of the track: ten numbers, or none where it is known of no
  /// listen.
  var reach: [Double] {
    let all = tenths.reduce(0.0) { $0 + Double($1) }
    guard all > 0 else { return [] }
    var left = all
    return tenths.map { ended in
      defer { left -= Double(ended) }
      return left / all
    }
  }

  var heard: Duration { .milliseconds(milliseconds) }
}

/// The words of a report.
extension Leaving {
  var title: String {
    switch self {
    case .ended: "heard to the end"
    case .skipped: "skipped"
    case .chosen: "another chosen"
    case .stopped: "stopped"
    case .unplugged: "unplugged"
    case .idle: "left paused"
    case .failed: "failed"
    }
  }
}

extension ListeningReport {
  /// The name of a track as text of one line.
  static func shown(_ name: String) -> String { name == CountedPeriod.others ? "(others)" : Wording.oneLine(name) }

  /// The name of a playlist as text of one line.
  static func shownPlaylist(_ name: String) -> String { name.isEmpty ? "(none)" : Wording.oneLine(name) }
}
