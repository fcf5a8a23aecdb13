import AudioSession
import Board
import Files
import Jukebox
import TestSupport
import Testing

@testable import BoardFiles

@Suite struct SettingsFileTests {
  private func parse(_ text: String, file: String = "s.toml") throws(FileError) -> KioskSettings {
    try SettingsFile.parse(Array(text.utf8), file: file)
  }

  @Test("the shipped settings file is the defaults")
  func shippedFile() throws {
    #expect(try SettingsFile.read(repositoryPath("deploy/jackdaw.toml")) == KioskSettings())
    #expect(try parse("") == KioskSettings())
  }

  @Test("the settings that stand as comments are legal and defaults where they can be")
  func commentedSettings() throws {
    let text = String(decoding: shippedBytes("deploy/jackdaw.toml"), as: UTF8.self)
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    var button: Int?
    for (index, line) in lines.enumerated() where line.hasPrefix("# ") {
      let isSetting = line.hasPrefix("# [") || line.dropFirst(2).prefix { $0 != " " } != "" && line.contains(" = ")
      guard isSetting, !line.contains("]: "), !line.hasPrefix("#  ") else { continue }
      lines[index] = String(line.dropFirst(2))
      if line.hasPrefix("# cue_button") { button = index + 1 }
    }
    let read = try parse(lines.joined(separator: "\n"))
    let cues = [
      CueSettings(name: "press-play", event: .promptShown, line: read.cues.first?.line ?? 0),
      CueSettings(name: "closing", client: "page", line: read.cues.last?.line ?? 0),
    ]
    var settings = Settings()
    settings.tokens = [
      "A7": .track(.number(7)), "0004512345": .track(.file("03 Bells.mp3")), "INFO": .cue("press-play"),
      "D": .playlist("deutsch"), "TOP": .popular(1), "NIGHT": .hours(.closed),
    ]
    let day = WeekCalendar.Range(from: TimeOfDay(hour: 9, minute: 0), to: TimeOfDay(hour: 18, minute: 0))
    let saturday = WeekCalendar.Range(from: TimeOfDay(hour: 10, minute: 0), to: TimeOfDay(hour: 16, minute: 0))
    let eve = CalendarDay(year: 2026, month: 12, day: 24)
    var calendar = WeekCalendar(
      days: [.saturday: [saturday]], exceptions: [WeekCalendar.Exception(from: eve, to: eve, [])])
    for weekday in [Weekday.monday, .tuesday, .wednesday, .thursday, .friday] { calendar.days[weekday] = [day] }
    settings.hours = HoursSettings(calendar)
    let (noon, three) = (TimeOfDay(hour: 12, minute: 0), TimeOfDay(hour: 15, minute: 0))
    let night = WeekCalendar.Range(from: TimeOfDay(hour: 20, minute: 0), to: TimeOfDay(hour: 22, minute: 0))
    settings.timetable = [
      TimetableEntry(
        .cue("closing"), .at([TimeOfDay(hour: 17, minute: 45)]),
        days: [.monday, .tuesday, .wednesday, .thursday, .friday]),
      TimetableEntry(.playlist("weekend"), .at([.midnight]), days: [.saturday, .sunday]),
      TimetableEntry(.cue("closing"), .at([noon, three])),
      TimetableEntry(.volume(40), .every(minutes: 30, within: [night])),
    ]
    let dark = WeekCalendar.Range(from: TimeOfDay(hour: 20, minute: 0), to: TimeOfDay(hour: 8, minute: 0))
    let late = WeekCalendar.Range(from: TimeOfDay(hour: 22, minute: 0), to: TimeOfDay(hour: 9, minute: 0))
    var quiet = WeekCalendar()
    for weekday in Weekday.allCases { quiet.days[weekday] = [[.friday, .saturday].contains(weekday) ? late : dark] }
    settings.quiet = QuietSettings(quiet, ceiling: 40)
    settings.requests = RequestSettings()
    settings.requests?.background = "lounge"
    settings.requests?.attract = AttractSettings(after: .seconds(1_200), playlist: "hits", volume: 30)
    settings.requests?.credits = CreditSettings()
    settings.requests?.credits?.coins = [1: 1, 2: 2, 5: 6]
    #expect(read.tokenLines.count == 6)
    var expected = KioskSettings()
    expected.settings = settings
    (expected.state, expected.cueFolder) = ("/var/lib/jackdaw", "cues")
    expected.clients = [.music, .cue, .recorder, .page]
    (expected.cues, expected.cueButtonLine, expected.tokenLines) = (cues, button, read.tokenLines)
    expected.recording.folder = "/srv/recordings"
    expected.fleet = FleetSettings(
      broker: BrokerAddress("mqtts://centre.example"), id: "lobby-3", name: "Lobby, third post", groups: ["hall"])
    var found = read
    #expect(found.timetableLines.count == 4)
    found.timetableLines = []
    expected.creditsLine = read.creditsLine
    #expect(found == expected)
  }

