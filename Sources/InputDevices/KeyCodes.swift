import AudioSession
import Board

/// What the kernel's key codes type (`linux/input-event-codes.h`), by the layout of the United States and without Shift, as
/// readers do unless they are told otherwise.
enum KeyCodes {
  static let enters = [28, 96].map { InputCode(kind: .key, number: $0, name: "enter") }
  /// Tells a reader from other devices of its name: Enter, or a 1 of a keyboard, a number pad or a telephone.
  static let signs = enters + [2, 79, 0x201].map { InputCode(kind: .key, number: $0, name: "1") }
  /// What a token can be typed with.
  static let typing = keys.filter { $0.value != .clear }.keys.sorted().map {
    InputCode(kind: .key, number: $0, name: "key")
  }

  static func key(_ code: UInt16) -> TypedKey? { keys[code] }

  private static let keys: [UInt16: TypedKey] = {
    var keys: [UInt16: TypedKey] = [:]
    for (first, characters) in rows {
      for (index, character) in characters.utf8.enumerated() { keys[first + UInt16(index)] = .character(character) }
    }
    for code in enters { keys[code.number] = .enter }
    // Escape, Backspace, Delete, Cancel and Clear.
    for code: UInt16 in [1, 14, 111, 223, 355] { keys[code] = .clear }
    return keys
  }()

  /// The characters of keys whose codes follow each other, from the first code on.
  private static let rows: [(first: UInt16, characters: String)] = [
    (2, "1234567890-="), (16, "QWERTYUIOP[]"), (30, "ASDFGHJKL;'`"), (43, "\\ZXCVBNM,./"), (57, " "),
    // The number pad, whatever Num Lock says.
    (55, "*"), (71, "789-456+1230."), (98, "/"), (117, "="), (121, ","),
    // The keypad of a telephone or a door.
    (0x200, "0123456789*#"),
  ]
}
