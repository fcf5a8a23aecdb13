import Files
import TestSupport
import Testing

@testable import BoardFiles

@Suite struct TOMLTableTests {
  private func parse(_ text: some Sequence<UInt8>) throws(FileError) -> TOMLTable {
    try TOMLTable(parsing: Array(text), file: "t.toml")
  }

  private func line(ofErrorIn text: some Sequence<UInt8>) -> Int? {
    do throws(FileError) {
      _ = try parse(text)
      return nil
    } catch {
      return error.line
    }
  }

  private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  @Test("every kind of value comes with its line and column, in the order of the file")
  func values() throws {
    let text = """
      z = "é\\t"
      a = -9223372036854775808
      f = 1e3
      t = true
      d = 1979-05-27T07:32:00Z
      l = [
        1, { k = 'v' } ]
      [sub.deep]
      "odd key" = inf
      """
    let deep = TOMLEntry(
      key: "deep",
      value: .init(
        .table([.init(key: "odd key", value: .init(.float(.infinity), line: 9, column: 13))]), line: 8, column: 1))
    let member = TOMLEntry(key: "k", value: .init(.string("v"), line: 7, column: 12))
    let list: [TOMLValue] = [.init(.integer(1), line: 7, column: 3), .init(.table([member]), line: 7, column: 6)]
    #expect(
      try parse(text.utf8).entries == [
        .init(key: "z", value: .init(.string("é\t"), line: 1, column: 5)),
        .init(key: "a", value: .init(.integer(.min), line: 2, column: 5)),
        .init(key: "f", value: .init(.float(1_000), line: 3, column: 5)),
        .init(key: "t", value: .init(.boolean(true), line: 4, column: 5)),
        .init(key: "d", value: .init(.dateOrTime, line: 5, column: 5)),
        .init(key: "l", value: .init(.array(list), line: 6, column: 5)),
        .init(key: "sub", value: .init(.table([deep]), line: 8, column: 1)),
      ])
  }

  @Test("a text without values is an empty table", arguments: ["", "\n\n", "# nothing", "\u{FEFF}"])
  func empty(text: String) throws {
    #expect(try parse(text.utf8).entries.isEmpty)
  }

  @Test("strings and keys keep NUL, which only an escape can bring in")
  func escapedNUL() throws {
    let table = try parse(#""a\u0000b" = "c\u0000d""#.utf8)
    #expect(table.entries.map(\.key) == ["a\0b"])
    #expect(table.entries.first?.value.kind == .string("c\0d"))
  }

  @Test(
    "what is not TOML is an error at its line",
    arguments: [
      "a = 1\n=", "a = 1\n[=", "a = 1\n[\n", "a = 1\n\0", "a = 1\nb = \"\0\"", "a = 1\na = 2", "a = 1\nb = {c = }",
      "a = 1\nb = 9223372036854775808", "a = 1\nb = 1e", "a = 1\nb = 0x", "a = 1\nb = 2024-13-40",
      "a = 1\nb = \"\\ud800\"", "a = 1\nb = 'open", "a = 1\nb", "a = 1\n\r", "a = 1\n[a]",
    ])
  func notTOML(text: String) {
    #expect(line(ofErrorIn: text.utf8) == 2, "\(text)")
  }

  @Test("a parse error is one line that names the column")
  func parseErrorText() {
    let text = errorText { () throws(FileError) in try parse("a = 1\nb = @\u{1B}".utf8) }
    #expect(text.hasPrefix("t.toml:2: not valid TOML at column 5: "), "\(text)")
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }, "\(text)")
  }

  @Test(
    "bytes that are not UTF-8 are an error",
    arguments: [[0xFF], [0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80]] as [[UInt8]])
  func invalidUTF8(bytes: [UInt8]) {
    #expect(line(ofErrorIn: Array("a = '".utf8) + bytes + Array("'".utf8)) == 1)
    #expect(line(ofErrorIn: bytes) == 1)
  }

  @Test("a number too large for a float is infinite or an error, never a trap")
  func hugeNumbers() {
    let huge = errorText { () throws(FileError) in
      try parse("a = 1\(repeated("0", 5_000)).0".utf8).required("a", .duration(in: .zero ... .seconds(1)))
    }
    #expect(huge.hasPrefix("t.toml:1: "), "\(huge)")
    #expect(line(ofErrorIn: "a = 1\(repeated("0", 5_000))".utf8) == 1)
  }

  @Test("nesting has a bound, whatever it is made of")
  func nesting() throws {
    #expect(try parse("a = \(repeated("[", 30))\(repeated("]", 30))".utf8).entries.count == 1)
    #expect(try parse("a\(repeated(".a", 100)) = 1".utf8).entries.count == 1)
    #expect(line(ofErrorIn: "a\(repeated(".a", 101)) = 1".utf8) == 1)
    #expect(line(ofErrorIn: "a = \(repeated("[", 100_000))".utf8) == 1)
    #expect(line(ofErrorIn: "a = \(repeated("{a=", 100_000))".utf8) == 1)
    #expect(line(ofErrorIn: "#.\n\na\(repeated(".a", 100_000)) = 1".utf8) == 3)
    #expect(line(ofErrorIn: "\n[a\(repeated(" . 'a'", 100_000))]".utf8) == 2)
    #expect(line(ofErrorIn: "\na\(repeated(#"."b\",""#, 100_000)) = 1".utf8) == 2)
  }

  @Test("the deepest tables that a text may have are read")
  func deepest() throws {
    let key = "a\(repeated(".a", 100))"
    let inner = repeated("[\n{\(key) = ", 14)
    let text = "[\(key)]\n\(key) = \(inner)1\(repeated("}]", 14))"
    #expect(try parse(text.utf8).entries.count == 1)
  }

  @Test("a line with too many dots is reported with its column in characters")
  func columnOfDots() {
    let text = errorText { () throws(FileError) in try parse("\n\"é\"\(repeated(".a", 101)) = 1".utf8) }
    #expect(text == "t.toml:2: not valid TOML at column 204: more than 100 dots on one line")
  }

  @Test("dots side by side are no parts of a key")
  func dotsInComments() throws {
    #expect(try parse("a = 1 # \(repeated(".", 1_000))\nb = \"\(repeated(".", 1_000))\"".utf8).entries.count == 2)
  }

  @Test("a key with too many parts is found behind the end of a text over several lines")
  func keyBehindText() {
    let key = "c\(repeated(".c", 50_000))"
    #expect(line(ofErrorIn: "a = {b = \"\"\"\n#\"\"\", \(key) = 1}".utf8) == 2)
    #expect(line(ofErrorIn: "a = ['''\n#''', {\(key) = 1}]".utf8) == 2)
  }

  @Test(
    "the shipped files are read or refused wherever they end and whichever byte is damaged",
    arguments: ["board/sim.toml", "deploy/jackdaw.toml"])
  func prefixes(path: String) {
    let bytes = shippedBytes(path)
    #expect(bytes.count > 1_000)
    var outcomes: Set<String> = []
    let damage: [UInt8] = [0, 0x22, 0x5B, 0x7B, 0x2E, 0x3D, 0x0A, 0xFF]
    for index in stride(from: 0, to: bytes.count, by: 7) {
      var damaged = bytes
      damaged[index] = damage[index % damage.count]
      for text in [Array(bytes[..<index]), damaged] {
        let error = errorText { () throws(FileError) in
          if path.hasPrefix("board") {
            _ = try BoardFile.parse(text, file: "f")
          } else {
            _ = try SettingsFile.parse(text, file: "f")
          }
        }
        outcomes.insert(error == "no error" ? error : String(error.prefix(2)))
      }
    }
    #expect(outcomes == ["no error", "f:"])
  }
}