  @Test("every setting reaches its field")
  func everySetting() throws {
    var expected = Settings()
    expected.resumeWindow = .zero
    expected.promptTimeout = .seconds(90)
    expected.onConnect = .play
    expected.bluetoothStall = .milliseconds(400)
    expected.bluetoothAllowed = ["00:1A:7D:DA:71:13"].compactMap { BluetoothAddress($0) }
    expected.route = .lineOut
    expected.playOnBoot = true
    expected.repeats = .track
    expected.shuffle = true
    expected.again = .ignore
    expected.afterTrack = .repeat
    expected.playlistStart = .resume
    expected.startVolume = 1
    expected.volumeStep = 10
    expected.playHeld = .nothing
    expected.playTwice = .next
    expected.stuckAfter = .milliseconds(2_500)
    expected.visitGap = .seconds(20)
    expected.idleReset = .seconds(3_600)
    expected.content = .speech
    expected.interruptionPolicy = .recreate
    expected.interruptionLimit = .zero
    expected.duckLevel = -7.5
    expected.duckFadeDown = .zero
    expected.duckFadeUp = .seconds(10)
    expected.cueButton = "hello"
    expected.typingTimeout = .seconds(9)
    expected.withoutCard = .silent
    expected.readerRepeat = .milliseconds(1_500)
    expected.tokens = [
      "A7": .track(.file("b")), "00-1": .track(.number(3)), "INFO": .cue("hello"), "D": .playlist("deutsch"),
      "TOP": .popular(1),
    ]
    expected.recordingLimit = .seconds(86_400)
    expected.saveInterval = .seconds(5)
    let text = """
      resume_window = 0
      prompt_timeout = "1.5min"
      on_connect = "play"
      route = "line-out"
      play_on_boot = true
      repeat = "track"
      replay_gain = "album"
      shuffle = true
      again = "ignore"
      after_track = "repeat"
      playlist_start = "resume"
      start_volume = 1
      volume_step = 10
      play_held = "nothing"
      play_twice = "next"
      stuck_after = 2.5
      visit_gap = 20
      idle_reset = "1h"
      music = ["/a", "b c"]
      state = "var"
      content = "speech"
      interruption_policy = "recreate"
      interruption_limit = 0
      duck_level = -7.5
      duck_fade_down = 0
      duck_fade_up = "10s"
      cue_folder = "said"
      cue_button = "hello"
      recordings = "kept"
      recording_limit = "24h"
      recording_size = 4000
      free_space = 0
      retention = "30d"
      save_interval = 5
      typing_timeout = "9s"
      without_card = "silent"
      reader_repeat = 1.5
      bluetooth_stall = "400ms"
      bluetooth_allowed = ["00:1a:7d:da:71:13"]
      unwired = ["speaker", "usb"]
      [tokens]
      a7 = { track = "b" }
      "00-1" = { track = 3 }
      info = { cue = "hello" }
      D = { playlist = "deutsch" }
      top = { popular = 1 }
      """
    let read = try parse(text, file: "/etc/jackdaw.toml")
    var music = SessionClient.music
    music.isSpeech = true
    var kiosk = KioskSettings()
    kiosk.settings = expected
    (kiosk.music, kiosk.musicLine, kiosk.unwired) = (["/a", "/etc/b c"], 19, [.speaker, .usb])
    (kiosk.state, kiosk.cueFolder, kiosk.cueButtonLine) = ("/etc/var", "/etc/said", 28)
    (kiosk.clients, kiosk.replayGain) = ([music], .album)
    kiosk.tokenLines = ["A7": 42, "00-1": 43, "INFO": 44, "D": 45, "TOP": 46]
    kiosk.recording = RecordingSettings(
      folder: "/etc/kept", sizeLimit: 4_000_000_000, freeSpaceFloor: 0, retention: .seconds(2_592_000))
    #expect(read == kiosk)
  }

