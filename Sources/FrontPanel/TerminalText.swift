/// Makes untrusted text, mostly tags and file names, safe to show on a terminal, and measures its width in columns.
enum TerminalText {
  /// The most combining marks on one letter; more of them would reach into the lines above and below.
  private static let marksPerLetter = 2

  /// The columns that a scalar of cleaned text takes on a terminal.
  static func width(_ scalar: Unicode.Scalar) -> Int {
    // ASCII, boxes and blocks are most of a panel, and this is quicker than looking up Unicode properties.
    if isPlain(scalar) || (0x2500..<0x25A0).contains(scalar.value) { return 1 }
    if isMark(scalar) { return 0 }
    return isWide(scalar) ? 2 : 1
  }

  static func width(_ text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + width($1) } }

  /// `text` without scalars that move the cursor, change the direction of writing or have a width that terminals disagree
  /// on: they are shown as escapes. Plain ASCII unless `unicode`.
  static func clean(_ text: String, unicode: Bool) -> String {
    var clean = ""
    // A mark at the start would combine with the letter before the text.
    var marks = marksPerLetter
    for scalar in text.unicodeScalars {
      if isPlain(scalar) {
        marks = 0
        clean.unicodeScalars.append(scalar)
        continue
      }
      if isMark(scalar) || isJoiner(scalar) {
        guard unicode, isMark(scalar), marks < marksPerLetter else { continue }
        marks += 1
        clean.unicodeScalars.append(scalar)
        continue
      }
      marks = 0
      if let letter = regionalLetter(scalar) {
        clean.unicodeScalars.append(letter)
      } else if isUnsafe(scalar) {
        clean += "\\u{\(String(scalar.value, radix: 16))}"
        marks = marksPerLetter
      } else {
        clean.unicodeScalars.append(unicode || scalar.isASCII ? scalar : "?")
      }
    }
    return clean
  }

  /// The longest start of cleaned `text` that fits into `columns`.
  static func start(of text: String, fitting columns: Int) -> String {
    var left = columns
    var start = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      left -= width(scalar)
      if left < 0 { break }
      start.append(scalar)
    }
    return String(start)
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool { (0x20..<0x7F).contains(scalar.value) }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    // Vowels and finals of Korean syllables that are written in parts merge into the letter before.
    case .otherLetter: (0x1160...0x11FF).contains(scalar.value) || (0xD7B0...0xD7FB).contains(scalar.value)
    case .nonspacingMark, .enclosingMark: !isJoiner(scalar)
    default: false
    }
  }

  /// Joins emoji or selects between shapes. Without it, each scalar has its own width.
  private static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x00AD, 0x200C, 0x200D, 0xFE00...0xFE0F, 0x1F3FB...0x1F3FF, 0xE0100...0xE01EF: true
    default: false
    }
  }

  private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
    default: false
    }
  }

  /// The letter of a regional indicator, two of which make a flag: terminals disagree on the width of flags.
  private static func regionalLetter(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    guard (0x1F1E6...0x1F1FF).contains(scalar.value) else { return nil }
    return Unicode.Scalar(scalar.value - 0x1F1E6 + 0x41)
  }

  private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0xA4CF,
      0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
      0xFFE0...0xFFE6, 0x16FE0...0x18CFF, 0x1AFF0...0x1B2FF, 0x1F000...0x1FAFF, 0x20000...0x3FFFD:
      true
    default: scalar.properties.isEmojiPresentation
    }
  }
}
