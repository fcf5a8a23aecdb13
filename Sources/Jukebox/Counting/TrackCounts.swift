/// What was counted of one track, or of several together. Numbers stay at the largest one rather than end the music.
public struct TrackCounts: Hashable, Sendable {
  /// How often it began to sound.
  public var starts = 0
  /// For how long it was heard; a pause or a hold is not.
  public var milliseconds = 0
  /// How its listens ended. What a power cut ended for good is in none.
  public var left: [Leaving: Int] = [:]
  /// How far into the track its listens came, by tenths; ten numbers. Those of unknown length are in none.
  public var tenths = Self.noTenths

  public static let noTenths = [Int](repeating: 0, count: 10)

  public init() {}

  /// How often it was heard to its end.
  public var ends: Int { left[.ended] ?? 0 }

  mutating func count(_ leaving: Leaving, tenth: Int?) {
    left[leaving] = (left[leaving] ?? 0).adding(1)
    if let tenth, tenths.indices.contains(tenth) { tenths[tenth] = tenths[tenth].adding(1) }
  }

  public mutating func add(_ other: TrackCounts) {
    starts = starts.adding(other.starts)
    milliseconds = milliseconds.adding(other.milliseconds)
    left.merge(other.left) { $0.adding($1) }
    tenths = zip(tenths, other.tenths).map { $0.adding($1) }
  }
}

extension Int {
  /// The sum of two numbers that are not negative; the largest number where it would be greater.
  public func adding(_ other: Int) -> Int {
    let (sum, isTooLarge) = addingReportingOverflow(other)
    return isTooLarge ? .max : sum
  }
}
