import AudioSession
import Board
import Jukebox
import Testing

@Suite struct SettingsFileTests {
  private func parse(_ text: String, file: String = "s.toml") throws(FileError) -> KioskSettings {
    try SettingsFile.parse(Array(text.utf8), file: file)
  }

  @Test("the shipped settings file is the defaults and names every setting")
  func shippedFile() throws {
    #expect(try SettingsFile.read(shipped("deploy/jackdaw.toml")) == KioskSettings())
    #expect(try parse("") == KioskSettings())
    let text = String(decoding: shippedBytes("deploy/jackdaw.toml"), as: UTF8.self)
    for key in SettingsFile.keys {
      #expect(text.contains("\n\(key) = ") || text.contains("\n# \(key) = "), "\(key)")
    }
  }

  @Test("the settings that stand as comments are legal and defaults where they can be")
  func commentedSettings() throws {
    let text = String(decoding: shippedBytes("deploy/jackdaw.toml"), as: UTF8.self)
    let enabled = text.replacing("# prompt_timeout", with: "prompt_timeout").replacing("# state", with: "state")
    #expect(try parse(enabled) == KioskSettings(state: "/var/lib/jackdaw"))
  }

  @Test("every setting reaches its field")
  func everySetting() throws {
    var expected = Settings()
    expected.resumeWindow = .zero
    expected.promptTimeout = .seconds(90)
    expected.onConnect = .play
    expected.route = .lineOut
    expected.playOnBoot = true
    expected.repeats = .track
    expected.shuffle = true
    expected.startVolume = 1
    expected.volumeStep = 10
    expected.playHeld = .nothing
    expected.playTwice = .next
    expected.stuckAfter = .milliseconds(2_500)
    expected.idleReset = .seconds(3_600)
    let text = """
      resume_window = 0
      prompt_timeout = "1.5min"
      on_connect = "play"
      route = "line-out"
      play_on_boot = true
      repeat = "track"
      shuffle = true
      start_volume = 1
      volume_step = 10
      play_held = "nothing"
      play_twice = "next"
      stuck_after = 2.5
      idle_reset = "1h"
      music = ["/a", "b c"]
      state = "var"
      """
    let read = try parse(text, file: "/etc/jackdaw.toml")
    #expect(read == KioskSettings(settings: expected, music: ["/a", "/etc/b c"], state: "/etc/var"))
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
    #expect(try parse("state = 'm'", file: file).state == folder)
  }

  @Test("every fault of a settings file is named with its line", arguments: faults)
  func fault(_ fault: Fault) {
    #expect(errorText { () throws(FileError) in try parse(fault.text) } == fault.error)
  }

  private static let faults = [
    Fault("s.toml:1: volume: unknown key, expected \(allKeys)", text: "volume = 3"),
    Fault("s.toml:2: start_volum: unknown key, did you mean start_volume?", text: "\nstart_volum = 3"),
    Fault("s.toml:1: start_volume: 101 is out of range, expected 0...100", text: "start_volume = 101"),
    Fault("s.toml:1: volume_step: 0 is out of range, expected 1...100", text: "volume_step = 0"),
    Fault("s.toml:1: resume_window: 0.5 is out of range, expected 0 or 1s...24h", text: "resume_window = 0.5"),
    Fault("s.toml:1: resume_window: -1 is out of range, expected 0 or 1s...24h", text: "resume_window = -1"),
    Fault(
      "s.toml:1: prompt_timeout: \"25h\" is out of range, expected 0 or 1s...24h", text: "prompt_timeout = '25h'"),
    Fault(
      "s.toml:1: prompt_timeout: found an array, expected a duration 0 or 1s...24h", text: "prompt_timeout = []"),
    Fault(
      "s.toml:1: idle_reset: \"never\" is no number with ms, s, min or h, expected 0 or 1s...24h",
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
    Fault("s.toml:1: shuffle: found 1, expected true or false", text: "shuffle = 1"),
    Fault("s.toml:1: play_held: \"stop\" is unknown, expected next, previous or nothing", text: "play_held = 'stop'"),
    Fault("s.toml:1: play_twice: found a table, expected next, previous or nothing", text: "play_twice = {}"),
    Fault("s.toml:1: music: found \"m\", expected an array of texts in quotes", text: "music = 'm'"),
    Fault("s.toml:2: music: found a table in it, expected an array of texts in quotes", text: "music = [\n{}]"),
    Fault("s.toml:1: state: found an empty text, expected a text in quotes", text: "state = ''"),
    Fault("s.toml:1: state: found 1979, expected a text in quotes", text: "state = 1979"),
  ]

  private static let allKeys =
    "music, state, resume_window, prompt_timeout, on_connect, route, play_on_boot, repeat, shuffle, start_volume, "
    + "volume_step, play_held, play_twice, stuck_after or idle_reset"
}
