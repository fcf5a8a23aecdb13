import Testing

@testable import SerialConsole

@Suite struct CommandLineReaderTests {
  /// What `text` gives, and what the terminal shows for it.
  func type(_ text: String) -> (lines: [ConsoleInput], echo: String) {
    var reader = CommandLineReader()
    var echo: [UInt8] = []
    let lines = text.utf8.compactMap { reader.take($0, echo: &echo) }
    return (lines, String(decoding: echo, as: UTF8.self))
  }

  @Test("a line ends with CR, LF or CRLF", arguments: ["\r", "\n", "\r\n"])
  func ends(end: String) {
    #expect(type("volume 40\(end)play\(end)").lines == [.line("volume 40"), .line("play")])
  }

  @Test("a line without an end is not given yet, and an empty one never")
  func partialAndEmpty() {
    #expect(type("\r\n\n\rstatus").lines == [])
    #expect(type("\r\n\n\rstatus\n").lines == [.line("status")])
  }

  @Test("backspace and DEL take back a character on the screen and in the line")
  func erasing() {
    let typed = type("plax\u{7F}y\u{8}y\r")
    #expect(typed.lines == [.line("play")])
    #expect(typed.echo == "plax\u{8} \u{8}y\u{8} \u{8}y\r\n")
  }

  @Test("nothing is erased beyond the start of the line")
  func erasingNothing() {
    let typed = type("\u{7F}a\u{8}\u{8}b\r")
    #expect(typed.lines == [.line("b")])
    #expect(typed.echo == "a\u{8} \u{8}b\r\n")
  }

  @Test("a character of several bytes is erased as one")
  func erasingWide() {
    let typed = type("cue ü€\u{7F}\u{7F}x\r")
    #expect(typed.lines == [.line("cue x")])
    #expect(typed.echo == "cue ü€\u{8} \u{8}\u{8} \u{8}x\r\n")
  }

  @Test("other control characters are neither kept nor shown")
  func controls() {
    let typed = type("st\u{0}o\u{1B}\t\u{3}p\r")
    #expect(typed.lines == [.line("stop")])
    #expect(typed.echo == "stop\r\n")
  }

  @Test("256 bytes are a line, 257 are dropped whole and reported, and the next line is good again")
  func limit() {
    let longest = String(repeating: "a", count: 256)
    #expect(type(longest + "\n").lines == [.line(longest)])
    #expect(type(longest + "b\u{7F}\u{7F}cd\nplay\n").lines == [.tooLong, .line("play")])
  }

  @Test("what is not UTF-8 is repaired, not refused")
  func notUTF8() {
    var reader = CommandLineReader()
    var echo: [UInt8] = []
    let lines = [0x61, 0xFF, 0x0A].compactMap { reader.take($0, echo: &echo) }
    #expect(lines == [.line("a\u{FFFD}")])
  }
}
