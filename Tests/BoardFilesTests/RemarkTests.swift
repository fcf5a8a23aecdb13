import AudioSession
import Board
import Files
import Jukebox
import Testing

@testable import BoardFiles

/// What is said of a file that is taken all the same. Each of these was good in an earlier version: a board must not be
/// silent after an upgrade.
@Suite struct RemarkTests {
  private func settings(_ text: String) throws -> (kiosk: KioskSettings, remarks: [String]) {
    let kiosk = try SettingsFile.parse(Array(text.utf8), file: "s.toml", ports: [.headphones, .speaker])
    return (kiosk, kiosk.remarks.map(\.description))
  }

  private func board(_ edits: [Int: String]) throws -> (board: BoardDescription, remarks: [String]) {
    let text = Fault("", in: BoardFaults.base, edits).text
    let board = try BoardFile.parse(Array(text.utf8), file: "b.toml")
    return (board, board.remarks.map(\.description))
  }

  @Test("a folder that is named twice counts once", arguments: ["['a', 'b', 'a']", "['a', './/b', './a//', 'b']"])
  func folders(music: String) throws {
    let found = try settings("music = \(music)")
    #expect(found.kiosk.music.count == 2 && found.kiosk.music.first == "a")
    #expect(found.remarks == ["s.toml:1: music: names a folder twice, which counts once"])
  }

  @Test("what never comes is left to the clock, which does nothing then")
  func dates() throws {
    // A Thursday, and the days after it.
    let dates = "days = 'mon'\ndates = ['2026-12-24', '2026-12-25..2026-12-27']"
    let found = try settings("[[timetable]]\nat = '12:00'\n\(dates)\nstart = true\n[cues.a]\nat = '12:00'\n\(dates)")
    #expect(found.kiosk.settings.timetable.count == 2)
    let what = "dates: has none of these `days`, so that this is never done"
    #expect(found.remarks == ["s.toml:4: timetable.\(what)", "s.toml:9: cues.a.\(what)"])
  }

  @Test("beside daily, `at` of the quiet hours does not count")
  func quiet() throws {
    let daily = "[quiet]\ndaily = ['21:00-22:00']\nceiling = 4\n"
    let found = try settings(daily + "at = '20:00-08:00'")
    #expect(try found.kiosk.settings.quiet == settings(daily).kiosk.settings.quiet)
    #expect(found.remarks == ["s.toml:4: quiet.at: stands beside daily, which counts"])
  }

  @Test("a port that the board does not have may be unwired; a word that is no port may not")
  func unwired() throws {
    let found = try settings("unwired = ['usb', 'headphones']")
    #expect(found.remarks == ["s.toml:1: unwired: this board has no port usb"])
    #expect(found.kiosk.unwired.contains(.headphones))
    #expect(throws: FileError.self) { try settings("unwired = ['usbb']") }
  }

  @Test("a position step of less than a millisecond is one of a millisecond", arguments: ["'0.5ms'", "0.0001"])
  func positionStep(step: String) throws {
    let found = try board([16: "pcm = 'out'\nposition_step = \(step)"])
    #expect(found.board.knownCards["out"]?.positionStep == .milliseconds(1))
    #expect(found.remarks == ["b.toml:17: ports.speaker.position_step: is shorter than 1ms, which counts"])
    #expect(try board([16: "pcm = 'out'\nposition_step = 0"]).remarks == [])
  }

  @Test(
    "of two ports of one PCM, the first one says what the card does",
    arguments: [("take_back", "true", "false"), ("position_step", "0", "'5ms'")])
  func cards(key: String, first: String, second: String) throws {
    let found = try board([12: "pcm = 'x'\n\(key) = \(first)", 16: "pcm = 'x'\n\(key) = \(second)"])
    let card = try #require(found.board.knownCards["x"])
    #expect(card == found.board.ports[0].card)
    let other = "ports.headphones on line 8, which has the same pcm and counts"
    #expect(found.remarks == ["b.toml:18: ports.speaker.\(key): is another than that of \(other)"])
  }

  @Test("a knob with labels needs no chip, and may name one")
  func knob() throws {
    let found = try board([7: "role = 'play'\n[knobs.V]\na = 'A'\nb = 'B'\nchip = 'gpiochip9'"])
    #expect(found.board.knobs.count == 1)
    #expect(found.remarks == ["b.toml:11: knobs.V.chip: says nothing without the number of a line, as a = 17"])
  }

  @Test("remarks are in the order of their lines, and keep no error from being thrown")
  func errors() throws {
    let text = "[quiet]\ndaily = ['21:00-22:00']\nceiling = 4\nat = '20:00-08:00'\n"
    #expect(try settings("music = ['a', 'a']\n" + text).kiosk.remarks.map(\.line) == [1, 5])
    let found = errorTexts { () throws(FileError) in
      try SettingsFile.parse(Array("volume_step = 0\n\(text)".utf8), file: "s.toml")
    }
    #expect(found.count == 1)
  }
}
