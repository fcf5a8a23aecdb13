import Files
import Testing

/// What the documents point to is there.
@Suite struct LinkTests {
  static let documents = Repository.paths.filter { $0.hasSuffix(".md") }

  @Test("every link of a document leads to a file, and to a heading where it names one", arguments: documents)
  func links(document: String) {
    for target in Markdown.targets(in: Self.text(document)) where !target.contains(":") {
      let parts = target.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let path = parts[0].isEmpty ? document : Self.resolve(parts[0], from: document)
      guard Repository.has(path) else {
        Issue.record("\(document) links to \(target), and there is no \(path).")
        continue
      }
      guard parts.count == 2 else { continue }
      let anchors = Markdown.anchors(in: Self.text(path))
      if !anchors.contains(parts[1]) {
        Issue.record("\(document) links to \(target), and \(path) has no such heading, only \(anchors.sorted()).")
      }
    }
  }

  @Test("every path of this repository that a document quotes is there", arguments: documents)
  func paths(document: String) {
    for path in Markdown.quotedPaths(in: Self.text(document)) {
      if Repository.has(path) || Repository.has(Self.resolve(path, from: document)) { continue }
      Issue.record("\(document) quotes \(path), which is not there.")
    }
  }

  @Test("there are documents, and the first of them is short enough to be read")
  func present() {
    #expect(Self.documents.count > 8)
    #expect(Self.text("README.md").split(separator: "\n", omittingEmptySubsequences: false).count <= 151)
  }

  @Test("links, pictures and attributes are found, and nothing in code is taken for one")
  func targets() {
    let text = """
      [a](b.md#c) ![d](e%20f.svg "title") <img src="g.svg"> `[h](i)` <!-- [j](k) -->
      ```
      [l](m)
      ```
          [n](o)
      [p
      q](r)
      """
    #expect(Markdown.targets(in: text) == ["b.md#c", "e f.svg", "r", "g.svg"])
  }

  @Test("anchors are made as on GitHub")
  func anchors() {
    let text = "# A `b` c: d\n## Two\n## Two\n```\n# no\n```\n#no\n### Ä & b-c_d\n"
    #expect(Markdown.anchors(in: text) == ["a-b-c-d", "two", "two-1", "ä--b-c_d"])
  }

  @Test("of what stands in code spans, only paths of this repository and of sources count")
  func quotedPaths() {
    let text =
      "`deploy/test` `Tests/run bench --quick` `a/B.swift` `board/*.toml` `board/NAME.toml` `/dev/x` `Tests`\n    `deploy/no`"
    #expect(Markdown.quotedPaths(in: text) == ["deploy/test", "Tests/run", "a/B.swift"])
  }

  private static func text(_ path: String) -> String { String(decoding: Repository.read(path) ?? [], as: UTF8.self) }

  /// A relative path as seen from the top folder.
  private static func resolve(_ target: String, from document: String) -> String {
    let whole = FileAccess.join(FileAccess.folder(of: document), target)
    var names: [Substring] = []
    for name in whole.split(separator: "/") {
      if name == ".." { _ = names.popLast() } else if name != "." { names.append(name) }
    }
    return names.joined(separator: "/")
  }
}
