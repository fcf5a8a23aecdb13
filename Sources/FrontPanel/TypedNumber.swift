/// The number of a track, typed digit by digit and ended by Enter. Any other key drops it.
public struct TypedNumber: Hashable, Sendable {
  /// More than any library has tracks.
  private static let mostDigits = 7

  public private(set) var digits = ""

  public init() {}

  /// Returns the console command that the key completes, if any.
  public mutating func take(_ key: PanelKey) -> String? {
    switch key {
    case .digit(let digit):
      if digits.count < Self.mostDigits { digits += String(digit) }
      return nil
    case .enter:
      defer { digits = "" }
      return digits.isEmpty ? nil : "track \(digits)"
    case .play, .playHeld, .stop, .volumeUp, .volumeDown, .next, .previous, .record, .cue, .page, .mute, .headphones,
      .dock, .help, .redraw, .quit:
      digits = ""
      return nil
    }
  }
}
