/// Which folder of Sources names the types of which other, read from the sources.
struct Layout {
  /// For each folder the folders whose types it names, with those types.
  private(set) var uses: [String: [String: Set<String>]] = [:]
  /// The folders that define a type, for types of one name.
  private(set) var homes: [String: Set<String>] = [:]

  /// - Parameter files: paths below `Sources`, and their text. Types of one name in several folders count for none of them.
  init(_ files: [(path: String, text: String)]) {
    let sources = files.map { file in
      let code = Layout.lines(of: file.text).map(SwiftLine.code)
      return (folder: Layout.folder(of: file.path), code: code, imports: Set(code.compactMap(Layout.imported)))
    }
    for source in sources {
      for line in source.code {
        if let type = Layout.definedType(line) { homes[type, default: []].insert(source.folder) }
      }
    }
    for source in sources {
      let target = source.folder.prefix { $0 != "/" }
      for word in Set(source.code.flatMap(Layout.words)) {
        guard let folders = homes[word], folders.count == 1, let home = folders.first, home != source.folder else {
          continue
        }
        let owner = String(home.prefix { $0 != "/" })
        guard owner == target || source.imports.contains(owner) else { continue }
        uses[source.folder, default: [:]][home, default: []].insert(word)
      }
    }
  }

  /// Every pair of folders that reach each other, with the types that make the way.
  var circles: [String] {
    uses.keys.sorted().flatMap { start in
      (uses[start] ?? [:]).sorted { $0.key < $1.key }.compactMap { next, types in
        reach(from: next).contains(start) ? "\(start) -> \(next): \(types.sorted().joined(separator: ", "))" : nil
      }
    }
  }

  private func reach(from folder: String) -> Set<String> {
    var seen: Set<String> = [folder]
    var waiting = [folder]
    while let next = waiting.popLast() {
      for other in (uses[next] ?? [:]).keys where seen.insert(other).inserted { waiting.append(other) }
    }
    return seen
  }

  // MARK: - Reading Swift

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  private static func lines(of text: String) -> [Substring] {
    text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  private static func words(of code: String) -> [String] {
    code.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init).filter { $0.first?.isUppercase ?? false }
  }

  private static func imported(_ code: String) -> String? {
    let words = code.split(separator: " ")
    guard let place = words.firstIndex(of: "import"), place <= 1, words.count == place + 2 else { return nil }
    return String(words[place + 1])
  }

  /// The type that a line at the left margin defines.
  private static func definedType(_ code: String) -> String? {
    let modifiers: Set<Substring> = ["public", "package", "fileprivate", "private", "final", "indirect"]
    let kinds: Set<Substring> = ["struct", "class", "enum", "actor", "protocol", "typealias"]
    guard let first = code.first, first != " " else { return nil }
    let words = code.split { $0 == " " || $0 == ":" || $0 == "<" || $0 == "{" }.drop { modifiers.contains($0) }
    guard let kind = words.first, kinds.contains(kind), let name = words.dropFirst().first else { return nil }
    return String(name)
  }
}
