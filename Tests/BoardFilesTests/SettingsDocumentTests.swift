import Files
import TestSupport
import Testing

@testable import BoardFiles

/// `deploy/jackdaw.toml` as what documents the settings.
@Suite struct SettingsDocumentTests {
  @Test("the shipped settings file has all settings in the order of the table, each below the values that it takes")
  func documented() {
    let text = String(decoding: shippedBytes("deploy/jackdaw.toml"), as: UTF8.self)
    var documented: [String] = []
    var words: Set<String> = []
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      let setting = line.hasPrefix("# ") ? line.dropFirst(2) : line
      if let key = SettingsFile.keys.first(where: { setting.hasPrefix("\($0.name) = ") }) {
        documented.append(key.name)
        #expect(values(of: key.name).filter { !words.contains($0) } == [], "\(key.name)")
      } else if line.isEmpty {
        words = []
      } else {
        words.formUnion(line.split { !($0.isLetter || $0.isNumber || $0 == "-") }.map(String.init))
      }
      // The rest is about tables.
      if documented.count == SettingsFile.keys.count { break }
    }
    #expect(documented == SettingsFile.keyNames)
    for table in SettingsFile.tables {
      let headers = ["[\(table).", "[\(table)]", "[[\(table)]]"]
      #expect(headers.contains { text.contains("\n# \($0)") }, "\(table)")
    }
  }

  /// The bounds of the numbers or durations that a setting takes, or its words; none where it takes any text. An error says
  /// them where it is something else.
  private func values(of key: String) -> [String] {
    let error = errorText { () throws(FileError) in try SettingsFile.parse(Array("\(key) = {}".utf8), file: "s") }
    var expected = error.drop { $0 != "," }.dropFirst(", expected ".count)
    #expect(!expected.isEmpty, "\(error)")
    if expected.contains("in quotes") || expected.hasPrefix("an array") || expected == "true or false" { return [] }
    for type in ["a whole number ", "a number ", "a duration "] where expected.hasPrefix(type) {
      expected = expected.dropFirst(type.count)
    }
    let words = expected.split { " ,".contains($0) }.flatMap { $0.split(separator: "...") }
    return words.map(String.init).filter { $0 != "or" }
  }
}
