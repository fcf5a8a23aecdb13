import AudioSession
import Board
import Files
import Jukebox
import TestSupport
import Testing

@testable import BoardFiles

@Suite struct BoardFileTests {
  @Test("every key of a board file reaches the description")
  func everyKey() throws {
    let text = """
      name = "B"
      models = ["Maker 1", "Maker 2"]
      rate = 48000
      buffer = 0.5
      console = { device = "/dev/ttyS0", speed = 9600 }
      [lines.Z]
      role = "sense"
      chip = "gpiochip1"
      offset = 511
      active = "low"
      bias = "pull-up"
      debounce = "1.5ms"
      [lines.A]
      role = "lamp"
      active = "low"
      [lines.B]
      role = "amp-mute"
      active = "low"
      settle = "20ms"
      port = "usb"
      [lines.C]
      role = "interrupter"
      client = "fire-alarm"
      bias = "pull-down"
      [lines.D]
      role = "page"
      [lines.E]
      role = "mute"
      [ports.usb]
      sense = "gpio"
      line = "Z"
      priority = 100
      private = true
      pcm = "hw:1"
      ceiling = 80
      floor = 15
      channels = "swap"
      balance = -30
      take_back = false
      position_step = "5ms"
      [inputs.line-in]
      pcm = "hw:2"
      """
    let board = try BoardFile.parse(Array(text.utf8), file: "b.toml")
    let sensed = LineDescription(
      name: "Z", role: .sense, source: .gpio(fallback: ChipOffset(chip: "gpiochip1", offset: 511)), activeLow: true,
      bias: .pullUp, debounce: .microseconds(1_500))
    var muting = LineDescription(name: "B", role: .ampMute, activeLow: true)
    muting.settle = .milliseconds(20)
    muting.serves = .usb
    let usb = OutputPort(
      port: .usb, sense: .line("Z"), priority: 100, isPrivate: true, ceiling: 80, floor: 15,
      channels: PortChannels(.swap, balance: -30))
    #expect(
      board
        == BoardDescription(
          name: "B", models: ["Maker 1", "Maker 2"], rate: 48_000, buffer: .milliseconds(500),
          console: .init(device: "/dev/ttyS0", speed: 9_600),
          lines: [
            sensed, LineDescription(name: "A", role: .lamp, activeLow: true),
            muting,
            LineDescription(name: "C", role: .interrupter("fire-alarm"), bias: .pullDown),
            LineDescription(name: "D", role: .interrupter("page")), LineDescription(name: "E", role: .mute),
          ],
          ports: [
            PortDescription(
              output: usb, pcm: "hw:1", card: KnownCard(takesBack: false, positionStep: .milliseconds(5)))
          ],
          input: InputDescription(port: .lineIn, pcm: "hw:2")))
    #expect(
      board.lineRequests() == [
        LineRequest(
          name: "Z", fallback: ChipOffset(chip: "gpiochip1", offset: 511), activeLow: true,
          direction: .input(bias: .pullUp)),
        LineRequest(name: "A", fallback: nil, activeLow: true, direction: .output(asserted: false)),
        LineRequest(name: "B", fallback: nil, activeLow: true, direction: .output(asserted: true)),
        LineRequest(name: "C", fallback: nil, activeLow: false, direction: .input(bias: .pullDown)),
        LineRequest(name: "D", fallback: nil, activeLow: false, direction: .input(bias: .asIs)),
        LineRequest(name: "E", fallback: nil, activeLow: false, direction: .input(bias: .asIs)),
      ])
  }

  @Test("what may be left out has its documented default")
  func defaults() throws {
    let text = BoardFaults.base.replacing("buffer = \"200ms\"", with: "")
    let board = try BoardFile.parse(Array(text.utf8), file: "b.toml")
    #expect(board.buffer == .milliseconds(300))
    #expect(board.models.isEmpty)
    #expect(board.console == nil)
    #expect(board.lines == [LineDescription(name: "JACK", role: .sense), .init(name: "PLAY", role: .button(.play))])
    #expect(board.lines.allSatisfy { $0.debounce == .milliseconds(30) && $0.bias == .asIs && !$0.activeLow })
    #expect(board.ports.allSatisfy { $0.output.ceiling == 100 && !$0.output.isPrivate })
  }

  @Test("a line with an offset and no chip is on the chip of the board; one without an offset has its label only")
  func boardChip() throws {
    let text = """
      name = "B"
      rate = 48000
      buffer = 1
      chip = "pinctrl-x"
      [lines.A]
      role = "play"
      offset = 7
      [lines.B]
      role = "stop"
      chip = "expander"
      offset = 7
      [lines.C]
      role = "lamp"
      [lines.D]
      role = "next"
      device = "keys"
      code = "nextsong"
      [ports.speaker]
      sense = "always"
      priority = 1
      pcm = "out"
      """
    let board = try BoardFile.parse(Array(text.utf8), file: "b.toml")
    #expect(
      board.lineRequests().map(\.fallback)
        == [ChipOffset(chip: "pinctrl-x", offset: 7), ChipOffset(chip: "expander", offset: 7), nil])
    #expect(board.inputRequests().map(\.name) == ["D"])
  }

  @Test("the chip of a board whose lines all have labels or chips of their own is no error")
  func unusedBoardChip() throws {
    let text = BoardFaults.base.replacing("rate =", with: "chip = \"unused\"\nrate =")
    #expect(
      try BoardFile.parse(Array(text.utf8), file: "b.toml")
        == BoardFile.parse(Array(BoardFaults.base.utf8), file: "b.toml"))
  }

  @Test("the brain gets rate, lines with their debounce, ports, input, clients, cues and settings")
  func configuration() throws {
    let text =
      BoardFaults.base.replacing("role = \"play\"", with: "role = \"play\"\ndebounce = \"5ms\"")
      + "\n[inputs.microphone]\npcm = \"mic\""
    let board = try BoardFile.parse(Array(text.utf8), file: "b.toml")
    var settings = Settings()
    settings.startVolume = 7
    let expected = Configuration(
      rate: 44_100,
      lines: [
        Line(name: "JACK", role: .sense), Line(name: "PLAY", role: .button(.play), debounce: .milliseconds(5)),
      ],
      ports: [
        OutputPort(port: .headphones, sense: .line("JACK"), priority: 30, isPrivate: false),
        OutputPort(port: .speaker, sense: .always, priority: 10, isPrivate: false),
      ],
      input: .microphone, clients: [.page], cues: [Cue(name: "a", path: "/a.mp3")],
      settings: settings)
    let cues = [Cue(name: "a", path: "/a.mp3")]
    #expect(board.configuration(settings: settings, clients: [.page], cues: cues) == expected)
  }

  @Test("T1: buttons of tracks, by number and by name, are any number of lines")
  func trackButtons() throws {
    let text = BoardFaults.base.replacing(
      "[ports.headphones]",
      with: "[lines.A]\nrole = \"track\"\ntrack = 7\n[lines.B]\nrole = \"track\"\ntrack = \"7\"\n[ports.headphones]")
    let board = try BoardFile.parse(Array(text.utf8), file: "b.toml")
    let roles = board.lines.filter { ["A", "B"].contains($0.name) }.map(\.role)
    #expect(roles == [.button(.choose(.track(.number(7)))), .button(.choose(.track(.file("7"))))])
  }

  @Test(
    "L10: a reader that says what lies on it, at its serial line or of PC/SC; without a protocol a program tells of it")
  func cardReaders() throws {
    let readers = """
      [readers.BOX]
      kind = "presence"
      protocol = "pn532"
      device = "/dev/ttyUSB0"
      lift = "1s"
      [readers.SHELF]
      kind = "presence"
      [readers.DESK]
      kind = "presence"
      protocol = "pcsc"

      """
    let text = BoardFaults.base.replacing("[ports.headphones]", with: readers + "[ports.headphones]")
    let board = try BoardFile.parse(Array(text.utf8), file: "b.toml")
    #expect(
      board.cardReaderRequests() == [
        CardReaderRequest(name: "BOX", speech: .pn532, device: "/dev/ttyUSB0"),
        CardReaderRequest(name: "DESK", speech: .pcsc, device: ""),
      ])
    #expect(board.readers.map(\.lift) == [.seconds(1), .milliseconds(700), .milliseconds(700)])
  }

  @Test("J7: buttons of what is heard most, by its place, are any number of lines")
  func popularButtons() throws {
    let lines = (1...2).map { "[lines.P\($0)]\nrole = \"popular\"\npopular = \($0)\n" }.joined()
    let text = BoardFaults.base.replacing("[ports.headphones]", with: lines + "[ports.headphones]")
    let board = try BoardFile.parse(Array(text.utf8), file: "b.toml")
    #expect(board.lines.map(\.role).suffix(2) == [.button(.choose(.popular(1))), .button(.choose(.popular(2)))])
  }

  @Test("the shipped simulated board is the one that scenarios know")
  func simulatedBoard() throws {
    let board = try BoardFile.read(repositoryPath("board/sim.toml"))
    let buttons = zip(
      ["BTN_PLAY", "BTN_STOP", "BTN_VOL_UP", "BTN_VOL_DOWN", "BTN_NEXT", "BTN_PREVIOUS", "BTN_RECORD", "BTN_CUE"],
      Button.single)
    let lines =
      ["JACK_SENSE", "DOCK_SENSE"].map { LineDescription(name: $0, role: .sense) }
      + buttons.map { LineDescription(name: $0, role: .button($1)) }
      + [
        LineDescription(name: "PAGE", role: .interrupter("page")), LineDescription(name: "MUTE", role: .mute),
        LineDescription(name: "LED_STATUS", role: .lamp), LineDescription(name: "AMP_MUTE", role: .ampMute),
      ]
    let ports = [
      OutputPort(port: .headphones, sense: .line("JACK_SENSE"), priority: 30, isPrivate: true),
      OutputPort(port: .lineOut, sense: .line("DOCK_SENSE"), priority: 20, isPrivate: true),
      OutputPort(port: .speaker, sense: .always, priority: 10, isPrivate: false),
    ]
    let expected = BoardDescription(
      name: "Simulated board", isSimulated: true, rate: 44_100, buffer: .milliseconds(300), lines: lines,
      readers: [ReaderDescription(name: "keypad", device: "keypad")],
      ports: ports.map { PortDescription(output: $0, pcm: "default") },
      input: InputDescription(port: .microphone, pcm: "default"))
    #expect(board == expected)
  }

  @Test("every fault of a board file is named with its line", arguments: BoardFaults.all)
  func faults(_ fault: Fault) {
    let found = errorTexts { () throws(FileError) in try BoardFile.parse(Array(fault.text.utf8), file: "b.toml") }
    // A fault may make a key that must be there one that is missing.
    #expect(found.contains(fault.error))
  }
}
