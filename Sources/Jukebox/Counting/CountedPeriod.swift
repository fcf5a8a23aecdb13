import AudioSession

/// What was counted in one stretch of time.
public struct CountedPeriod: Hashable, Sendable {
  public enum Span: Hashable, Sendable {
    /// From power on to power off, or to the moment at which the clock was known.
    case powerOn
    case day(CalendarDay)
    /// Days that are long past, counted together; the first day of the month.
    case month(CalendarDay)
    /// Everything that is older than all others.
    case earlier
  }

  /// The name for all tracks that are counted together because there were too many. No file has it.
  public static let others = ""
  /// The most names of one period.
  public static let mostNames = 2_000

  /// Distinguishes it from all others of the board, so that none is ever counted twice.
  public var id: Int
  public var span: Span
  /// By the tracks' names; the one heard last is the last.
  public private(set) var names: [String] = []
  public private(set) var tracks: [FileName: TrackCounts] = [:]
  /// Starts in each hour of the local day; 24 numbers. Those without a known clock are in none.
  public var hours = Self.noHours
  public var board: [BoardCount: Int] = [:]

  public static let noHours = [Int](repeating: 0, count: 24)

  public init(id: Int, span: Span) {
    self.id = id
    self.span = span
  }

  public var isEmpty: Bool { tracks.isEmpty && board.isEmpty }

  /// All tracks together.
  public var sum: TrackCounts { tracks.values.reduce(into: TrackCounts()) { $0.add($1) } }

  // MARK: - Counting

  mutating func count(_ counted: Counted, hour: Int?) {
    switch counted {
    case .start(let name):
      change(name) { $0.starts = $0.starts.adding(1) }
      touch(name)
      if let hour, hours.indices.contains(hour) { hours[hour] = hours[hour].adding(1) }
    case .heard(let name, let milliseconds):
      change(name) { $0.milliseconds = $0.milliseconds.adding(max(0, milliseconds)) }
    case .left(let name, let leaving, let tenth): change(name) { $0.count(leaving, tenth: tenth) }
    case .board(let count, let number): board[count] = (board[count] ?? 0).adding(max(0, number))
    }
  }

  /// The track was heard last.
  private mutating func touch(_ name: String) {
    let isIt = { FileName($0) == FileName(name) }
    guard names.last.map(isIt) != true, let place = names.lastIndex(where: isIt) else { return }
    names.remove(at: place)
    names.append(name)
  }

  private mutating func change(_ name: String, _ body: (inout TrackCounts) -> Void) {
    if tracks[FileName(name)] == nil { add(name) }
    body(&tracks[FileName(name), default: TrackCounts()])
  }

  private mutating func add(_ name: String) {
    names.append(name)
    tracks[FileName(name)] = TrackCounts()
    // The ones that were heard longest ago.
    while names.count > Self.mostNames, let oldest = names.first(where: { $0 != Self.others }) { fold(oldest) }
  }

  /// Counts a track among the others from now on.
  mutating func fold(_ name: String) {
    guard name != Self.others, let counts = tracks.removeValue(forKey: FileName(name)) else { return }
    names.removeAll { FileName($0) == FileName(name) }
    let others = FileName(Self.others)
    if tracks[others] == nil { names.insert(Self.others, at: 0) }
    tracks[others, default: TrackCounts()].add(counts)
  }

  /// Takes over what was counted of a track, as it was read or in another period.
  public mutating func add(_ counts: TrackCounts, of name: String) { change(name) { $0.add(counts) } }

  /// Adds what another period has counted. Keeps its own id and span.
  public mutating func add(_ other: CountedPeriod) {
    for name in other.names {
      if let counts = other.tracks[FileName(name)] { add(counts, of: name) }
      touch(name)
    }
    hours = zip(hours, other.hours).map { $0.adding($1) }
    board.merge(other.board) { $0.adding($1) }
  }
}
