import Testing

@testable import FrontPanel

@Suite struct KeyDecoderTests {
  private func keys(_ text: String) -> [PanelKey] {
    var decoder = KeyDecoder()
    return decoder.decode(text.utf8)
  }

  @Test(
    "each key means what the panel says",
    arguments: [
      ("p", .play), (" ", .play), ("P", .playHeld), ("s", .stop), ("+", .volumeUp), ("=", .volumeUp),
      ("-", .volumeDown), ("n", .next), ("b", .previous), ("h", .headphones), ("d", .dock), ("r", .record),
      ("c", .cue), (",", .seekBack), ("[", .previousPlaylist), ("]", .nextPlaylist), (">", .seekOn), ("g", .page),
      ("m", .mute), ("?", .help),
      ("0", .digit(0)), ("9", .digit(9)), ("\r", .enter), ("\n", .enter),
      ("l", .redraw), ("\u{0C}", .redraw), ("q", .quit), ("\u{03}", .quit), ("\u{04}", .quit),
      ("\u{1B}[A", .volumeUp), ("\u{1B}[B", .volumeDown), ("\u{1B}[C", .next), ("\u{1B}[D", .previous),
      ("\u{1B}OA", .volumeUp), ("\u{1B}OD", .previous), ("\u{1B}[1;5C", .next),
    ] as [(String, PanelKey)])
  func meanings(text: String, key: PanelKey) {
    #expect(keys(text) == [key])
  }

  @Test("an escape sequence may come byte by byte, with other keys around it")
  func split() {
    var decoder = KeyDecoder()
    let parts = ["p\u{1B}", "[", "1;2", "As", "\u{1B}O", "Bn"].map { decoder.decode($0.utf8) }
    #expect(parts == [[.play], [], [], [.volumeUp, .stop], [], [.volumeDown, .next]])
  }

  @Test(
    "bytes without a meaning are dropped, those around them are not",
    arguments: [
      "\t", "XYZS", "é", "日本", "\u{1B}[3~", "\u{1B}[15~", "\u{1B}[<0;12;7M", "\u{1B}", "\u{1B}[H", "\u{00}",
    ])
  func unknown(text: String) {
    #expect(keys("p" + text + "\u{1B}[As") == [.play, .volumeUp, .stop])
  }

  @Test("Ctrl-C works from within a sequence, and Escape begins a new one")
  func interrupted() {
    #expect(keys("\u{1B}[12\u{03}") == [.quit])
    #expect(keys("\u{1B}\u{03}") == [.quit])
    #expect(keys("\u{1B}[1\u{1B}[B") == [.volumeDown])
    #expect(keys("\u{1B}\u{1B}[B") == [.volumeDown])
  }

  @Test("Escape alone does not swallow the next key")
  func lonelyEscape() {
    #expect(keys("\u{1B}pq") == [.play, .quit])
  }
}
