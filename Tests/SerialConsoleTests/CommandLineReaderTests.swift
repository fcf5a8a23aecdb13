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

  @Test("Ctrl-U takes back the whole line, character by character")
  func erasingLine() {
    let typed = type("volü\u{15}stop\r")
    #expect(typed.lines == [.line("stop")])
    #expect(typed.echo == "volü" + String(repeating: "\u{8} \u{8}", count: 4) + "stop\r\n")
  }

  @Test("Ctrl-U takes back a line that is too long, too, and begins below what is shown of it")
  func erasingTooLong() {
    let typed = type(String(repeating: "a", count: 300) + "\u{15}stop\r")
    #expect(typed.lines == [.line("stop")])
    #expect(typed.echo == String(repeating: "a", count: 256) + "\r\nstop\r\n")
  }

  @Test("Ctrl-C gives the line up and shows that it did")
  func givingUp() {
    let typed = type("volume 99\u{3}stop\r\u{3}")
    #expect(typed.lines == [.line("stop")])
    #expect(typed.echo == "volume 99^C\r\nstop\r\n^C\r\n")
  }

  @Test("Ctrl-C ends a line that is too long, too")
  func givingUpTooLong() {
    #expect(type(String(repeating: "a", count: 300) + "\u{3}stop\n").lines == [.line("stop")])
  }

  @Test("other control characters are neither kept nor shown")
  func controls() {
    let typed = type("st\u{0}o\t\u{7}p\r")
    #expect(typed.lines == [.line("stop")])
    #expect(typed.echo == "stop\r\n")
  }

  @Test(
    "keys that send a sequence leave nothing behind",
    arguments: ["\u{1B}[A", "\u{1B}[1;5C", "\u{1B}[3~", "\u{1B}OP", "\u{1B}x", "\u{1B}\u{1B}[B"])
  func sequences(key: String) {
    let typed = type("st\(key)op\r")
    #expect(typed.lines == [.line("stop")])
    #expect(typed.echo == "stop\r\n")
  }

  @Test("the end of the line is seen in the middle of a sequence, too")
  func brokenSequence() {
    for start in ["\u{1B}", "\u{1B}[", "\u{1B}[1;", "\u{1B}O"] {
      #expect(type("stop\(start)\rplay\r").lines == [.line("stop"), .line("play")])
    }
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
