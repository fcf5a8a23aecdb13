/// How errors quote what they found and list what they expected.
package enum Wording {
  /// `text` in quotes, on one line, truncated where it is long, with invisible characters escaped.
  package static func quoted(_ text: String) -> String {
    var shown = ""
    for scalar in truncated(text).unicodeScalars {
      if isInvisible(scalar) { shown += escaped(scalar) } else { shown.unicodeScalars.append(scalar) }
    }
    return "\"\(shown)\""
  }

  /// `text` on one line, truncated where it is long.
  package static func truncated(_ text: String) -> String {
    let limit = 64
    let shown = oneLine(String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit))))
    return text.unicodeScalars.count > limit ? shown + "…" : shown
  }

  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .format: true
    case .spaceSeparator: scalar != " "
    default: false
    }
  }

  private static func escaped(_ scalar: Unicode.Scalar) -> String { "\\u{\(String(scalar.value, radix: 16))}" }

  /// A path to print; an empty one as two quotes.
  package static func path(_ path: String) -> String { path.isEmpty ? "\"\"" : oneLine(path) }

  /// `text` with escaped control characters, line breaks and changes of direction.
  package static func oneLine(_ text: String) -> String {
    var line = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0..<32, 127..<160, 0x2028...0x202E, 0x2066...0x2069: line += escaped(scalar)
      default: line.unicodeScalars.append(scalar)
      }
    }
    return line
  }

  /// A key as part of a path: bare where TOML allows it, else in quotes.
  package static func key(_ key: String) -> String {
    let bare = key.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        true
      default: false
      }
    }
    return bare && !key.isEmpty && key.utf8.count <= 40 ? key : quoted(key)
  }

  /// `a`, `a or b`, `a, b or c`.
  package static func list(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.first ?? "nothing" }
    return words.dropLast().joined(separator: ", ") + " or " + last
  }

  /// The known word that was probably meant by `word`; nil where none is similar.
  package static func nearest(to word: String, among known: [String]) -> String? {
    guard word.utf8.count <= 64 else { return nil }
    let limit = min(max(2, word.count / 3), word.count - 1)
    var best: (word: String, distance: Int)?
    for candidate in known {
      let distance = editDistance(word.lowercased(), candidate.lowercased())
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.word
  }

  /// The number of characters to insert, delete or replace to get from `a` to `b`.
  package static func editDistance(_ a: String, _ b: String) -> Int {
    let b = Array(b)
    var row = Array(0...b.count)
    for (i, character) in a.enumerated() {
      var diagonal = row[0]
      row[0] = i + 1
      for j in b.indices {
        let replaced = diagonal + (character == b[j] ? 0 : 1)
        diagonal = row[j + 1]
        row[j + 1] = min(replaced, row[j] + 1, row[j + 1] + 1)
      }
    }
    return row[b.count]
  }
}
