/// The console commands that keys stand for: seeking, playlists, and the number of a track, typed digit by digit and ended by Enter.
/// Any other key drops the number.
public struct KeyCommands: Hashable, Sendable {
  /// More than any library has tracks.
  private static let mostDigits = 7

  public private(set) var digits = ""

  public init() {}

  /// Returns the console command that the key completes, if any.
  public mutating func take(_ key: PanelKey) -> String? {
    if case .digit(let digit) = key {
      if digits.count < Self.mostDigits { digits += String(digit) }
      return nil
    }
    defer { digits = "" }
    switch key {
    case .enter: return digits.isEmpty ? nil : "track \(digits)"
    case .seekBack: return "seek -10s"
    case .seekOn: return "seek +10s"
    case .previousPlaylist: return "playlist -"
    case .nextPlaylist: return "playlist +"
    case .play, .playHeld, .stop, .volumeUp, .volumeDown, .next, .previous, .record, .cue, .page, .mute, .headphones,
      .dock, .coin, .digit, .letter, .help, .redraw, .quit:
      return nil
    }
  }
}
