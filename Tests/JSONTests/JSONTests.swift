import Testing

@testable import JSON

@Suite struct JSONTests {
  @Test(
    "what is written is read back as it was",
    arguments: [
      "null", "true", "-1.50", "\"\"", "[]", "{}", "[1,[2,\"x\"],{\"a\":null}]", "{\"b\":1,\"a\":{\"c\":[false]}}",
      "\"Grüße \\u0007 \\\" \\\\ \\n 🎵\"", "12.345678", "{\"seq\":1,\"type\":\"state\"}",
    ])
  func back(text: String) throws { #expect(try JSONValue(parsing: text.utf8).text == text) }

  @Test("a value stays on one line, whatever is in it")
  func oneLine() throws {
    let wild = "a\nb\r\u{2028}\u{85}\u{0}\"\\\u{1B}[31m"
    let text = JSONValue.object([JSONValue.Member(wild, .string(wild))]).text
    #expect(text.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x85 && $0.value != 0x2028 })
    #expect(try JSONValue(parsing: text.utf8)[wild]?.string == wild)
  }

  @Test("escapes of other writers are read")
  func escapes() throws {
    let text = #" { "a" : "\u00e9\ud83c\udfb5\/\b\f\r\t" , "b" : [ 1e5 , -0 ] } "#
    let value = try JSONValue(parsing: text.utf8)
    #expect(value["a"]?.string == "é🎵/\u{8}\u{C}\r\t")
    #expect(value["b"]?.elements == [.number("1e5"), .number("-0")])
    #expect(try JSONValue(parsing: #""\ud83cx\udfb5""#.utf8).string == "\u{FFFD}x\u{FFFD}")
  }

  @Test(
    "what is no JSON is refused with the place",
    arguments: [
      ("", 0), ("{", 1), ("[1,]", 3), ("{\"a\"}", 4), ("01", 1), ("1.", 2), ("-", 1), ("nul", 0), ("\"a", 2),
      ("\"\\x\"", 2), ("\"\\u00g0\"", 3), ("[1 2]", 3), ("{a:1}", 1), ("1e", 2), ("\"a\nb\"", 2), ("[]x", 2),
    ])
  func refused(text: String, place: Int) {
    #expect { try JSONValue(parsing: text.utf8) } throws: { ($0 as? JSONError)?.place == place }
  }

  @Test("depth is bounded")
  func depth() {
    let deep = String(repeating: "[", count: 100_000)
    #expect { try JSONValue(parsing: deep.utf8) } throws: { ($0 as? JSONError)?.place == 32 }
  }

  @Test("whole numbers are read exactly, others as text")
  func numbers() throws {
    #expect(try JSONValue(parsing: "9223372036854775807".utf8).integer == .max)
    #expect(try JSONValue(parsing: "1.5".utf8).integer == nil)
    #expect(JSONValue.integer(-3).text == "-3")
  }
}
