import Testing

@Suite struct SettingsFaultTests {
  @Test("every fault of a settings file is named with its line", arguments: faults)
  func fault(_ fault: Fault) { fault.check() }

  private static let faults = plain + choices + sessions + cues + tokens + misplaced

  /// A setting below a table.
  private static let misplaced = [
    Fault(
      "s.toml:3: cues.ask.start_volume: stands in [cues.ask], expected above the first [table] of the file",
      text: "[cues.ask]\non = 'prompt.shown'\nstart_volume = 3"),
    Fault("cues.repeat", "'queue'", "stands in [cues], expected above the first [table] of the file"),
    Fault(
      "s.toml:3: sessions.page.idle_reset: stands in [sessions.page], expected above the first [table] of the file",
      text: "[sessions.page]\npriority = 50\nidle_reset = '5min'"),
    Fault(
      "s.toml:3: tokens.shuffle: stands in [tokens], expected above the first [table] of the file",
      text: "[tokens]\nA7 = { track = 1 }\nshuffle = true"),
    Fault(
      "s.toml:3: fleet.music: stands in [fleet], expected above the first [table] of the file",
      text: "[fleet]\nid = 'b7'\nmusic = ['/srv/music']"),
  ]

  private static let inQuotes = "in quotes, from / on or from the folder of this file"

  private static let typed = "cannot be typed, expected 1...64 letters, digits and  -=[];'`\\,./*+#"

  private static let tokens = [
    Fault(
      "s.toml:2: tokens.A7: names nothing, expected one of track, playlist, popular, cue and hours",
      text: "[tokens]\nA7 = {}"),
    Fault(
      "s.toml:2: tokens.A7: names several things, expected one of track, playlist, popular, cue and hours",
      text: "[tokens]\nA7 = { track = 1, cue = 'a' }"),
    Fault(
      "s.toml:2: tokens.A7.popular: 0 is out of range, expected 1...1000",
      text: "[tokens]\nA7 = { popular = 0 }"),
    Fault("s.toml:2: tokens.A7: found 7, expected a table", text: "[tokens]\nA7 = 7"),
    Fault(
      "s.toml:2: tokens.A7.track: 0 is out of range, expected a whole number 1...1000000 or a file's name in quotes",
      text: "[tokens]\nA7 = { track = 0 }"),
    Fault(
      "s.toml:2: tokens.A7.tracks: unknown key, did you mean track?", text: "[tokens]\nA7 = { tracks = 1, cue = 'a' }"),
    Fault("s.toml:2: tokens.\"ä\": \(typed)", text: "[tokens]\n\"ä\" = { track = 1 }"),
    Fault("s.toml:2: tokens.\"\": \(typed)", text: "[tokens]\n\"\" = { track = 1 }"),
    Fault(
      "s.toml:3: tokens.a7: is on line 2 already, expected each token once",
      text: "[tokens]\nA7 = { track = 1 }\na7 = { track = 2 }"),
    Fault("typing_timeout", "'61s'", "\"61s\" is out of range, expected 1s...1min"),
  ]

