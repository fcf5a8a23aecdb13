import Files
import Testing

@testable import BoardFiles

/// Values without quotes, as people write them who do not know TOML.
@Suite struct BareValueTests {
  private static let words = [
    "yes", "No", "on", "OFF", "True", "speaker", "always", "noon", "12:30", "9:30", "24:30", "050", "50%", "-6dB",
    "12.5%", "10min", "10 min", "5m", "1h30", "500MB", "44.1kHz", "1.2.3", "1e", "0x", "0b2", "1__0", "+", "-", "--1",
    "2024-13-40", "2024-1-1", "12:30:61", "infinite", "nano", "inf5", "/srv/music", "~/music", "../a b", "$HOME",
    "C:\\x", "00:1A:7D:DA:71:13", "plughw:CARD=Dock", "é", "“x”", "@", "", "\u{1}",
  ]

  /// A file in which `%` stands for one value after the other, and an error that comes after them.
  private struct Fields: Sendable {
    var text: String
    var parse: @Sendable ([UInt8]) throws(FileError) -> Void

    /// The errors with these values in the file, each as its line, its field and what was expected there.
    func errors(_ value: (Int) -> String) -> [(line: Int, field: String, message: String, expected: String)] {
      var count = -1
      let filled = text.map { character in
        guard character == "%" else { return String(character) }
        count += 1
        return value(count)
      }
      do throws(FileError) {
        try parse(Array(filled.joined().utf8))
        return []
      } catch {
        return ([error] + error.further).map { error in
          let parts = error.message.split(separator: ", expected ", maxSplits: 1)
          return (error.line, error.field, error.message, parts.count == 2 ? String(parts[1]) : "")
        }
      }
    }
  }

  private static let settings = Fields(
    text: SettingsFile.keyNames.filter { $0 != "unwired" && !requestKeys.contains($0) }.map { "\($0) = %\n" }.joined()
      + """
      [sessions.page]
      category = %
      options = %
      priority = %
      [cues.a]
      on = %
      at = %
      client = %
      [tokens]
      A.track = %
      B.playlist = %
      C.cue = %
      D = 1
      """
  ) { (text) throws(FileError) in _ = try SettingsFile.parse(text, file: "s.toml") }

  private static let requestKeys = ["without_card"] + SettingsFile.requests.map(\.name)

  /// By themselves, because no more than fifty errors are told at once.
  private static let requests = Fields(
    text: requestKeys.map { "\($0) = %\n" }.joined() + "[credits]\nfree_play = %\n[tokens]\nD = 1\n"
  ) { (text) throws(FileError) in _ = try SettingsFile.parse(text, file: "s.toml") }

  /// By itself, because a port that is not wired cannot be the `route`.
  private static let unwired = Fields(text: "unwired = %\n[tokens]\nD = 1\n") { (text) throws(FileError) in
    _ = try SettingsFile.parse(text, file: "s.toml")
  }

  private static let board = Fields(
    text: """
      name = %
      models = %
      simulated = %
      rate = %
      buffer = %
      chip = %
      [console]
      device = %
      speed = %
      [lines.A]
      role = "sense"
      chip = %
      offset = %
      active = %
      bias = %
      debounce = %
      [lines.B]
      role = %
      [lines.C]
      role = "track"
      track = %
      [lines.D]
      role = "selector"
      playlist = %
      released = %
      [lines.E]
      role = "interrupter"
      client = %
      [lines.F]
      role = "amp-mute"
      settle = %
      port = %
      [lines.G]
      role = "play"
      device = %
      code = %
      debounce = %
      [readers.pad]
      device = %
      [ports.headphones]
      sense = "gpio"
      line = %
      priority = %
      private = %
      pcm = %
      ceiling = %
      take_back = %
      position_step = %
      mixer = %
      card = %
      [ports.line-out]
      priority = 1
      pcm = "a"
      sense = "jack"
      card = %
      control = %
      line = %
      debounce = %
      [ports.usb]
      priority = 1
      pcm = "a"
      sense = "switch"
      device = %
      code = %
      [ports.bluetooth]
      priority = 1
      pcm = "a"
      sense = "bluetooth"
      address = %
      keys = %
      [ports.speaker]
      priority = 1
      pcm = "a"
      sense = %
      [inputs.microphone]
      pcm = %
      volume = 1
      """
  ) { (text) throws(FileError) in _ = try BoardFile.parse(text, file: "b.toml") }

  /// No more than 50 errors of a file are named.
  private static let knobs = Fields(
    text: """
      name = "b"
      rate = 44100
      chip = "c"
      [knobs.A]
      a = %
      b = 6
      chip = %
      active = %
      bias = %
      turns = %
      steps = %
      reversed = %
      faster = %
      [knobs.B]
      turns = "seek"
      by = %
      device = %
      axis = %
      steps = %
      [knobs.C]
      a = 7
      b = %
      by = %
      [ports.speaker]
      priority = 1
      pcm = "a"
      sense = "always"
      [inputs.microphone]
      pcm = "a"
      volume = 1
      """
  ) { (text) throws(FileError) in _ = try BoardFile.parse(text, file: "b.toml") }

