import Testing

@testable import FrontPanel

@Suite struct KeyCommandsTests {
  private func commands(_ text: String) -> [String] {
    var decoder = KeyDecoder()
    var keys = KeyCommands()
    return decoder.decode(text.utf8).compactMap { keys.take($0) }
  }

  @Test(
    "T1: digits and Enter are the command that plays that track, and any other key drops them",
    arguments: [
      ("7\r", ["track 7"]), ("12\n3\r", ["track 12", "track 3"]), ("\r", []), ("1p2\r", ["track 2"]), ("12", []),
      ("123456789\r", ["track 1234567"]), ("4\r\n", ["track 4"]),
    ])
  func numbers(text: String, expected: [String]) {
    #expect(commands(text) == expected)
  }

  @Test(
    "T4, T6: brackets are playlists; comma and full stop, with Shift or without, go back and on by ten seconds, and drop a number"
  )
  func seeking() {
    #expect(commands(",.<>") == ["seek -10s", "seek +10s", "seek -10s", "seek +10s"])
    #expect(commands("[]") == ["playlist -", "playlist +"])
    #expect(commands("1.2\r") == ["seek +10s", "track 2"])
  }
}