  @Test("what is not wired is no port that sound can be forced to, and one is left")
  func unwired() {
    func errors(_ text: String) -> [String] {
      errorTexts { () throws(FileError) in
        try SettingsFile.parse(Array(text.utf8), file: "s.toml", ports: [.headphones, .speaker])
      }
    }
    #expect(errors("unwired = ['headphones']") == [])
    #expect(
      errors("unwired = ['headphones', 'speaker']")
        == ["s.toml:1: unwired: names all ports of the board, expected one to be left"])
    #expect(
      errors("unwired = ['headphones']\nroute = 'headphones'")
        == ["s.toml:2: route: \"headphones\" is unwired (see `unwired`), expected auto or speaker"])
    #expect(
      errors("unwired = ['headphones']\nroute = 'dock'")
        == ["s.toml:2: route: \"dock\" is unknown, expected auto or speaker"])
    #expect(
      errors("unwired = ['dock']")
        == ["s.toml:1: unwired: \"dock\" is unknown in it, expected an array of headphones or speaker in quotes"])
    #expect(errors("unwired = ['usb', 'line-out']") == [])
  }

  @Test("a board without what is not wired has not its lines, and an amplifier that serves it alone stays muted")
  func without() throws {
    let board = try BoardFile.read(repositoryPath("board/raspberry-pi-4.toml"))
    let rest = board.without([.headphones, .lineOut])
    #expect(rest.ports.map(\.output.port) == [.speaker])
    #expect(rest.lines.map(\.name) == board.lines.map(\.name).filter { $0 != "GPIO17" && $0 != "GPIO27" })
    #expect(rest.lines.first { $0.role == .ampMute }?.serves == .speaker)
    #expect(board.without([.speaker]).lines.first { $0.role == .ampMute }?.serves == .speaker)
    #expect(board.without([]) == board)
  }

  @Test("the prompt stands as long as the resume window unless it is set")
  func promptTimeout() throws {
    #expect(try parse("resume_window = 60").settings.promptTimeout == .seconds(60))
    #expect(try parse("resume_window = 0").settings.promptTimeout == .zero)
    #expect(try parse("resume_window = 60\nprompt_timeout = 5").settings.promptTimeout == .seconds(5))
    #expect(try parse("prompt_timeout = 5").settings.resumeWindow == .seconds(300))
  }

  @Test(
    "relative folders are relative to the settings file",
    arguments: [("jackdaw.toml", "m"), ("/jackdaw.toml", "/m"), ("a/jackdaw.toml", "a/m"), ("./j.toml", "./m")])
  func relativeFolders(file: String, folder: String) throws {
    #expect(try parse("music = ['m']", file: file).music == [folder])
    #expect(try parse("music = ['/m', 'm']", file: "a.toml").music == ["/m", "m"])
    #expect(try parse("state = 'm'", file: file).state == folder)
    #expect(try parse("cue_folder = 'm'", file: file).cueFolder == folder)
    #expect(try parse("recordings = 'm'", file: file).recording.folder == folder)
  }

  @Test("a level may be a whole number")
  func wholeLevel() throws {
    #expect(try parse("duck_level = -60").settings.duckLevel == -60)
    #expect(try parse("duck_level = 0").settings.duckLevel == 0)
  }

  @Test("a client of the session is as its table says, else as everybody's or as a page")
  func sessions() throws {
    let text = """
      [sessions.music]
      category = "multi-route"
      priority = 0
      [sessions.recorder]
      category = "play-and-record"
      [sessions.cue]
      options = []
      [sessions.fire-alarm]
      priority = 100
      [sessions.birds]
      category = "ambient"
      options = ["duck-others", "mix-with-others"]
      """
    let expected = [
      SessionClient(name: "music", category: .multiRoute, priority: 0),
      SessionClient(name: "recorder", category: .playAndRecord, options: [.notifyOthers], priority: 30),
      SessionClient(name: "cue", category: .playback, priority: 20),
      SessionClient(name: "fire-alarm", category: .playback, options: [.notifyOthers], priority: 100),
      SessionClient(name: "birds", category: .ambient, options: [.duckOthers, .mixWithOthers], priority: 50),
    ]
    #expect(try parse(text).clients == expected)
    let spoken = try parse("content = 'speech'\n\(text)").clients
    #expect(spoken.map(\.isSpeech) == [true, false, false, false, false])
    #expect(spoken[0].category == .multiRoute)
  }

  @Test("a cue says by whom, on which event and at what time it is spoken")
  func cues() throws {
    let text = """
      [sessions.birds]
      [cues.closing]
      at = "00:09"
      client = "fire-alarm"
      [cues.press-play]
      on = "prompt.shown"
      at = "23:59"
      [cues."two words"]
      client = "birds"
      """
    let expected = [
      CueSettings(name: "closing", client: "fire-alarm", line: 2),
      CueSettings(name: "press-play", event: .promptShown, line: 5),
      CueSettings(name: "two words", client: "birds", line: 8),
    ]
    let read = try SettingsFile.parse(Array(text.utf8), file: "s.toml", interrupters: ["page", "fire-alarm"])
    #expect(read.cues == expected)
    let times = [("closing", TimeOfDay(hour: 0, minute: 9)), ("press-play", TimeOfDay(hour: 23, minute: 59))]
    #expect(read.settings.timetable == times.map { TimetableEntry(.cue($0), .at([$1])) })
  }

  @Test("a cue that is not in the folder is named with its line, and so are those that are there")
  func unknownCues() throws {
    func error(_ text: String, _ names: [String]?) throws -> String {
      let kiosk = try parse(text)
      return errorText { () throws(FileError) in try kiosk.checkCues(names, in: "/cues", file: "s.toml") }
    }
    let text = "cue_button = 'bell'\n[cues.\"a b\"]\n"
    #expect(try error(text, ["a b", "bell"]) == "no error")
    #expect(
      try error(text, ["bell", "c"])
        == "s.toml:2: cues.\"a b\": \"a b\" is no cue of /cues, expected \"bell\" or \"c\"")
    #expect(try error(text, ["a b"]) == "s.toml:1: cue_button: \"bell\" is no cue of /cues, expected \"a b\"")
    #expect(try error(text, []) == "s.toml:1: cue_button: \"bell\" is no cue of /cues, there is no sound file in it")
    #expect(try error(text, nil) == "s.toml:1: cue_button: \"bell\" is no cue of /cues, there is no such folder")
    #expect(try error("", nil) == "no error")
  }
}
