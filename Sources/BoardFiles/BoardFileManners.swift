import AudioSession
import Files
import Jukebox

/// The manners of a contact, in the table of its line (O rows).
extension BoardFile {
  static let mannerKeys = ["mode", "rearm", "inhibit", "delay", "ignore_at_boot", "limit"]

  /// nil: it is a button as any other.
  static func manners(of role: Line.Role, _ table: TOMLTable) throws(FileError) -> Manners? {
    let keys = mannerKeys.filter(table.has)
    if keys.isEmpty { return nil }
    guard let modes = modes(of: role) else {
      for key in keys {
        try table.keep(table.error(key, "expected only with role = \"track\", \"playlist\" or \"cue\""))
      }
      return nil
    }
    let longest = Duration.seconds(86_400)
    return Manners(
      try table.optional("mode", .choice(modes.map { ($0.rawValue, $0) })) ?? .once,
      rearm: try time("rearm", to: longest, table), inhibit: try time("inhibit", to: longest, table),
      delay: try time("delay", to: longest, table), ignoreAtBoot: try time("ignore_at_boot", to: longest, table),
      limit: try time("limit", to: longest, table))
  }

  private static func time(_ key: String, to most: Duration, _ table: TOMLTable) throws(FileError) -> Duration {
    try table.optional(key, .duration(in: .milliseconds(1)...most, orZero: true)) ?? .zero
  }

  private static func modes(of role: Line.Role) -> [Manners.Mode]? {
    switch role {
    case .button(.choose(.playlist)): Manners.Mode.allCases
    case .button(.choose(.track)), .button(.choose(.cue)), .button(.cue): [.once, .finish, .while]
    case .sense, .button, .interrupter, .mute, .selector, .silence, .coin, .freePlay, .lamp, .ampMute, .signal,
      .coinInhibit:
      nil
    }
  }
}
