/// What a document links to, and what can be linked to in it.
enum Markdown {
  /// The targets of links and pictures, and those in `src` and `href`; none of what is in code or comments.
  static func targets(in text: String) -> [String] {
    let prose = withoutCode(text)
    var targets: [String] = []
    for (opening, closing) in [("](", ")"), ("src=\"", "\""), ("href=\"", "\"")] {
      for part in parts(of: prose, after: opening) {
        // A title may follow the target.
        let target = part.prefix { !closing.contains($0) && $0 != " " && $0 != "\n" }
        targets.append(String(target).replacing("%20", with: " "))
      }
    }
    return targets
  }

  /// Paths of this repository that stand in code spans, without what follows them; those of sources may be as seen
  /// from the document.
  static func quotedPaths(in text: String) -> [String] {
    spans(in: withoutBlocks(text)).compactMap { span in
      let path = span.prefix { $0 != " " && $0 != "\n" }
      let isOurs =
        ["Sources/", "Tests/", "board/", "deploy/"].contains(where: path.hasPrefix)
        || path.contains("/") && path.hasSuffix(".swift")
      // A pattern or a placeholder names no file.
      let isPattern = path.contains { "*…{<".contains($0) } || path.contains("NAME")
      return isOurs && !isPattern ? String(path) : nil
    }
  }

  /// The anchors of the headings, as GitHub makes them.
  static func anchors(in text: String) -> Set<String> {
    var anchors: Set<String> = []
    for line in withoutBlocks(text).split(separator: "\n") where line.hasPrefix("#") {
      let title = line.drop { $0 == "#" }
      guard title.hasPrefix(" ") else { continue }
      let anchor = slug(title.drop { $0 == " " })
      var unique = anchor
      var number = 0
      while anchors.contains(unique) {
        number += 1
        unique = "\(anchor)-\(number)"
      }
      anchors.insert(unique)
    }
    return anchors
  }

  private static func slug(_ title: Substring) -> String {
    var slug = ""
    for character in title.lowercased() {
      if character == " " { slug += "-" }
      if character.isLetter || character.isNumber || character == "-" || character == "_" { slug.append(character) }
    }
    return slug
  }

  // MARK: - Code

  /// Fenced blocks, indented blocks and comments are left out.
  private static func withoutBlocks(_ text: String) -> String {
    var isFenced = false
    var lines: [Substring] = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isFenced.toggle()
      } else if !isFenced && !line.hasPrefix("    ") {
        lines.append(line)
      }
    }
    let whole = lines.joined(separator: "\n")
    return pieces(of: whole, between: "<!--", and: "-->").outside.joined()
  }

  private static func withoutCode(_ text: String) -> String {
    pieces(of: withoutBlocks(text), between: "`", and: "`").outside.joined()
  }

  private static func spans(in text: String) -> [Substring] { pieces(of: text, between: "`", and: "`").inside }

  private static func pieces(
    of text: String, between opening: String, and closing: String
  ) -> (outside: [Substring], inside: [Substring]) {
    var (outside, inside): ([Substring], [Substring]) = ([], [])
    var rest = text[...]
    while let begin = rest.firstRange(of: opening) {
      outside.append(rest[..<begin.lowerBound])
      let tail = rest[begin.upperBound...]
      guard let end = tail.firstRange(of: closing) else {
        rest = tail
        break
      }
      inside.append(tail[..<end.lowerBound])
      rest = tail[end.upperBound...]
    }
    return (outside + [rest], inside)
  }

  private static func parts(of text: String, after opening: String) -> [Substring] {
    text.ranges(of: opening).map { text[$0.upperBound...] }
  }
}
