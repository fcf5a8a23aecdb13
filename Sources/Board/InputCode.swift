/// A key or switch as the kernel numbers them (`linux/input-event-codes.h`).
public struct InputCode: Hashable, Sendable {
  public enum Kind: Hashable, Sendable { case key, `switch` }

  public var kind: Kind
  public var number: UInt16
  /// The kernel's name without its prefix, in lower case and with hyphens: `headphone-insert` for
  /// `SW_HEADPHONE_INSERT`.
  public var name: String

  public init(kind: Kind, number: UInt16, name: String) {
    self.kind = kind
    self.number = number
    self.name = name
  }

  /// Switches that report a plug, or another closed contact.
  public static let switches = list(
    .switch,
    [
      ("headphone-insert", 2), ("microphone-insert", 4), ("dock", 5), ("lineout-insert", 6),
      ("jack-physical-insert", 7), ("videoout-insert", 8), ("linein-insert", 13), ("mute-device", 14),
    ])

  /// Keys that a panel of buttons has.
  public static let keys = list(
    .key,
    [
      ("mute", 113), ("volumedown", 114), ("volumeup", 115), ("power", 116), ("pause", 119), ("stop", 128),
      ("nextsong", 163), ("playpause", 164), ("previoussong", 165), ("stopcd", 166), ("record", 167),
      ("playcd", 200), ("pausecd", 201), ("play", 207),
    ])

  private static func list(_ kind: Kind, _ codes: [(name: String, number: UInt16)]) -> [InputCode] {
    codes.map { InputCode(kind: kind, number: $0.number, name: $0.name) }
  }
}
