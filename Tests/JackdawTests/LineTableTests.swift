import AudioSession
import Board
import Testing

@testable import jackdaw

@Suite struct LineTableTests {
  private var table = LineTable(rows: [
    LineTable.Row(name: "JACK_SENSE", role: "sense", place: "gpiochip0 17", activeLow: true, asserted: false),
    LineTable.Row(name: "SW_DOCK", role: "sense", place: "input device gpio-keys", asserted: true),
    LineTable.Row(
      name: "AMP_MUTE", role: "amp-mute", place: "gpiochip0 5", activeLow: false, asserted: nil,
      note: "output, left alone"),
  ])

  private func edge(_ line: String, _ asserted: Bool, _ milliseconds: Int) -> LineEdge {
    LineEdge(line: line, asserted: asserted, at: .powerOn + .milliseconds(milliseconds))
  }

  @Test("the table shows the place and the state of each line")
  mutating func picture() {
    _ = table.take(edge("JACK_SENSE", true, 1_250), since: .powerOn)
    #expect(
      table.lines(columns: 200) == [
        "LINE        ROLE      PLACE                   LEVEL  STATE     EDGES  CHANGED AT",
        "JACK_SENSE  sense     gpiochip0 17            low    asserted  1      1.250000",
        "SW_DOCK     sense     input device gpio-keys  -      asserted  0      -",
        "AMP_MUTE    amp-mute  gpiochip0 5             output, left alone",
      ])
    #expect(table.lines(columns: 30).allSatisfy { $0.count <= 30 })
    // A small display, and one beside a serial line.
    #expect(
      table.lines(columns: 40) == [
        "LINE        ROLE      STATE     EDGES",
        "JACK_SENSE  sense     asserted  1",
        "SW_DOCK     sense     asserted  0",
        "AMP_MUTE    amp-mute  output, left alone",
      ])
    #expect(table.lines(columns: 30).first == "LINE        STATE     EDGES")
  }

  @Test("the name that a device gives itself cannot write on the terminal")
  mutating func foreign() {
    let name = "Pad\u{1B}[2J\n"
    table.rows[2].note = name
    table.message = "input device \(name): read: No such device"
    let lines = table.lines(columns: 200)
    #expect(lines[3].hasSuffix("gpiochip0 5             Pad\\u{1b}[2J\\u{a}"))
    #expect(lines[4] == "input device Pad\\u{1b}[2J\\u{a}: read: No such device")
  }

  @Test("every edge is counted, and printed with the level at the pin")
  mutating func edges() {
    let start = Instant.powerOn + .seconds(1)
    #expect(
      table.take(edge("JACK_SENSE", true, 1_250), since: start) == "0.250000 JACK_SENSE low asserted edges=1")
    #expect(
      table.take(edge("JACK_SENSE", false, 1_260), since: start) == "0.260000 JACK_SENSE high released edges=2")
    #expect(table.take(edge("SW_DOCK", false, 900), since: start) == "0.000000 SW_DOCK released edges=1")
    #expect(table.take(edge("NOBODY", true, 2_000), since: start) == nil)
  }

  @Test("T5: what is typed at a reader stands in its row until the next one types, also after a loss")
  mutating func keys() {
    table.rows.append(
      LineTable.Row(name: "keypad", role: "reader", place: "USB Keypad", asserted: nil, note: "No such device"))
    func row() -> String { table.lines(columns: 200).last ?? "" }
    let start = Instant.powerOn + .seconds(1)
    func take(_ key: TypedKey, _ reader: String = "keypad") -> String? {
      table.take(ReaderKey(reader: reader, key: key), since: start, at: start + .milliseconds(250))
    }
    let place = "keypad      reader    USB Keypad              "
    #expect(row() == place + "No such device")
    #expect(take(.clear) == "0.250000 keypad key=\"cleared\"")
    #expect(row() == place + "cleared")
    #expect(take(.character(UInt8(ascii: "4"))) == "0.250000 keypad key=\"4\"")
    #expect(take(.character(UInt8(ascii: "2"))) == "0.250000 keypad key=\"2\"")
    #expect(take(.enter) == "0.250000 keypad key=\"Enter\"")
    #expect(row() == place + "42 Enter")
    _ = take(.character(UInt8(ascii: "7")))
    _ = take(.lost)
    #expect(row() == place + "7 keys were lost")
    _ = take(.enter)
    _ = take(.enter)
    #expect(row() == place + "Enter")
    // A line of the same name is not a reader, and nobody else's keys appear here.
    #expect(take(.enter, "JACK_SENSE") == nil)
    #expect(take(.enter, "scanner") == nil)
  }
}
