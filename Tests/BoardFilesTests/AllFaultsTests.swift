import BoardFiles
import Files
import TestSupport
import Testing

@Suite struct AllFaultsTests {
  /// File, line and field of each.
  private func places(of errors: [String]) -> [String] {
    errors.map { $0.split(separator: ":").prefix(3).joined(separator: ":") }
  }

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
    #expect(
      places(of: found) == [
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
    #expect(
      places(of: found) == [
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

  @Test("what is no TOML at all is one error for each statement, in its place among the others, and without follow-ups")
  func nonsense() {
    let text = """
      volum = 3
      shuffle: true
      state = "/srv
      music = [
        "a"
        "b"
      ]
      start_volume = 101
      start_volume = 5
      cue_folder = "c" # and
      [cues.a
      on = "never"
      [cues.b]
      at = "25:00" "26:00"
      of = 1
      [cues.b]
      of = 2
      [cues.c]
      of = 3
      """
    let found = errorTexts { () throws(FileError) in try SettingsFile.parse(Array(text.utf8), file: "s.toml") }
    #expect(
      places(of: found) == [
        "s.toml:1: volum", "s.toml:2: shuffle", "s.toml:3: state", "s.toml:6: music", "s.toml:8: start_volume",
        "s.toml:9: start_volume", "s.toml:11: cues.a", "s.toml:14: cues.b.at", "s.toml:15: cues.b.of",
        "s.toml:16: cues.b", "s.toml:19: cues.c.of",
      ])
  }

  @Test("a bracket or a quote that is not closed is an error where it was opened, and hides nothing of what follows it")
  func unclosed() {
    let text = "music = [\"a\",\nstate = \"/srv\nvolum = 3\nbluetooth_allowed = [\n\n[cues.a]\non = {\nof = 1"
    let found = errorTexts { () throws(FileError) in try SettingsFile.parse(Array(text.utf8), file: "s.toml") }
    #expect(
      places(of: found) == [
        "s.toml:1: music", "s.toml:2: state", "s.toml:3: volum", "s.toml:4: bluetooth_allowed", "s.toml:7: cues.a.on",
        "s.toml:8: cues.a.of",
      ])
    #expect(found.first == "s.toml:1: music: not valid TOML: a bracket is not closed")
    #expect(found.dropFirst().first == "s.toml:2: state: not valid TOML: a quote is not closed")
  }

  @Test("what may have been in a part that cannot be read is not called missing")
  func gaps() {
    let text = "name = 'x'\nrate 44100\n[ports.speaker]\nsense = 'always'\npriority: 1\npmc = 'default'"
    let found = errorTexts { () throws(FileError) in try BoardFile.parse(Array(text.utf8), file: "b.toml") }
    #expect(
      places(of: found) == ["b.toml:2: rate", "b.toml:5: ports.speaker.priority", "b.toml:6: ports.speaker.pmc"])
  }

  @Test("the errors of a file are bounded")
  func bounded() {
    let text = (0..<1000).map { "key-\($0) = 1\n" }.joined()
    let found = errorTexts { () throws(FileError) in try SettingsFile.parse(Array(text.utf8), file: "s.toml") }
    #expect(found.count == 50)
    let unquoted = (0..<1000).map { "key-\($0) = yes\n" }.joined()
    let words = errorTexts { () throws(FileError) in try SettingsFile.parse(Array(unquoted.utf8), file: "s.toml") }
    #expect(words.count == 50)
  }

  @Test("a word without quotes on the first line is named first, whatever and however much is wrong below it")
  func wordAboveMany() {
    let text = "simulated = yes\n" + String(repeating: "= 1\n", count: 60)
    let found = errorTexts { () throws(FileError) in try BoardFile.parse(Array(text.utf8), file: "b.toml") }
    #expect(found.count == 50)
    #expect(places(of: found).first == "b.toml:1: simulated")
  }
}
