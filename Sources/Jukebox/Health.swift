import AudioSession

/// How the firmware fares: counted from power on, except the time played, which is that of all its days. Counters begin
/// again at 0 after the largest number rather than end the music.
public struct Health: Hashable, Sendable {
  /// Since power on.
  public var uptime: Duration = .zero
  /// How long sound was on its way to a listener, over all power cuts.
  public var played: Duration = .zero
  public var underruns: UInt64 = 0
  /// Edges of the lines that the kernel had no room to keep.
  public var lostEdges: UInt64 = 0
  /// Lines of the log that a slow reader has missed.
  public var droppedLines: UInt64 = 0
  /// How often the state was written.
  public var saves: UInt64 = 0
  /// In thousandths of a degree Celsius; nil: the board has no thermometer.
  public var temperature: Int?
  /// Files that are left out because they did harm.
  public var leftOut = 0
  /// What the settings name of cues and was not there at the start (D8).
  public var cueFaults = 0
  /// The state could not be written when it was tried last (W3).
  public var isSaveFailing = false

  public init() {}

  /// As `status` and the log show it: in seconds, hours, numbers and degrees.
  var fields: [Event.Field] {
    let fields: KeyValuePairs<String, String?> = [
      "uptime": String(uptime.components.seconds), "played": Self.tenths(played.components.seconds / 360),
      "underruns": String(underruns), "lost-edges": String(lostEdges), "dropped": String(droppedLines),
      "temperature": temperature.map { Self.tenths(Int64($0) / 100) },
      "left-out": leftOut > 0 ? String(leftOut) : nil, "cue-faults": cueFaults > 0 ? String(cueFaults) : nil,
      "save-failed": isSaveFailing ? "1" : nil,
    ]
    return fields.compactMap { key, value in value.map { Event.Field(key: key, value: $0) } }
  }

  private static func tenths(_ number: Int64) -> String {
    "\(number < 0 ? "-" : "")\(number.magnitude / 10).\(number.magnitude % 10)"
  }
}

/// What the rest of the firmware reports of it.
public enum HealthReport: Hashable, Sendable {
  /// This many more edges were lost.
  case edgesLost(Int)
  /// This many more lines of the log were dropped.
  case linesDropped(Int)
  /// In thousandths of a degree Celsius; nil: nobody knows.
  case temperature(Int?)
  /// How many files are left out now.
  case leftOut(Int)
  /// How many faults the cues had at the start.
  case cueFaults(Int)
}

/// What the brain counts of it, with what the rest of the firmware reports.
struct HealthCounters: Hashable, Sendable {
  private var health = Health()
  private let start: Instant
  /// Since when it sounds, where that is not in `health` yet.
  private var soundsSince: Instant?

  /// - Parameter played: until now, in seconds.
  init(played: Int, at now: Instant) {
    start = now
    health.played = .seconds(played)
  }

  mutating func note(_ report: HealthReport) {
    switch report {
    case .edgesLost(let count): health.lostEdges &+= UInt64(max(0, count))
    case .linesDropped(let count): health.droppedLines &+= UInt64(max(0, count))
    case .temperature(let temperature): health.temperature = temperature
    case .leftOut(let count): health.leftOut = count
    case .cueFaults(let count): health.cueFaults = count
    }
  }

  mutating func noteUnderrun() { health.underruns &+= 1 }

  mutating func noteSave() {
    health.saves &+= 1
    health.isSaveFailing = false
  }

  mutating func noteSaveFailure() { health.isSaveFailing = true }

  mutating func noteSound(_ isSounding: Bool, at now: Instant) {
    guard isSounding != (soundsSince != nil) else { return }
    health = report(at: now)
    soundsSince = isSounding ? now : nil
  }

  func report(at now: Instant) -> Health {
    var health = health
    health.uptime = now - start
    if let soundsSince { health.played += now - soundsSince }
    return health
  }
}
