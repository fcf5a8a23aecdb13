import Testing

/// The contract and the repository agree on the rows.
@Suite struct RowTests {
  private static let defined = Rows.defined(
    in: String(decoding: Repository.read(Rows.file) ?? [], as: UTF8.self))

  @Test("the contract defines rows, and none of them twice")
  func isSound() {
    #expect(Self.defined.count > 70)
    #expect(Set(Self.defined).count == Self.defined.count)
  }

  @Test("every row that is cited in the repository is defined by the contract")
  func citations() {
    for file in Repository.texts {
      for row in Rows.cited(in: file).subtracting(Self.defined).sorted() {
        Issue.record(
          "\(file.path) cites \(row), which \(Rows.file) does not define. A word of another kind belongs into Rows.swift."
        )
      }
    }
  }

  @Test("every row of the contract is named by a test")
  func coverage() {
    let names = Repository.texts.flatMap(TestNames.all)
    #expect(names.count > 500)
    let named = names.reduce(into: Set<String>()) { $0.formUnion(Rows.cited(in: Array($1.utf8))) }
    for row in Self.defined where !named.contains(row) {
      Issue.record("\(row) of \(Rows.file) is named by no test.")
    }
  }

  @Test("no cell of the contract is longer than 60 words")
  func length() {
    for (row, cell) in Rows.cells(in: String(decoding: Repository.read(Rows.file) ?? [], as: UTF8.self)) {
      let words = cell.split(separator: " ").count
      #expect(words <= 60, "\(row): split it into rows \(row).1 and so on")
    }
  }

  @Test(
    "a citation is a whole word of a capital letter and a number",
    arguments: [
      ("see A1, Z9", ["A1", "Z9"]), ("(A1)", ["A1"]), ("A1–Z9", ["A1", "Z9"]), ("Z9 A1 a name.scenario", ["A1", "Z9"]),
      ("A1's", ["A1"]), ("gcc -A1 \"-Z9\"", []), ("\\u{A1}", []), ("XA1 A1x _A1 A1_ A123 A0 a1 A", []),
      ("S16 at Q15", []),
    ])
  func recognition(text: String, rows: [String]) {
    #expect(Rows.cited(in: Array(text.utf8)).sorted() == rows)
  }

  @Test("the name of a test is found on its line or the next, and for every kind of test")
  func names() {
    let swift = "@Test(\"one\") @Test(\n    \"two\", arguments: [\"no\"]) @Suite(\"three\") @Test(.off) @Other(\"no\")"
    #expect(TestNames.quoted(after: ["@Test(", "@Suite("], in: Array(swift.utf8)) == ["one", "two", "three"])
    let scenario = Repository.TextFile(path: "Tests/Some/Z9-a-story.scenario", text: [])
    #expect(TestNames.all(in: scenario) == ["Z9-a-story.scenario"])
    let check = Repository.TextFile(path: "Tests/some.py", text: Array("@check(\"A1 Z9\", \"it does\")".utf8))
    #expect(TestNames.all(in: check) == ["A1 Z9"])
  }

  @Test("a row is defined by the first cell of a line of a table")
  func definitions() {
    let contract = "| row | when | then |\n|---|---|---|\n| A1 | x | y |\nA2 |\n| Z9 | `a` | as A1 |\n"
    #expect(Rows.defined(in: contract) == ["A1", "Z9"])
    #expect(Rows.cells(in: contract).map(\.cell) == [" x ", " y ", " `a` ", " as A1 "])
  }
}