  @Test(
    "a value without quotes names its line, its field and what to write there, in every field, and hides no other error",
    arguments: words)
  func everyField(word: String) {
    for fields in [Self.settings, Self.requests, Self.unwired, Self.board, Self.knobs] {
      // A table is allowed nowhere, so that all fields are named, each with what it takes.
      let wrong = fields.errors { _ in "{}" }
      #expect(wrong.count == fields.text.count { $0 == "%" } + 1)
      let found = fields.errors { _ in word }
      guard found.map({ "\($0.line) \($0.field)" }) == wrong.map({ "\($0.line) \($0.field)" }) else {
        Issue.record("found \(found)")
        continue
      }
      let shown = word.isEmpty ? "no value" : Wording.truncated(word)
      #expect(found.dropLast().allSatisfy { $0.message.hasPrefix("found \(shown)") }, "\(found)")
      let advised = found.indices.filter { found[$0].expected != wrong[$0].expected }
      let mended = fields.errors { advised.contains($0) ? found[$0].expected : "{}" }
      for index in advised {
        #expect(!mended.contains { $0.line == found[index].line }, "\(found[index].message) leads to \(mended)")
      }
    }
  }

  @Test(
    "what to write is what was probably meant, of the type of the field",
    arguments: [
      ("shuffle = yes", "shuffle: found yes, expected true"),
      ("shuffle = Off # at night", "shuffle: found Off, expected false"),
      ("shuffle = 2x", "shuffle: found 2x, expected true or false"),
      ("shuffle =", "shuffle: found no value, expected true or false"),
      ("shuffle =\r\n", "shuffle: found no value, expected true or false"),
      ("repeat = Off", "repeat: found Off without quotes, expected \"off\""),
      ("content = talk", "content: found talk without quotes, expected music or speech"),
      ("start_volume = yes", "start_volume: found yes, expected a whole number 0...100"),
      ("start_volume = 50%", "start_volume: found 50%, expected 50"),
      ("start_volume = 500%", "start_volume: found 500%, expected a whole number 0...100"),
      ("free_space = 1,000", "free_space: found 1,000, expected a whole number 0...1000000"),
      ("recording_size = 1GB", "recording_size: found 1GB, expected a whole number 1...4000"),
      ("duck_level = -6.5 dB", "duck_level: found -6.5 dB, expected -6.5"),
      ("idle_reset = 10 min", "idle_reset: found 10 min without quotes, expected \"10min\""),
      ("idle_reset = 5m", "idle_reset: found 5m without quotes, expected a duration 0 or 1s...24h"),
      ("state = “/srv/x”", "state: found “/srv/x” without quotes, expected \"/srv/x\""),
      ("music = /srv/music", "music: found /srv/music, expected [\"/srv/music\"]"),
      ("cues.a.at = 9:30", "cues.a.at: found 9:30 without quotes, expected \"09:30\""),
      ("cues.a.at = 12:30 # noon", "cues.a.at: found 12:30 without quotes, expected \"12:30\""),
      ("[sessions.page]\n\"priority\" = high", "sessions.page.priority: found high, expected a whole number 0...100"),
      ("tokens = { \"é\" = { cue = é } }", "tokens.\"é\": cannot be typed, \(typed)"),
      ("start_volum = 10%", "start_volum: unknown key, did you mean start_volume?"),
    ])
  func advice(text: String, error: String) {
    let found = errorTexts { () throws(FileError) in try SettingsFile.parse(Array(text.utf8), file: "s") }
    let line = text.hasPrefix("[") ? 2 : 1
    #expect(found == ["s:\(line): \(error)"])
  }

  private static let typed = "expected 1...64 letters, digits and  -=[];'`\\,./*+#"

  @Test(
    "a word is found behind whatever stands in texts and comments",
    arguments: [
      ("[tokens]\n\"#1\" = { track = x }", 2, "tokens.\"#1\".track"),
      ("music = [\"/srv/#1\", /srv/2]", 1, "music"), ("music = [\"a=b,c\", /srv/a=b]", 1, "music"),
      ("music = [\n  # first, second\n  /srv/a,\n]", 3, "music"),
      ("music = [\r\n  \"a\", # x = [y\r\n  /srv/b\r\n]", 3, "music"),
    ])
  func behindTexts(text: String, line: Int, field: String) {
    let found = errorTexts { () throws(FileError) in try SettingsFile.parse(Array(text.utf8), file: "s") }
    #expect(found.first?.hasPrefix("s:\(line): \(field): found ") == true, "\(found)")
  }

  @Test("each element of an array that is wrong has its own error, at its line")
  func elements() {
    let text = "music = [\"a\", ~/m, # more\n  /srv/m,\n]\nstart_volum = 1"
    let found = errorTexts { () throws(FileError) in try SettingsFile.parse(Array(text.utf8), file: "s") }
    let expected = "expected an array of paths in quotes, from / on or from the folder of this file"
    #expect(
      found == [
        "s:1: music: found ~/m without quotes in it, \(expected)",
        "s:2: music: found /srv/m without quotes in it, \(expected)",
        "s:4: start_volum: unknown key, did you mean start_volume?",
      ])
  }
}
