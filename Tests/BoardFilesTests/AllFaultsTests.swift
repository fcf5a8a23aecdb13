import BoardFiles
import Files
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
      [fleet]
      user = "x"
      broker = "http://x"
      groups = ["a b"]
      [[timetable]]
      at = "25:00"
      days = "xyz"
      dates = "2026-02-30"
      start = true
      """
    let found = errorTexts { () throws(FileError) in try SettingsFile.parse(Array(text.utf8), file: "s.toml") }
    #expect(
      places(of: found) == [
        "s.toml:1: shuffle", "s.toml:2: volum", "s.toml:3: start_volume", "s.toml:4: sessions", "s.toml:6: cues.a.at",
        "s.toml:7: cues.a.of", "s.toml:9: cues.b.client", "s.toml:15: timetable.at",
        "s.toml:16: timetable.days", "s.toml:17: timetable.dates",
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
      track = 0
      cue = "x"
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
        "b.toml:6: lines.A.bias", "b.toml:9: lines.B.track", "b.toml:10: lines.B.cue", "b.toml:11: lines.B.bias",
        "b.toml:12: lines.B.offset", "b.toml:13: ports.headphones.pcm", "b.toml:16: ports.headphones.priority",
        "b.toml:17: ports.speaker.priority", "b.toml:18: ports.speaker.sense", "b.toml:19: ports.speaker.pcm",
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

  @Test(
    "what is no TOML at all is the one error that is thrown, at its line and with the field that the line is about",
    arguments: [
      ("volum = 3\nshuffle: true", "s.toml:2: shuffle"),
      ("# first, second,\nshuffle: true", "s.toml:2: shuffle"),
      ("state = \"/srv\nvolum = 3", "s.toml:1: state"),
      ("music = [\n  \"a\" # b\n  \"c\"\n]", "s.toml:3: music"),
      ("music = [\"a\",\nvolum = 3", "s.toml:2: volum"),
      ("music = [", "s.toml:1: music"),
      ("music = [\"a\",\n  \"b\"", "s.toml:2: music"),
      ("volum = 3\nstart_volume = 1\nstart_volume = 5", "s.toml:3: start_volume"),
      ("[sessions.page]\n[cues.a\non = \"never\"", "s.toml:2: cues.a"),
      ("[cues.b]\nat = \"25:00\" \"26:00\"", "s.toml:2: cues.b.at"),
      ("[cues.b]\nof = 1\n[ cues.b ] # again", "s.toml:3: cues.b"),
      ("[cues.b]\nof = 1\n\n# at\n= 1", "s.toml:5: cues.b"),
      ("[tokens]\nA = { cue = \"a\" b = 1 }", "s.toml:2: tokens.A"),
      ("shuffle = yes\ncue_folder = \"c\" and", "s.toml:2: cue_folder"),
      ("= 1", "s.toml:1: not valid TOML at column 1"),
      // Text between quotes is not a word.
      ("state = \"a=b\" c", "s.toml:1: state"),
      ("state = \"\"\"a\n= b\"\"\" c\nshuffle = true", "s.toml:2: not valid TOML at column 8"),
      ("music = [\"a, b\" 'c']", "s.toml:1: music"),
      // Behind { and , a table has a key.
      ("[tokens]\nA = { track: 7 }", "s.toml:2: tokens.A"),
      ("[tokens]\nA = { track = 7, hours: closed }", "s.toml:2: tokens.A"),
      ("[tokens]\nabc = { track = 1 }\n\"04 A2\" = { cue = \"a\" b = 2 }", "s.toml:3: tokens.\"04 A2\""),
      ("start_volume = 5\n\"shuffle\" true", "s.toml:2: \"shuffle\""),
      ("state = \"x\"\n\n)", "s.toml:3: not valid TOML at column 1"),
      ("music = [\n [1],\n \"q\" \"z\"\n]", "s.toml:3: music"),
      ("\u{FEFF}[tokens]\nA = { cue = \"a\" x = 2 }", "s.toml:2: tokens.A"),
      ("\u{FEFF}shuffle: true", "s.toml:1: shuffle"),
    ])
  func nonsense(text: String, place: String) {
    let found = errorTexts { () throws(FileError) in try SettingsFile.parse(Array(text.utf8), file: "s.toml") }
    #expect(places(of: found) == [place])
    #expect(found.first?.contains(": not valid TOML at column ") == true, "\(found)")
  }

  @Test("the errors of a file are bounded")
  func bounded() {
    let text = (0..<1000).map { "key-\($0) = 1\n" }.joined()
    let found = errorTexts { () throws(FileError) in try SettingsFile.parse(Array(text.utf8), file: "s.toml") }
    #expect(found.count == 50)
    // Each word without quotes has the text parsed once more.
    let unquoted = (0..<1000).map { "key-\($0) = yes\n" }.joined()
    let words = errorTexts { () throws(FileError) in try SettingsFile.parse(Array(unquoted.utf8), file: "s.toml") }
    #expect(places(of: words) == ["s.toml:51: key-50"])
  }
}