  private static let plain = [
    Fault("state", "'~/x'", "found \"~/x\", expected a path \(inQuotes)"),
    Fault("s.toml:2: recordings: found \"~\", expected a path \(inQuotes)", text: "\nrecordings = '~'"),
    Fault("cue_folder", "'~/c'", "found \"~/c\", expected a path \(inQuotes)"),
    Fault(
      "s.toml:2: music: found \"~/m\" in it, expected an array of paths \(inQuotes)", text: "music = ['a',\n'~/m']"),
    Fault("volume", "3", "unknown key, expected \(allKeys)"),
    Fault("s.toml:2: start_volum: unknown key, did you mean start_volume?", text: "\nstart_volum = 3"),
    Fault("start_volume", "101", "101 is out of range, expected 0...100"),
    Fault("volume_step", "0", "0 is out of range, expected 1...100"),
    Fault("resume_window", "0.5", "0.5 is out of range, expected 0 or 1s...24h"),
    Fault("bluetooth_stall", "'99ms'", "\"99ms\" is out of range, expected 100ms...10s"),
    Fault(
      "s.toml:3: bluetooth_allowed: \"00:1A\" is no address in it, "
        + "expected an array of Bluetooth addresses such as \"00:1A:7D:DA:71:13\"",
      text: "bluetooth_allowed = [\n  '00:1A:7D:DA:71:13',\n  '00:1A',\n]"),
    Fault(
      "s.toml:1: bluetooth_allowed: found 7 in it, "
        + "expected an array of Bluetooth addresses such as \"00:1A:7D:DA:71:13\"",
      text: "bluetooth_allowed = [7]"),
    Fault("resume_window", "-1", "-1 is out of range, expected 0 or 1s...24h"),
    Fault("prompt_timeout", "'25h'", "\"25h\" is out of range, expected 0 or 1s...24h"),
    Fault("prompt_timeout", "[]", "found an array, expected a duration 0 or 1s...24h"),
    Fault("idle_reset", "'never'", "\"never\" is no number with ms, s, min, h or d, expected 0 or 1s...24h"),
    Fault("stuck_after", "0", "0 is out of range, expected 1s...10min"),
    Fault("stuck_after", "'11min'", "\"11min\" is out of range, expected 1s...10min"),
    Fault("on_connect", "'stop'", "\"stop\" is unknown, expected resume, play or nothing"),
    Fault("route", "'dock'", "\"dock\" is unknown, expected auto, headphones, line-out, speaker, bluetooth or usb"),
    Fault("play_on_boot", "'yes'", "found \"yes\", expected true or false"),
    Fault("repeat", "false", "found false, expected off, queue or track"),
    Fault("repeat", "'all'", "\"all\" is unknown, expected off, queue or track"),
    Fault("replay_gain", "'on'", "\"on\" is unknown, expected off, track or album"),
    Fault("save_interval", "0", "0 is out of range, expected 1s...1h"),
    Fault("save_interval", "\"2h\"", "\"2h\" is out of range, expected 1s...1h"),
    Fault("shuffle", "1", "found 1, expected true or false"),
    Fault("play_held", "'stop'", "\"stop\" is unknown, expected next, previous or nothing"),
    Fault("play_twice", "{}", "found a table, expected next, previous or nothing"),
    Fault("music", "'m'", "found \"m\", expected an array of paths \(inQuotes)"),
    Fault("s.toml:2: music: found a table in it, expected an array of paths \(inQuotes)", text: "music = [\n{}]"),
    Fault("state", "''", "found an empty text, expected a path \(inQuotes)"),
    Fault("state", "1979", "found 1979, expected a path \(inQuotes)"),
    Fault("content", "'words'", "\"words\" is unknown, expected music or speech"),
    Fault("interruption_policy", "'keep'", "\"keep\" is unknown, expected hold or recreate"),
    Fault("interruption_limit", "'999ms'", "\"999ms\" is out of range, expected 0 or 1s...24h"),
    Fault("duck_level", "-60.5", "-60.5 is out of range, expected -60...0"),
    Fault("duck_level", "1", "1 is out of range, expected -60...0"),
    Fault("duck_level", "nan", "nan is out of range, expected -60...0"),
    Fault("duck_level", "'-12dB'", "found \"-12dB\", expected a number -60...0"),
    Fault("duck_fade_down", "'10.001s'", "\"10.001s\" is out of range, expected 0...10s"),
    Fault("duck_fade_up", "-1", "-1 is out of range, expected 0...10s"),
    Fault("duck_fade_up", "false", "found false, expected a duration 0...10s"),
    Fault("cue_folder", "3", "found 3, expected a path \(inQuotes)"),
    Fault("cue_button", "''", "found an empty text, expected a text in quotes"),
    Fault("recordings", "[]", "found an array, expected a path \(inQuotes)"),
    Fault("recording_limit", "'2d'", "\"2d\" is out of range, expected 0 or 1s...24h"),
    Fault("recording_size", "0", "0 is out of range, expected 1...4000"),
    Fault("recording_size", "4001", "4001 is out of range, expected 1...4000"),
    Fault("recording_size", "1.5", "found 1.5, expected a whole number 1...4000"),
    Fault("retention", "\"12h\"", "\"12h\" is out of range, expected 0 or 24h...3650d"),
    Fault("free_space", "-1", "-1 is out of range, expected 0...1000000"),
    Fault("free_space", "1000001", "1000001 is out of range, expected 0...1000000"),
  ]

  private static let choices = [
    Fault("again", "'stop'", "\"stop\" is unknown, expected restart, pause or ignore"),
    Fault("after_track", "'end'", "\"end\" is unknown, expected next, stop or repeat"),
  ]

