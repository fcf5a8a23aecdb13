import Files
import JSON
import Jukebox

/// Reads what boards have published to their fleet's broker (F8), as `mosquitto_sub -v -t jackdaw/+/stats` prints it: a
/// topic and a period in JSON in each line. If a period was published more than once, the message with most starts
/// counts, and of those with as many the last one. The hours of the day and how far into the tracks people listen are
/// not in them.
struct FleetStatsReader {
  /// What was counted on each board, in the order in which they were first heard, and the file where that was.
  private(set) var boards: [(name: String, entry: String, periods: [CountedPeriod])] = []
  private var places: [String: Int] = [:]

  /// Adds one file, of which several may have the same board. A line that is no message of a board, such as one that a
  /// full disk has torn, is noted and left out.
  mutating func read(_ entry: String, in folder: String) throws(FileError) {
    let file = FileAccess.join(folder, entry)
    var number = 0
    try FileAccess.readLines(of: file) { line in
      number += 1
      do throws(FileError) {
        // The ends of lines may be those of Windows.
        try take(line.last == UInt8(ascii: "\r") ? line.dropLast() : line[...], of: entry, file: file, number: number)
      } catch {
        Terminal.printError("jackdaw: \(error); it is left out")
      }
    }
  }

  private mutating func take(
    _ line: ArraySlice<UInt8>, of entry: String, file: String, number: Int
  ) throws(FileError) {
    let words = line.split(separator: UInt8(ascii: " "), maxSplits: 1)
    let topic = words.first?.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false) ?? []
    let levels = topic.map { String(decoding: $0, as: UTF8.self) }
    // Whoever has subscribed to more has other topics here, too.
    guard words.count == 2, levels.count == 3, levels[0] == "jackdaw", levels[2] == "stats" else { return }
    let text = String(validating: words[1], as: UTF8.self)
    // So it prints an empty message, with which somebody has cleared the topic of a board.
    if text == "(null)" { return }
    let message = Message(file: file, line: number, json: text.flatMap { try? JSONValue(parsing: $0.utf8) })
    take(try message.period(), of: levels[1], in: entry)
  }

  private mutating func take(_ period: CountedPeriod, of board: String, in entry: String) {
    let place = places[board] ?? boards.count
    places[board] = place
    if place == boards.count { boards.append((board, entry, [])) }
    if let same = boards[place].periods.lastIndex(where: { Self.isSame($0, period) }) {
      // Another file of the same time may end earlier.
      if period.sum.starts < boards[place].periods[same].sum.starts { return }
      boards[place].periods[same] = period
    } else {
      boards[place].periods.append(period)
    }
  }

  /// A board that counts on from an older copy of its state gives new days the ids of those that it has forgotten. A
  /// period of power on becomes a day when the clock is known.
  private static func isSame(_ one: CountedPeriod, _ other: CountedPeriod) -> Bool {
    one.id == other.id && (one.span == other.span || one.span == .powerOn || other.span == .powerOn)
  }
}

/// A line of such a file.
private struct Message {
  let file: String
  let line: Int
  /// nil where it is none.
  let json: JSONValue?

  func period() throws(FileError) -> CountedPeriod {
    guard let json else { throw error("message", "no JSON") }
    guard let id = json["id"]?.string.flatMap({ Int($0) }) else { throw error("id", "expected a number in quotes") }
    guard let span = json["period"]?.string.flatMap({ CountedPeriod.Span(word: $0) }) else {
      throw error("period", "expected a date, a month, \"earlier\" or \"power-on\"")
    }
    var period = CountedPeriod(id: id, span: span)
    for track in json["tracks"]?.elements ?? [] {
      guard let name = track["name"]?.string else { throw error("tracks", "expected a name in each") }
      period.add(try counts(track, "tracks"), of: name)
    }
    if let others = json["others"], case .object = others {
      period.add(try counts(others, "others"), of: CountedPeriod.others)
    }
    for count in json["board"]?.members ?? [] {
      guard let number = count.value.integer, number >= 0 else { throw error("board", "expected numbers") }
      if let key = BoardCount(rawValue: count.name) { period.board[key] = number }
    }
    return period
  }

  private func counts(_ json: JSONValue, _ field: String) throws(FileError) -> TrackCounts {
    var counts = TrackCounts()
    guard let starts = json["starts"]?.integer, let seconds = json["seconds"]?.integer, starts >= 0,
      (0...Self.mostSeconds).contains(seconds)
    else { throw error(field, "expected starts and seconds in each") }
    (counts.starts, counts.milliseconds) = (starts, seconds * 1_000)
    for way in json["left"]?.members ?? [] {
      guard let number = way.value.integer, number >= 0 else { throw error(field, "expected numbers in left") }
      if let leaving = Leaving(rawValue: way.name) { counts.left[leaving] = number }
    }
    return counts
  }

  /// More than anybody counts.
  private static let mostSeconds = 1 << 40

  private func error(_ field: String, _ message: String) -> FileError {
    FileError(file: file, line: line, field: field, message: message)
  }
}

extension CountedPeriod.Span {
  /// As tables and messages have it: a date, a month, `earlier`, or, since a power on, nothing or `power-on`.
  init?(word: String) {
    if ["", "power-on"].contains(word) {
      self = .powerOn
    } else if word == "earlier" {
      self = .earlier
    } else if let day = CalendarDay(word) {
      self = .day(day)
    } else if let month = CalendarDay(word + "-01") {
      self = .month(month)
    } else {
      return nil
    }
  }
}
