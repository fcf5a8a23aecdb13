import AudioSession
import JSON

extension ListeningCounts {
  /// The most tracks that the console shows; `jackdaw report` has all.
  private static let mostShown = 20

  /// The console's answer to `stats`: a line for the period, and one for each track, the one heard longest first. New
  /// keys come at the end of a line only.
  public var text: String {
    let sum = current.sum
    let board = BoardCount.shown(where: current.board).map { ($0.rawValue, String(current.board[$0] ?? 0)) }
    let head =
      [("period", Self.word(current.span)), ("tracks", String(current.tracks.count))] + Self.fields(sum) + board
    let tracks = Self.longest(current).prefix(Self.mostShown).map { name, counts in
      [("track", name == CountedPeriod.others ? "others" : Event.quoted(name))] + Self.fields(counts)
    }
    return ([head] + tracks).map(Self.line).joined(separator: "\n")
  }

  /// Its tracks, the one heard longest first.
  private static func longest(_ period: CountedPeriod) -> [(key: String, value: TrackCounts)] {
    period.tracks.map { (key: $0.key.text, value: $0.value) }
      .sorted { ($1.value.milliseconds, $0.key) < ($0.value.milliseconds, $1.key) }
  }

  private static func word(_ span: CountedPeriod.Span) -> String {
    switch span {
    case .powerOn: "power-on"
    case .day(let day), .month(let day): day.text
    case .earlier: "earlier"
    }
  }

  private static func fields(_ counts: TrackCounts) -> [(String, String)] {
    let left = Leaving.allCases.map { ($0.rawValue, String(counts.left[$0] ?? 0)) }
    return [("starts", String(counts.starts)), ("heard", String(counts.milliseconds / 1_000))] + left
  }

  private static func line(_ fields: [(String, String)]) -> String {
    fields.map { "\($0.0)=\($0.1)" }.joined(separator: " ")
  }

  // MARK: - For programs

  /// The most bytes of one period's tracks: four periods are a reply of the control socket.
  private static let mostTrackBytes = 3_000

  /// The console's answer to `stats --json`: a line for each of the periods that were over last, and one for the
  /// current period (F8). Members are only added, and keep their meaning.
  public var json: String { (earlier + [current]).map { Self.json($0).text }.joined(separator: "\n") }

  /// A period, with as many tracks as fit, the one heard longest first; the others are counted together.
  private static func json(_ period: CountedPeriod) -> JSONValue {
    let longest = longest(period).filter { $0.key != CountedPeriod.others }
    var (shown, bytes): ([JSONValue], Int) = ([], 0)
    for (name, counts) in longest {
      let track = JSONValue.object([.init("name", .string(name))] + members(counts))
      bytes += track.text.utf8.count + 1
      if bytes > mostTrackBytes { break }
      shown.append(track)
    }
    let rest = [period.tracks[FileName(CountedPeriod.others)]].compactMap { $0 }
    let folded = longest.dropFirst(shown.count).map(\.value) + rest
    let board = BoardCount.shown(where: period.board).map { key in
      JSONValue.Member(key.rawValue, .integer(period.board[key] ?? 0))
    }
    let others = folded.reduce(into: TrackCounts()) { $0.add($1) }
    return .object([
      // As text: the number has more digits than many programs keep.
      .init("id", .string(String(period.id))), .init("period", .string(word(period.span))),
      .init("sum", .object(members(period.sum))), .init("tracks", .array(shown)),
      .init("others", folded.isEmpty ? .null : .object(members(others))),
      .init("board", .object(board)),
    ])
  }

  /// Ways in which no listen ended are left out.
  private static func members(_ counts: TrackCounts) -> [JSONValue.Member] {
    let left = Leaving.allCases.compactMap { leaving in
      counts.left[leaving].map { JSONValue.Member(leaving.rawValue, .integer($0)) }
    }
    return [
      .init("starts", .integer(counts.starts)), .init("seconds", .integer(counts.milliseconds / 1_000)),
      .init("left", .object(left)),
    ]
  }
}
