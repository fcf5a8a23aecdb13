import AudioSession
import Jukebox
import Simulator

/// How often each event was logged and each kind of step happened.
public struct Coverage {
  public private(set) var events: [EventName: Int] = [:]
  public private(set) var faults: [String: Int] = [:]
  /// Simulated time in which music sounded.
  public private(set) var played = Duration.zero
  private var playingSince: Instant?

  /// Events that no workload causes: a simulated kiosk loses its power, but its process is never asked to end; its folder
  /// of music is always there, and nobody brings other; its few recordings are neither damaged nor too many; and in
  /// virtual time no wake-up is late.
  public static let unreachable: Set<EventName> = [
    .shutdown, .stateUnreadable, .libraryEmpty, .libraryMissing, .libraryFound, .outputDeepened, .recordingUnrepaired,
    .recordingRemoved, .contentReading, .contentInstalled, .contentRefused, .timetableDue, .freePlayBegan,
    .freePlayEnded, .ledgerRestored, .quietBegan, .quietEnded,
    .quietUnknown, .requestQueued, .requestStarted, .requestRefused, .requestDropped, .creditReturned,
    .creditsGiven, .ledgerFailed, .ledgerUnreadable, .coinTaken, .coinRefused,
  ]

  public static let kinds = [
    "plug", "plug with bounce", "unplug", "unplug with bounce", "press", "contact", "turn up", "turn down",
    "turn up with bounce", "turn down with bounce", "choose", "interrupt", "cue",
    "console", "console blocked", "microphone fail", "output fail", "output underrun", "output rate",
    "card usual", "card steps", "card shallow", "card faulty", "card queued", "card headset", "opening", "stall",
    "route",
    "storage full", "storage read-only", "music remove", "music add", "music fails", "power cut", "sleep",
    "clock", "clock unset", "headset pairing", "headset on", "headset off", "headset asks",
    "headset turned", "headset without volume", "lay", "lift",
  ]

  public init() {}

  mutating func count(_ event: EventName) { events[event, default: 0] += 1 }

  mutating func count(_ action: Scenario.Action) {
    guard let kind = Self.kind(of: action) else { return }
    faults[kind, default: 0] += 1
  }

  mutating func count(_ scene: SimulationSnapshot) {
    let isPlaying = scene.status?.state == .playing && !scene.isAsleep
    if let since = playingSince { played += scene.at - since }
    playingSince = isPlaying ? scene.at : nil
  }

  public mutating func add(_ other: Coverage) {
    events.merge(other.events, uniquingKeysWith: +)
    faults.merge(other.faults, uniquingKeysWith: +)
    played += other.played
  }

  /// What has never happened, though a workload can cause it.
  public var missing: [String] {
    EventName.allCases.filter { events[$0] == nil && !Self.unreachable.contains($0) }.map(\.rawValue)
      + Self.kinds.filter { faults[$0] == nil }
  }

  private static func kind(of action: Scenario.Action) -> String? {
    switch action {
    case .plug(_, let bounce): bounce > .zero ? "plug with bounce" : "plug"
    case .unplug(_, let bounce): bounce > .zero ? "unplug with bounce" : "unplug"
    case .press: "press"
    case .coin: "coin"
    case .turn(_, let detents, _, .zero): detents > 0 ? "turn up" : "turn down"
    case .turn(_, let detents, _, _): detents > 0 ? "turn up with bounce" : "turn down with bounce"
    case .type(_, _, let isEnded): isEnded ? "type" : "type unended"
    case .card(let token, _): token == nil ? "lift" : "lay"
    case .line: "contact"
    case .console(let text): kind(ofCommand: text)
    case .consoleBlocked(let isBlocked): isBlocked ? "console blocked" : nil
    case .expect, .end: nil
    case .headset(_, let change): "headset \(change.rawValue)"
    case .microphone(let change): change == .fail ? "microphone fail" : nil
    case .output(let fault): fault == .restore ? nil : "output \(fault.rawValue)"
    case .outputRate: "output rate"
    case .outputCard(_, let card): "card \(card.rawValue)"
    case .outputVolume(_, let level): level == nil ? "headset without volume" : "headset turned"
    case .outputOpening: "opening"
    case .outputLink(_, let isSilent): isSilent ? "stall" : nil
    case .storage(let state): state == .good ? nil : "storage \(state.rawValue)"
    case .music(.remove): "music remove"
    case .music(.add): "music add"
    case .music(.fails): "music fails"
    case .music: nil
    case .power(let power): power == .cut ? "power cut" : power == .sleep ? "sleep" : nil
    case .clock(let time, _, _): time == nil ? "clock unset" : "clock"
    }
  }

  private static func kind(ofCommand text: String) -> String? {
    let words = text.split(separator: " ")
    switch words.first {
    case "track", "playlist": return "choose"
    case "route": return "route"
    case "cue": return "cue"
    case "interrupt": return words.dropFirst().first == "begin" ? "interrupt" : nil
    default: return "console"
    }
  }
}
