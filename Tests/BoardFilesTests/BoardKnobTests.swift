import Board
import Files
import Jukebox
import Testing

@testable import BoardFiles

/// `[knobs.NAME]` of a board file.
@Suite struct BoardKnobTests {
  private static let start = """
    name = "B"
    rate = 44100
    chip = "chip"
    [ports.speaker]
    sense = "always"
    priority = 10
    pcm = "out"
    [lines.PLAY]
    role = "play"
    offset = 1
    [lines.KEY]
    role = "stop"
    device = "keys"
    code = "stop"
    [readers.pad]
    device = "pad"
    """

  private func knob(_ text: String) throws(FileError) -> KnobDescription? {
    try BoardFile.parse(Array("\(Self.start)\n[knobs.V]\n\(text)\n".utf8), file: "b.toml").knobs.first
  }

  @Test("G3: a knob has two lines, by their offsets or labels, or an axis")
  func sources() throws {
    let plain = try knob("a = 5\nb = 6")
    #expect(plain?.knob == Knob(name: "V"))
    let places = [("V.a", 5), ("V.b", 6)].map {
      KnobDescription.Contact(name: $0.0, fallback: ChipOffset(chip: "chip", offset: $0.1))
    }
    #expect(plain?.source == .contacts(a: places[0], b: places[1], activeLow: false, bias: .asIs))
    let labels = try knob("a = \"GPIO5\"\nb = 6\nchip = \"other\"\nactive = \"low\"\nbias = \"pull-up\"\nsteps = 2")
    #expect(
      labels?.source
        == .contacts(
          a: KnobDescription.Contact(name: "GPIO5"),
          b: KnobDescription.Contact(name: "V.b", fallback: ChipOffset(chip: "other", offset: 6)), activeLow: true,
          bias: .pullUp))
    #expect(labels?.knob.steps == 2)
    let axis = try knob("device = \"keys\"\naxis = \"dial\"\nsteps = 120")
    #expect(axis?.source == .axis(device: "keys", code: InputCode(kind: .axis, number: 7, name: "dial")))
    #expect(axis?.knob.steps == 120)
    #expect(try knob("device = \"keys\"\naxis = \"wheel\"")?.knob.steps == 1)
  }

  @Test("G3: what it turns, by how much, which way, and faster")
  func uses() throws {
    #expect(
      try knob("a = 5\nb = 6\nturns = \"volume\"\nby = 2\nfaster = true\nreversed = true")?.knob
        == Knob(name: "V", use: .volume(points: 2), isReversed: true, isFaster: true))
    #expect(try knob("a = 5\nb = 6\nturns = \"track\"")?.knob.use == .track)
    #expect(try knob("a = 5\nb = 6\nturns = \"playlist\"")?.knob.use == .playlist)
    #expect(try knob("a = 5\nb = 6\nturns = \"seek\"")?.knob.use == .seek(.seconds(5)))
    #expect(try knob("a = 5\nb = 6\nturns = \"seek\"\nby = \"30s\"")?.knob.use == .seek(.seconds(30)))
  }

  @Test("the lines of a knob are opened with those of the board, and the brain knows it")
  func requests() throws {
    let knobs = "[knobs.V]\na = 5\nb = \"B\"\nbias = \"pull-up\"\n[knobs.W]\ndevice = \"d\"\naxis = \"x\"\n"
    let text = "\(Self.start)\n\(knobs)"
    let board = try BoardFile.parse(Array(text.utf8), file: "b.toml")
    #expect(
      board.lineRequests().map(\.name) == ["PLAY", "V.a", "B"]
        && board.lineRequests().last?.direction == .input(bias: .pullUp))
    #expect(board.axisRequests().map(\.name) == ["W"])
    #expect(board.configuration(settings: Settings()).knobs.map(\.name) == ["V", "W"])
    #expect(board.line(of: .b, of: KnobID(1)) == LineID(5))
    #expect(board.knobContact(behind: LineID(5))?.knob == KnobID(1))
    #expect(board.knobContact(behind: LineID(1)) == nil)
  }

  @Test(
    "every fault of a knob is named with its line",
    arguments: [
      ("a = 5", "17: knobs.V.b: missing, expected an offset 0...511 or a line's label in quotes"),
      (
        "a = 5\nb = 512",
        "19: knobs.V.b: 512 is out of range, expected an offset 0...511 or a line's label in quotes"
      ),
      ("a = 5\nb = 5", "19: knobs.V.b: is the line of a, too, expected another"),
      ("a = 1\nb = 5", "18: knobs.V.a: is taken by lines.PLAY on line 8, expected a line of its own"),
      ("a = 5\nb = \"PLAY\"", "19: knobs.V.b: is taken by lines.PLAY on line 8, expected a line of its own"),
      ("a = 5\nb = 6\nsteps = 3", "20: knobs.V.steps: 3 is not supported, expected 1, 2 or 4"),
      (
        "a = 5\nb = 6\nturns = \"left\"",
        "20: knobs.V.turns: \"left\" is unknown, expected volume, track, playlist or seek"
      ),
      ("a = 5\nb = 6\nby = 0", "20: knobs.V.by: 0 is out of range, expected 1...100"),
      (
        "a = 5\nb = 6\nturns = \"track\"\nby = 1",
        "21: knobs.V.by: expected only with turns = \"volume\" or \"seek\""
      ),
      (
        "a = 5\nb = 6\nturns = \"seek\"\nfaster = true",
        "21: knobs.V.faster: expected only with turns = \"volume\""
      ),
      (
        "device = \"d\"\na = 5\naxis = \"x\"",
        "19: knobs.V.a: found beside device, expected only on a knob with two lines"
      ),
      (
        "device = \"d\"",
        "17: knobs.V.axis: missing, expected x, y, z, rx, ry, rz, hwheel, dial, wheel, misc, "
          + "wheel-hi-res or hwheel-hi-res"
      ),
      (
        "device = \"pad\"\naxis = \"x\"",
        "18: knobs.V.device: \"pad\" is taken by readers.pad on line 15, expected another"
      ),
      (
        "a = 5\nb = 6\n[knobs.PLAY]\na = 7\nb = 8",
        "20: knobs.PLAY: is called as lines.PLAY on line 8, expected another name"
      ),
      (
        "a = 5\nb = 6\n[knobs.W]\na = 6\nb = 8",
        "21: knobs.W.a: is taken by knobs.V on line 17, expected a line of its own"
      ),
    ])
  func faults(text: String, error: String) {
    let found = errorTexts { () throws(FileError) in _ = try knob(text) }
    #expect(found.contains("b.toml:\(error)"), "\(found)")
  }

  @Test("an offset needs a chip")
  func noChip() {
    let text = Self.start.split(separator: "\n", omittingEmptySubsequences: false).filter { $0 != "chip = \"chip\"" }
      .joined(separator: "\n").replacing("offset = 1\n", with: "\n")
    let found = errorTexts { () throws(FileError) in
      _ = try BoardFile.parse(Array("\(text)\n[knobs.V]\na = 5\nb = 6\n".utf8), file: "b.toml")
    }
    #expect(found == ["b.toml:17: knobs.V.a: found without chip, expected one beside it or at the top of the file"])
  }
}
