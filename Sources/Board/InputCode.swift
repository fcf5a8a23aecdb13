/// A key or switch as the kernel numbers them (`linux/input-event-codes.h`).
public struct InputCode: Hashable, Sendable {
  public enum Kind: Hashable, Sendable { case key, `switch`, axis }

  public var kind: Kind
  public var number: UInt16
  /// The kernel's name without its prefix, in lower case and with hyphens: `headphone-insert` for
  /// `SW_HEADPHONE_INSERT`. Buttons keep theirs, because some have the name of a key: `btn-a` for `BTN_A`.
  public var name: String

  public init(kind: Kind, number: UInt16, name: String) {
    self.kind = kind
    self.number = number
    self.name = name
  }

  /// Switches that report a plug, or another closed contact.
  public static let switches: [InputCode] = [
    ("headphone-insert", 2), ("microphone-insert", 4), ("dock", 5), ("lineout-insert", 6), ("jack-physical-insert", 7),
    ("videoout-insert", 8), ("linein-insert", 13), ("mute-device", 14),
  ].map { InputCode(kind: .switch, number: $0.1, name: $0.0) }

  /// Relative axes, which report by how much something was turned (`REL_…`).
  public static let axes: [InputCode] = [
    ("x", 0), ("y", 1), ("z", 2), ("rx", 3), ("ry", 4), ("rz", 5), ("hwheel", 6), ("dial", 7), ("wheel", 8),
    ("misc", 9),
    ("wheel-hi-res", 11), ("hwheel-hi-res", 12),
  ].map { InputCode(kind: .axis, number: $0.1, name: $0.0) }

  /// The numbers that a key or button can have.
  public static let keyNumbers = 1...Int(KeyNames.highest)

  /// A key or button by its number, under its first name, or by its number where this version knows none.
  public static func key(_ number: UInt16) -> InputCode {
    InputCode(kind: .key, number: number, name: KeyNames.byNumber[number] ?? "key \(number)")
  }

  /// A key or button by one of its names, written as here or as in the kernel: `KEY_PLAYPAUSE`.
  public static func key(named name: String) -> InputCode? { KeyNames.numbers[spelling(of: name)].map(key) }

  /// The name of a key or button as it is written here.
  public static func spelling(of name: String) -> String {
    let word = String(name.lowercased().map { $0 == "_" ? "-" : $0 })
    return word.hasPrefix("key-") ? String(word.dropFirst("key-".count)) : word
  }

  /// The names of all keys and buttons, in alphabetical order.
  public static var keyNames: [String] { KeyNames.numbers.keys.sorted() }
}
