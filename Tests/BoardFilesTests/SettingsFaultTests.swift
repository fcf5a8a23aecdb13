import BoardFiles
import Files
import TestSupport
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
    Fault(
      "s.toml:2: cues.repeat: stands in [cues], expected above the first [table] of the file",
      text: "[cues]\nrepeat = 'queue'"),
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
    Fault("s.toml:1: typing_timeout: \"61s\" is out of range, expected 1s...1min", text: "typing_timeout = '61s'"),
  ]

  private static let plain = [
    Fault("s.toml:1: state: found \"~/x\", expected a path \(inQuotes)", text: "state = '~/x'"),
    Fault("s.toml:2: recordings: found \"~\", expected a path \(inQuotes)", text: "\nrecordings = '~'"),
    Fault("s.toml:1: cue_folder: found \"~/c\", expected a path \(inQuotes)", text: "cue_folder = '~/c'"),
    Fault(
      "s.toml:2: music: found \"~/m\" in it, expected an array of paths \(inQuotes)", text: "music = ['a',\n'~/m']"),
    Fault("s.toml:1: volume: unknown key, expected \(allKeys)", text: "volume = 3"),
    Fault("s.toml:2: start_volum: unknown key, did you mean start_volume?", text: "\nstart_volum = 3"),
    Fault("s.toml:1: start_volume: 101 is out of range, expected 0...100", text: "start_volume = 101"),
    Fault("s.toml:1: volume_step: 0 is out of range, expected 1...100", text: "volume_step = 0"),
    Fault("s.toml:1: resume_window: 0.5 is out of range, expected 0 or 1s...24h", text: "resume_window = 0.5"),
    Fault(
      "s.toml:1: bluetooth_stall: \"99ms\" is out of range, expected 100ms...10s", text: "bluetooth_stall = '99ms'"),
    Fault(
      "s.toml:3: bluetooth_allowed: \"00:1A\" is no address in it, "
        + "expected an array of Bluetooth addresses such as \"00:1A:7D:DA:71:13\"",
      text: "bluetooth_allowed = [\n  '00:1A:7D:DA:71:13',\n  '00:1A',\n]"),
    Fault(
      "s.toml:1: bluetooth_allowed: found 7 in it, "
        + "expected an array of Bluetooth addresses such as \"00:1A:7D:DA:71:13\"",
      text: "bluetooth_allowed = [7]"),
    Fault("s.toml:1: resume_window: -1 is out of range, expected 0 or 1s...24h", text: "resume_window = -1"),
    Fault(
      "s.toml:1: prompt_timeout: \"25h\" is out of range, expected 0 or 1s...24h", text: "prompt_timeout = '25h'"),
    Fault(
      "s.toml:1: prompt_timeout: found an array, expected a duration 0 or 1s...24h", text: "prompt_timeout = []"),
    Fault(
      "s.toml:1: idle_reset: \"never\" is no number with ms, s, min, h or d, expected 0 or 1s...24h",
      text: "idle_reset = 'never'"),
    Fault("s.toml:1: stuck_after: 0 is out of range, expected 1s...10min", text: "stuck_after = 0"),
    Fault("s.toml:1: stuck_after: \"11min\" is out of range, expected 1s...10min", text: "stuck_after = '11min'"),
    Fault("s.toml:1: on_connect: \"stop\" is unknown, expected resume, play or nothing", text: "on_connect = 'stop'"),
    Fault(
      "s.toml:1: route: \"dock\" is unknown, expected auto, headphones, line-out, speaker, bluetooth or usb",
      text: "route = 'dock'"),
    Fault("s.toml:1: play_on_boot: found \"yes\", expected true or false", text: "play_on_boot = 'yes'"),
    Fault("s.toml:1: repeat: found false, expected off, queue or track", text: "repeat = false"),
    Fault("s.toml:1: repeat: \"all\" is unknown, expected off, queue or track", text: "repeat = 'all'"),
    Fault("s.toml:1: replay_gain: \"on\" is unknown, expected off, track or album", text: "replay_gain = 'on'"),
    Fault("s.toml:1: save_interval: 0 is out of range, expected 1s...1h", text: "save_interval = 0"),
    Fault("s.toml:1: save_interval: \"2h\" is out of range, expected 1s...1h", text: "save_interval = \"2h\""),
    Fault("s.toml:1: shuffle: found 1, expected true or false", text: "shuffle = 1"),
    Fault("s.toml:1: play_held: \"stop\" is unknown, expected next, previous or nothing", text: "play_held = 'stop'"),
    Fault("s.toml:1: play_twice: found a table, expected next, previous or nothing", text: "play_twice = {}"),
    Fault("s.toml:1: music: found \"m\", expected an array of paths \(inQuotes)", text: "music = 'm'"),
    Fault("s.toml:1: music: names a folder twice, expected each once", text: "music = ['a', 'a']"),
    Fault("s.toml:2: music: found a table in it, expected an array of paths \(inQuotes)", text: "music = [\n{}]"),
    Fault("s.toml:1: state: found an empty text, expected a path \(inQuotes)", text: "state = ''"),
    Fault("s.toml:1: state: found 1979, expected a path \(inQuotes)", text: "state = 1979"),
    Fault("s.toml:1: content: \"words\" is unknown, expected music or speech", text: "content = 'words'"),
    Fault(
      "s.toml:1: interruption_policy: \"keep\" is unknown, expected hold or recreate",
      text: "interruption_policy = 'keep'"),
    Fault(
      "s.toml:1: interruption_limit: \"999ms\" is out of range, expected 0 or 1s...24h",
      text: "interruption_limit = '999ms'"),
    Fault("s.toml:1: duck_level: -60.5 is out of range, expected -60...0", text: "duck_level = -60.5"),
    Fault("s.toml:1: duck_level: 1 is out of range, expected -60...0", text: "duck_level = 1"),
    Fault("s.toml:1: duck_level: nan is out of range, expected -60...0", text: "duck_level = nan"),
    Fault("s.toml:1: duck_level: found \"-12dB\", expected a number -60...0", text: "duck_level = '-12dB'"),
    Fault(
      "s.toml:1: duck_fade_down: \"10.001s\" is out of range, expected 0...10s", text: "duck_fade_down = '10.001s'"),
    Fault("s.toml:1: duck_fade_up: -1 is out of range, expected 0...10s", text: "duck_fade_up = -1"),
    Fault("s.toml:1: duck_fade_up: found false, expected a duration 0...10s", text: "duck_fade_up = false"),
    Fault("s.toml:1: cue_folder: found 3, expected a path \(inQuotes)", text: "cue_folder = 3"),
    Fault("s.toml:1: cue_button: found an empty text, expected a text in quotes", text: "cue_button = ''"),
    Fault("s.toml:1: recordings: found an array, expected a path \(inQuotes)", text: "recordings = []"),
    Fault(
      "s.toml:1: recording_limit: \"2d\" is out of range, expected 0 or 1s...24h",
      text: "recording_limit = '2d'"),
    Fault("s.toml:1: recording_size: 0 is out of range, expected 1...4000", text: "recording_size = 0"),
    Fault("s.toml:1: recording_size: 4001 is out of range, expected 1...4000", text: "recording_size = 4001"),
    Fault("s.toml:1: recording_size: found 1.5, expected a whole number 1...4000", text: "recording_size = 1.5"),
    Fault("s.toml:1: retention: \"12h\" is out of range, expected 0 or 24h...3650d", text: "retention = \"12h\""),
    Fault("s.toml:1: free_space: -1 is out of range, expected 0...1000000", text: "free_space = -1"),
    Fault("s.toml:1: free_space: 1000001 is out of range, expected 0...1000000", text: "free_space = 1000001"),
  ]

  private static let choices = [
    Fault("s.toml:1: again: \"stop\" is unknown, expected restart, pause or ignore", text: "again = 'stop'"),
    Fault("s.toml:1: after_track: \"end\" is unknown, expected next, stop or repeat", text: "after_track = 'end'"),
  ]

  private static let sessions = [
    Fault("s.toml:1: sessions: found \"music\", expected a table", text: "sessions = 'music'"),
    Fault("s.toml:1: sessions.music: found 1, expected a table", text: "sessions.music = 1"),
    Fault(
      "s.toml:1: sessions.Fire: not a client's name, expected 1...31 lower-case letters, digits and hyphens",
      text: "[sessions.Fire]"),
    Fault(
      "s.toml:1: sessions.\"\": not a client's name, expected 1...31 lower-case letters, digits and hyphens",
      text: "[sessions.\"\"]"),
    Fault(
      "s.toml:2: sessions.page.prioritty: unknown key, did you mean priority?", text: "[sessions.page]\nprioritty = 3"),
    Fault(
      "s.toml:2: sessions.page.level: unknown key, expected category, options or priority",
      text: "[sessions.page]\nlevel = 3"),
    Fault(
      "s.toml:2: sessions.page.priority: 101 is out of range, expected 0...100", text: "[sessions.page]\npriority = 101"
    ),
    Fault(
      "s.toml:2: sessions.page.category: \"loud\" is unknown, expected ambient, solo-ambient, playback, record, "
        + "play-and-record or multi-route", text: "[sessions.page]\ncategory = 'loud'"),
    Fault(
      "s.toml:2: sessions.page.options: found \"duck-others\", expected an array of \(options)",
      text: "[sessions.page]\noptions = 'duck-others'"),
    Fault(
      "s.toml:3: sessions.page.options: \"duck\" is unknown in it, expected \(options)",
      text: "[sessions.page]\noptions = ['mix-with-others',\n'duck']"),
    Fault(
      "s.toml:2: sessions.page.options: found 1 in it, expected \(options)", text: "[sessions.page]\noptions = [1]"),
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
    Fault("s.toml:1: cues: found 1, expected a table", text: "cues = 1"),
    Fault(
      "s.toml:2: cues.a.file: unknown key, expected on, at, days, dates or client", text: "[cues.a]\nfile = 'a.mp3'"),
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
      "s.toml:2: cues.a.at: found a date or time, expected a time such as \"17:45\", or [\"12:00\", \"15:00\"]",
      text: "[cues.a]\nat = 17:45:00"),
    Fault("s.toml:2: cues.a.client: \"music\" is unknown, expected cue or page", text: "[cues.a]\nclient = 'music'"),
    Fault(
      "s.toml:3: cues.a.client: \"fire\" is unknown, expected cue, page or fire-alarm",
      text: "[sessions.fire-alarm]\n[cues.a]\nclient = 'fire'"),
  ]

  private static func clock(_ value: String, _ error: String) -> Fault {
    Fault(
      "s.toml:2: cues.a.at: \(error), expected a time such as \"17:45\", or [\"12:00\", \"15:00\"]",
      text: "[cues.a]\nat = \(value)")
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
