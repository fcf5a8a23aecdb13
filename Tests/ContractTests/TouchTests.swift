import Testing

/// Each extension of the brain names in its comment the fields that its own code changes.
@Suite struct TouchTests {
  private static let files = Repository.texts.compactMap { file -> (path: String, text: String)? in
    let isOurs = ["Sources/Jukebox/", "Sources/AudioSession/"].contains(where: file.path.hasPrefix)
    guard isOurs, file.path.hasSuffix(".swift") else { return nil }
    return (file.path, String(decoding: file.text, as: UTF8.self))
  }

  private static let brain = "Sources/Jukebox/Jukebox"
  private static let extensions = files.filter { $0.path.hasPrefix(brain + "+") }.map(\.path)
  private static let touches = Touches(
    // A type of its own stands in every other file; functions of the brain are not called on its fields.
    brain: text(brain + ".swift"), parts: files.filter { !$0.path.hasPrefix(brain) }.map(\.text))

  private static func text(_ path: String) -> String { files.first { $0.path == path }?.text ?? "" }

  @Test("the fields that an extension of the brain changes are those in its comment", arguments: extensions)
  func named(path: String) {
    let named = Touches.named(in: Self.text(path))
    let changed = Self.touches.changed(in: Self.text(path))
    #expect(changed.subtracting(named).sorted() == [], "\(path) changes these, and its comment does not name them.")
    #expect(named.subtracting(changed).sorted() == [], "\(path) does not change these, and its comment names them.")
  }

  @Test("the brain's fields and extensions are found")
  func present() {
    #expect(Self.touches.fields.isSuperset(of: ["isOn", "lines", "health", "queue"]))
    #expect(Self.touches.fields.isDisjoint(with: ["configuration", "event"]))
    #expect(Self.extensions.count > 10)
  }

  @Test(
    "assignments, inout arguments and calls that mutate are changes; reading is none",
    arguments: [
      ("lines = Lines()", true), ("self.lines = Lines()", true), ("lines.first?.edge.level += 1", true),
      ("lines[line.index].level =", true), ("swap(&lines, &other)", true), ("f(with: lines.settle(line))", true),
      ("lines[0].edge?.settle()", true), ("if lines == other { }", false), ("let lines = 1", false),
      ("other.lines = 1", false), ("other(1).lines = 1", false), ("lines.count(of: 1)", false),
      ("settle(lines)", false),
      ("other.settle() // lines = 1", false), ("log(\"lines = 1\")", false), ("f(lines: other)", false),
    ])
  func changes(code: String, isChange: Bool) {
    let touches = Touches(brain: "struct Jukebox {\n  var lines: Lines\n}\n", parts: ["  mutating func settle() {"])
    #expect(touches.changed(in: "    \(code)\n") == (isChange ? ["lines"] : []))
  }

  @Test("a sentence may run over several lines")
  func sentence() {
    let text =
      "/// Edges, and `other`.\n/// Changes: `lines`,\n/// `outbox`.\nextension Jukebox {\n  /// Changes: `isOn`.\n"
    #expect(Touches.named(in: text) == ["lines", "outbox"])
  }
}

/// Which fields of the brain a piece of source changes. It knows no types: a call mutates if any function of that name does.
private struct Touches {
  let fields: Set<String>
  private let mutators: Set<String>

  /// - Parameters:
  ///   - brain: the source that defines `struct Jukebox`.
  ///   - parts: the sources of the types of its fields.
  init(brain: String, parts: [String]) {
    let body = brain.split(separator: "\n").drop { !$0.contains("struct Jukebox") }.prefix { $0 != "}" }
    // A brace begins a computed property.
    fields = Set(
      body.filter { $0.hasPrefix("  var ") && !$0.contains("{") }.compactMap { Self.name(in: $0, after: "var ") })
    mutators = Set(
      parts.flatMap { $0.split(separator: "\n") }.compactMap { Self.name(in: $0, after: "mutating func ") })
  }

  /// The fields in the sentence "Changes: …" of the comment above the extension.
  static func named(in text: String) -> Set<String> {
    let lines = text.split(separator: "\n").prefix { $0 != "extension Jukebox {" }
    let sentence = lines.reversed().prefix { $0.hasPrefix("///") }.reversed().drop { !$0.hasPrefix("/// Changes: ") }
    let quoted = sentence.joined().split(separator: "`", omittingEmptySubsequences: false).enumerated()
    return Set(quoted.filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) })
  }

  func changed(in text: String) -> Set<String> {
    Set(text.split(separator: "\n").flatMap { changed(inLine: SwiftLine.code($0) + " ") })
  }

  private func changed(inLine line: String) -> [String] {
    // A name with what is reached through it, and an assignment or a call.
    let access = #/(?<name>[A-Za-z_]\w*)(?<path>([?!]?\.\w+|\[[^\]]*\])*)(?<use>\(| [-+*\/%&|]*= )?/#
    let line = line.replacing("self.", with: "")
    return line.matches(of: access).compactMap { match in
      let before = line[..<match.range.lowerBound]
      guard fields.contains(String(match.name)), before.last != "." else { return nil }
      let isDefinition = before.hasSuffix("let ") || before.hasSuffix("var ")
      let called = match.path.split { !$0.isLetter }.last.map(String.init) ?? ""
      let isChange = match.use == "(" ? mutators.contains(called) : match.use != nil && !isDefinition
      return isChange || before.last == "&" ? String(match.name) : nil
    }
  }

  private static func name(in line: Substring, after keyword: String) -> String? {
    line.firstRange(of: keyword).map { line[$0.upperBound...].prefix { $0.isLetter || $0.isNumber } }.map(String.init)
  }
}
