import BoardFiles
import Files
import TestSupport
import Testing

@Suite struct AllFaultsTests {
  @Test("all errors of a settings file are thrown at once, in the order of their lines")
  func settings() {
    let text = """
      shuffle = 1
      volum = 3
      start_volume = 101
      sessions = 7
      [cues.a]
      at = "25:00"
      of = 1
      [cues.b]
      client = "nobody"
      """
    let found = errorTexts { () throws(FileError) in try SettingsFile.parse(Array(text.utf8), file: "s.toml") }
    let places = found.map { $0.split(separator: ":").prefix(3).joined(separator: ":") }
    #expect(
      places == [
        "s.toml:1: shuffle", "s.toml:2: volum", "s.toml:3: start_volume", "s.toml:4: sessions", "s.toml:6: cues.a.at",
        "s.toml:7: cues.a.of", "s.toml:9: cues.b.client",
      ])
  }

  @Test("all errors of a board file are thrown at once, each of them once, and no follow-ups")
  func board() {
    let text = """
      rate = 7
      buffer = "1h"
      [lines.A]
      role = "plya"
      offset = 4
      bias = "sideways"
      [lines.B]
      role = "lamp"
      bias = "pull-up"
      offset = 600
      [ports.headphones]
      sense = "gpio"
      line = "A"
      priority = 900
      [ports.speaker]
      sense = "never"
      pcm = 1
      """
    let found = errorTexts { () throws(FileError) in try BoardFile.parse(Array(text.utf8), file: "b.toml") }
    let places = found.map { $0.split(separator: ":").prefix(3).joined(separator: ":") }
    #expect(
      places == [
        "b.toml:1: name", "b.toml:1: rate", "b.toml:2: buffer", "b.toml:4: lines.A.role", "b.toml:5: lines.A.offset",
        "b.toml:6: lines.A.bias", "b.toml:9: lines.B.bias", "b.toml:10: lines.B.offset",
        "b.toml:11: ports.headphones.pcm", "b.toml:14: ports.headphones.priority", "b.toml:15: ports.speaker.priority",
        "b.toml:16: ports.speaker.sense", "b.toml:17: ports.speaker.pcm",
      ])
  }

  @Test("a key that is written wrongly is not called missing as well")
  func misspelt() {
    let text = "name = 'x'\nRate = 44100\n[ports.speaker]\nsense = 'always'\npriority = 1\npmc = 'default'"
    let found = errorTexts { () throws(FileError) in try BoardFile.parse(Array(text.utf8), file: "b.toml") }
    #expect(
      found == [
        "b.toml:2: Rate: unknown key, did you mean rate?",
        "b.toml:6: ports.speaker.pmc: unknown key, did you mean pcm?",
      ])
  }

  @Test("the errors of a file are bounded")
  func bounded() {
    let text = (0..<1000).map { "key-\($0) = 1\n" }.joined()
    let found = errorTexts { () throws(FileError) in try SettingsFile.parse(Array(text.utf8), file: "s.toml") }
    #expect(found.count == 50)
  }
}
