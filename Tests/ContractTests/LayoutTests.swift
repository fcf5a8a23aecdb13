import Testing

@Suite struct LayoutTests {
  private static let sources = Layout(
    Repository.texts.compactMap { file in
      guard file.path.hasPrefix("Sources/"), file.path.hasSuffix(".swift") else { return nil }
      return (String(file.path.dropFirst("Sources/".count)), String(decoding: file.text, as: UTF8.self))
    })

  @Test("no folder of Sources needs another that needs it")
  func circles() {
    #expect(Self.sources.uses.count > 15)
    #expect(Self.sources.circles == [])
  }

  @Test("no two folders of Sources define types of one name")
  func names() {
    let twice = Self.sources.homes.filter { $0.value.count > 1 }.map { "\($0.key): \($0.value.sorted())" }
    #expect(twice.sorted() == [])
  }

  @Test("a circle of folders is found, within a target and through imports")
  func found() {
    let layout = Layout([
      ("A/X.swift", "import B\npublic struct X { let y: Y }\n"),
      ("B/Y.swift", "struct Y { let z: Z }\n"),
      ("B/C/Z.swift", "final class Z {\n  var y: Y? // X\n  let text = \"X\"\n}\n"),
      ("D/V.swift", "struct W { let z: Z }\n"),
    ])
    #expect(layout.circles == ["B -> B/C: Z", "B/C -> B: Y"])
    #expect(layout.uses["A"] == ["B": ["Y"]])
    #expect(layout.uses["D"] == nil)
  }
}
