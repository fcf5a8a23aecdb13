/// What a client of the session uses sound for. The names are those of the phone platforms.
public enum SessionCategory: String, Hashable, Sendable, CaseIterable {
  case ambient
  case soloAmbient = "solo-ambient"
  case playback
  case record
  case playAndRecord = "play-and-record"
  case multiRoute = "multi-route"

  /// Whether sound of this category may come out of `port`. A session that only records has no output at all.
  public func suits(_ port: Port) -> Bool {
    switch self {
    case .ambient, .soloAmbient, .playback, .playAndRecord, .multiRoute: true
    case .record: false
    }
  }

  /// Whether the mute line silences it (S1, S2).
  public var obeysMute: Bool {
    switch self {
    case .ambient, .soloAmbient: true
    case .playback, .record, .playAndRecord, .multiRoute: false
    }
  }

  /// Whether it needs an input port (S4, S5).
  public var needsInput: Bool {
    switch self {
    case .record, .playAndRecord: true
    case .ambient, .soloAmbient, .playback, .multiRoute: false
    }
  }
}
