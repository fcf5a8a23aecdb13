extension ListeningCounts {
  /// The most tracks that the console shows; `jackdaw report` has all.
  private static let mostShown = 20

  /// The console's answer to `stats`: a line for the period, and one for each track, the one heard longest first. New
  /// keys come at the end of a line only.
  public var text: String {
    let sum = current.sum
    let board = BoardCount.allCases.map { ($0.rawValue, String(current.board[$0] ?? 0)) }
    let head =
      [("period", Self.word(current.span)), ("tracks", String(current.tracks.count))] + Self.fields(sum) + board
    let longest = current.tracks.sorted { ($1.value.milliseconds, $0.key) < ($0.value.milliseconds, $1.key) }
    let tracks = longest.prefix(Self.mostShown).map { name, counts in
      [("track", name == CountedPeriod.others ? "others" : Event.quoted(name))] + Self.fields(counts)
    }
    return ([head] + tracks).map(Self.line).joined(separator: "\n")
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
}
