import Testing

@testable import jackdaw

@Suite struct FindingTests {
  @Test("findings are in columns, with advice below each that failed")
  func columns() {
    let list = FindingList(findings: [
      .good("chip gpiochip0", "pinctrl-bcm2711, 58 lines"),
      .bad("line BTN_PLAY", "no line has this label", "nearest names: BTN_PLAY_1", ""),
    ])
    #expect(
      list.text == """
        ok    chip gpiochip0  pinctrl-bcm2711, 58 lines
        FAIL  line BTN_PLAY   no line has this label
                              -> nearest names: BTN_PLAY_1
        1 of 2 good
        """)
  }

  @Test("what is not here and may be missing is neither good nor failed")
  func missing() {
    let list = FindingList(findings: [
      .good("board", "Simulated board"), .missing("output speaker", "silent: no card"),
      .warning("reader keypad", "not plugged in now", "another name"),
    ])
    #expect(
      list.text == """
        ok    board           Simulated board
        none  output speaker  silent: no card
        warn  reader keypad   not plugged in now
                              -> another name
        1 of 3 good, 1 not here, 1 to look at
        """)
  }

  @Test("long texts are broken at blanks within 79 columns; a long name gets a line of its own")
  func wrapping() {
    let list = FindingList(findings: [
      .bad(
        "input device A keyboard with a name of its own", String(repeating: "word ", count: 30),
        String(repeating: "do ", count: 30)),
      .good("music", "/srv/\(String(repeating: "x", count: 90))"),
    ])
    let lines = list.text.split(separator: "\n").map(String.init)
    #expect(lines[0] == "FAIL  input device A keyboard with a name of its own")
    #expect(lines[1] == String(repeating: " ", count: 34) + "word word word word word word word word word")
    #expect(lines.contains(String(repeating: " ", count: 34) + "-> do do do do do do do do do do do do do do"))
    #expect(lines.allSatisfy { $0.count <= 79 || $0.contains("xxx") })
    #expect(lines.count { $0.contains("xxx") } == 1)
  }

  @Test("no name can spoil the list")
  func hostile() {
    let list = FindingList(findings: [.good("line \u{1B}[2J", "two\nlines")])
    #expect(list.text == "ok    line \\u{1b}[2J  two\\u{a}lines\n1 of 1 good")
  }
}
