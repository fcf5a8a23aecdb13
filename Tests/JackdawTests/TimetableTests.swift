import Glibc
import TestSupport
import Testing

/// What the clock brings, as `jackdaw timetable` and `jackdaw check` show it.
@Suite struct TimetableTests {
  private static let settings = """
    [hours]
    mon-fri = ["09:00-18:00"]
    sat = ["22:00-02:00"]
    2026-12-24 = []
    [cues.closing]
    at = "17:45"
    # Only the board says whether it has such a contact.
    client = "desk"
    """

  private func timetable(_ arguments: String..., zone: String = "UTC") throws -> Program.Outcome {
    let folder = try TemporaryFolder()
    let path = folder.write("s.toml", Self.settings)
    return try Program.run(["timetable", "--settings", path] + arguments, under: ["env", "TZ=\(zone)"], in: folder)
  }

  @Test("H1, H2.4: boundaries and cues of some days, also over midnight and over an exception")
  func days() throws {
    let outcome = try timetable("--from", "2026-12-23", "--days", "5")
    #expect(outcome.status == 0 && outcome.errors == "")
    #expect(
      outcome.output.split(separator: "\n").map(String.init) == [
        "Wed 2026-12-23 09:00 +0000  opens", "Wed 2026-12-23 17:45 +0000  cue closing",
        "Wed 2026-12-23 18:00 +0000  closes", "Thu 2026-12-24 17:45 +0000  cue closing",
        "Fri 2026-12-25 09:00 +0000  opens", "Fri 2026-12-25 17:45 +0000  cue closing",
        "Fri 2026-12-25 18:00 +0000  closes", "Sat 2026-12-26 17:45 +0000  cue closing",
        "Sat 2026-12-26 22:00 +0000  opens", "Sun 2026-12-27 02:00 +0000  closes",
        "Sun 2026-12-27 17:45 +0000  cue closing",
      ])
  }

  @Test("H3: what the timetable does, and what of two entries counts")
  func entries() throws {
    let folder = try TemporaryFolder()
    let path = folder.write(
      "s.toml",
      """
      [hours]
      daily = ["22:00-23:00"]
      [[timetable]]
      at = "00:00"
      playlist = "week"
      [[timetable]]
      at = "00:00"
      days = "sat"
      playlist = "weekend"
      volume = 30
      start = true
      [[timetable]]
      every = "30min"
      cue = "chime"
      [[timetable]]
      at = "23:59"
      stop = true
      """)
    let outcome = try Program.run(
      ["timetable", "--settings", path, "--from", "2026-11-27", "--days", "2"], under: ["env", "TZ=UTC"], in: folder)
    let (friday, saturday) = ("Fri 2026-11-27", "Sat 2026-11-28")
    let night = { (day: String) in
      [
        "\(day) 22:00 +0000  opens", "\(day) 22:00 +0000  cue chime", "\(day) 22:30 +0000  cue chime",
        "\(day) 23:00 +0000  closes", "\(day) 23:59 +0000  stop",
      ]
    }
    let changes = ["playlist weekend", "volume 30", "start"].map { "\(saturday) 00:00 +0000  \($0)" }
    let expected = ["\(friday) 00:00 +0000  playlist week"] + night(friday) + changes + night(saturday)
    #expect(outcome.output.split(separator: "\n").map(String.init) == expected)
  }

  @Test("H3.2: check names a playlist that the music does not have, by file, line and field")
  func playlists() throws {
    let folder = try TemporaryFolder()
    let path = folder.write("s.toml", "[[timetable]]\nat = '12:00'\nplaylist = 'nowhere'\n")
    let outcome = try Program.run(["check", "--board", "sim", "--settings", path], in: folder)
    let text = outcome.output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(text.contains("s.toml:3: timetable.playlist") && text.contains("the music has no folder nowhere"))
    #expect(outcome.status == 1)
  }

  @Test("H3: check says what the timetable does next, and which start is always left out")
  func next() throws {
    let folder = try TemporaryFolder()
    let hours = "clock = 'trusted'\n[hours]\ndaily = ['09:00-18:00']\n"
    let path = folder.write("s.toml", hours + "[[timetable]]\nat = '08:00'\nvolume = 40\nstart = true\n")
    let outcome = try Program.run(["check", "--board", "sim", "--settings", path], in: folder)
    let text = outcome.output.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
    #expect(text.contains("ok timetable next: ") && text.contains("08:00 volume 40"))
    #expect(text.contains("FAIL timetable at 08:00 it is closed, so that nothing starts"))
  }

  @Test("H4: quiet hours have lines of their own, and one of check")
  func quiet() throws {
    let folder = try TemporaryFolder()
    let text = """
      clock = "trusted"
      start_volume = 30
      quiet = { at = "20:00-08:00", ceiling = 40 }
      [hours]
      fri = ["08:00-20:00"]
      """
    let path = folder.write("s.toml", text)
    let days = ["--from", "2026-11-27", "--days", "1"]
    let shown = try Program.run(["timetable", "--settings", path] + days, under: ["env", "TZ=UTC"], in: folder)
    #expect(
      shown.output.split(separator: "\n").map(String.init) == [
        "Fri 2026-11-27 08:00 +0000  quiet no more", "Fri 2026-11-27 08:00 +0000  opens",
        "Fri 2026-11-27 20:00 +0000  quiet, at most 40", "Fri 2026-11-27 20:00 +0000  closes",
      ])
    let found = try Program.run(["check", "--board", "sim", "--settings", path], in: folder).output
    #expect(found.contains(" quiet ") && found.contains("at most 40 ") && found.contains("`start_volume`"))
  }

  @Test("bad input is one line")
  func faults() throws {
    #expect(
      try timetable("--from", "tomorrow").errors.contains("--from \"tomorrow\", expected a date such as 2026-12-24"))
    #expect(try timetable("--days", "0").errors.contains("--days \"0\", expected a number from 1 to 3660"))
    #expect(try timetable("--days", "0").status == 2)
  }

  @Test("H1, H2.1, N6: a year in four zones is that of Python's zoneinfo, to the minute, each once")
  func year() throws {
    let outcome = try Program.run([], under: ["python3", repositoryPath("Tests/Tools/Timetable/year")])
    #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.output)\(outcome.errors)")
    #expect(outcome.output.split(separator: "\n").count == 4)
  }

  @Test("H1: check says what is true now, and which cue nobody hears")
  func check() throws {
    let folder = try TemporaryFolder()
    func line(_ hours: String) throws -> String {
      let text = "clock = \"trusted\"\n[hours]\n\(hours)\n[cues.welcome]\nat = \"12:00\"\n"
      let path = folder.write("s.toml", text)
      let found = try Program.run(["check", "--board", "sim", "--settings", path], in: folder).output
      // Long lines go on below.
      return found.split(separator: " ").joined(separator: " ").split(separator: "\n").joined(separator: " ")
        .split(separator: " ").joined(separator: " ")
    }
    #expect(try line("daily = [\"00:00-24:00\"]").contains("ok hours open now, and for good"))
    let never = try line("2020-01-01 = [\"10:00-11:00\"]")
    #expect(never.contains("closed now, and for good") && never.contains("at 12:00 it is closed, so that nobody hears"))
    let open = try line("daily = [\"00:00-11:59\", \"12:00-24:00\"]")
    #expect(open.contains("now, until ") && open.contains("; next: ") && open.contains("00:00-11:59, 12:00-24:00"))
  }
}