  private static let sessions = [
    Fault("sessions", "'music'", "found \"music\", expected a table"),
    Fault("s.toml:1: sessions.music: found 1, expected a table", text: "sessions.music = 1"),
    Fault(
      "s.toml:1: sessions.Fire: not a client's name, expected 1...31 lower-case letters, digits and hyphens",
      text: "[sessions.Fire]"),
    Fault(
      "s.toml:1: sessions.\"\": not a client's name, expected 1...31 lower-case letters, digits and hyphens",
      text: "[sessions.\"\"]"),
    Fault("sessions.page.prioritty", "3", "unknown key, did you mean priority?"),
    Fault("sessions.page.level", "3", "unknown key, expected category, options or priority"),
    Fault("sessions.page.priority", "101", "101 is out of range, expected 0...100"),
    Fault(
      "s.toml:2: sessions.page.category: \"loud\" is unknown, expected ambient, solo-ambient, playback, record, "
        + "play-and-record or multi-route", text: "[sessions.page]\ncategory = 'loud'"),
    Fault("sessions.page.options", "'duck-others'", "found \"duck-others\", expected an array of \(options)"),
    Fault(
      "s.toml:3: sessions.page.options: \"duck\" is unknown in it, expected \(options)",
      text: "[sessions.page]\noptions = ['mix-with-others',\n'duck']"),
    Fault("sessions.page.options", "[1]", "found 1 in it, expected \(options)"),
    unsuitable("music", "record", sounding),
    unsuitable("cue", "record", sounding),
    unsuitable("page", "record", sounding),
    unsuitable("fire-alarm", "record", sounding),
    unsuitable("recorder", "playback", "record or play-and-record"),
    unsuitable("recorder", "multi-route", "record or play-and-record"),
  ]

  private static let options = "mix-with-others, duck-others or notify-others"
  private static let sounding = "ambient, solo-ambient, playback, play-and-record or multi-route"

  private static func unsuitable(_ client: String, _ category: String, _ expected: String) -> Fault {
    Fault(
      "s.toml:2: sessions.\(client).category: \"\(category)\" does not suit \(client), expected \(expected)",
      text: "[sessions.\(client)]\ncategory = '\(category)'")
  }

  private static let cues = [
    Fault("cues", "1", "found 1, expected a table"),
    Fault("cues.a.file", "'a.mp3'", "unknown key, expected on, at, days, dates or client"),
    Fault(
      "s.toml:2: cues.a.on: \"cue.ended\" is unknown, expected boot, port.connected, port.disconnected, "
        + "playback.started, playback.paused, playback.resumed, playback.stopped, track.failed, choice.failed, "
        + "token.unknown, queue.ended, library.empty, library.missing, library.found, storage.lost, "
        + "storage.restored, prompt.shown, prompt.answered, prompt.expired, visit.began, visit.ended, "
        + "interruption.ended, session.refused, recording.started, "
        + "recording.stopped, output.restored, line.stuck, content.reading, content.installed, content.refused, "
        + "hours.opened, hours.closed, hours.unknown, request.queued, request.started, request.refused, credit.returned, coin.taken, "
        + "coin.refused, pairing.opened, pairing.paired, pairing.failed or pairing.closed",
      text: "[cues.a]\non = 'cue.ended'"),
    clock("'24:00'", "\"24:00\" is out of range"),
    clock("'12:60'", "\"12:60\" is out of range"),
    clock("'9:00'", "\"9:00\" is no time of day"),
    clock("'09.00'", "\"09.00\" is no time of day"),
    clock("'0a:00'", "\"0a:00\" is no time of day"),
    clock("'09:00:00'", "\"09:00:00\" is no time of day"),
    Fault(
      "cues.a.at", "17:45:00", "found a date or time, expected a time such as \"17:45\", or [\"12:00\", \"15:00\"]"),
    Fault("cues.a.client", "'music'", "\"music\" is unknown, expected cue or page"),
    Fault(
      "s.toml:3: cues.a.client: \"fire\" is unknown, expected cue, page or fire-alarm",
      text: "[sessions.fire-alarm]\n[cues.a]\nclient = 'fire'"),
  ]

  private static func clock(_ value: String, _ error: String) -> Fault {
    Fault("cues.a.at", value, "\(error), expected a time such as \"17:45\", or [\"12:00\", \"15:00\"]")
  }

  private static let allKeys =
    "music, state, save_interval, content, replay_gain, repeat, shuffle, again, after_track, playlist_start, "
    + "play_on_boot, unwired, route, resume_window, prompt_timeout, visit_gap, on_connect, bluetooth_stall, "
    + "bluetooth_allowed, start_volume, volume_step, play_held, play_twice, sleep_step, stuck_after, typing_timeout, "
    + "reader_repeat, without_card, idle_reset, choice, after_requests, requests_limit, request_twice, background, "
    + "attract, attract_playlist, attract_volume, interruption_policy, interruption_limit, duck_level, duck_fade_down, "
    + "duck_fade_up, cue_folder, cue_button, recordings, recording_limit, recording_size, free_space, retention, clock, "
    + "sessions, cues, tokens, hours, timetable, quiet, credits or fleet"
}
