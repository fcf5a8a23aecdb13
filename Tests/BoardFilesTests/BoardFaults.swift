/// The faults of a board file, as edits of a good one.
enum BoardFaults {
  static let base = """
    name = "B"
    rate = 44100
    buffer = "200ms"
    [lines.JACK]
    role = "sense"
    [lines.PLAY]
    role = "play"
    [ports.headphones]
    sense = "gpio"
    line = "JACK"
    priority = 30
    pcm = "hp"
    [ports.speaker]
    sense = "always"
    priority = 10
    pcm = "out"
    """

  static let all = root + lines + signals + readers + ports + senses + inputs + crossed + twice

  static func fault(_ error: String, _ edits: [Int: String]) -> Fault {
    Fault("b.toml:" + error, in: base, edits)
  }

  /// With this text in place of the role of the line PLAY.
  static func play(_ line: Int, _ error: String, _ text: String) -> Fault {
    fault("\(line): lines.PLAY.\(error)", [7: text])
  }

  private static let conditions =
    #""playing", "visit", "prompt", "recording", "page", "no-music", "fault", "closed", "credits", "request", "#
    + #""requests-full", "no-coins", "track:…", "playlist:…", "cue:…" or "port:…", or an array of them"#
  private static let event = #"an event of the log such as "track.started", or an array of them"#

  private static let signals = [
    play(6, "while: missing, expected \(conditions)", "role = 'signal'"),
    play(8, "while: \"plying\" is unknown, expected \(conditions)", "role = 'signal'\nwhile = 'plying'"),
    play(
      9, "while: \"track:\" names nothing in it, expected \(conditions)",
      "role = 'signal'\nwhile = ['playing',\n'track:']"),
    play(8, "while: found an empty array, expected \(conditions)", "role = 'signal'\nwhile = []"),
    play(8, "while: \"port:jack\" names nothing, expected \(conditions)", "role = 'signal'\nwhile = 'port:jack'"),
    play(
      9, "and: the board has no port usb, expected \"port:headphones\" or \"port:speaker\"",
      "role = 'signal'\nwhile = 'port:speaker'\nand = 'port:usb'"),
    play(
      8, "on: \"track.startet\" is unknown (did you mean \"track.started\"?), expected \(event)",
      "role = 'signal'\non = 'track.startet'"),
    play(9, "on: found beside while, expected one of the two", "role = 'signal'\nwhile = 'visit'\non = 'boot'"),
    play(9, "pulse: found beside while, expected only with on", "role = 'signal'\nwhile = 'visit'\npulse = 1"),
    play(9, "off_delay: found beside on, expected only with while", "role = 'signal'\non = 'boot'\noff_delay = 1"),
    play(
      9, "pattern: \"off\" is unknown, expected on, blink, flash, flicker, wink, double-flash or triple-flash",
      "role = 'signal'\nwhile = 'visit'\npattern = 'off'"),
    play(
      9, "led: found \"../x\", expected the name of a folder in /sys/class/leds",
      "role = 'signal'\nwhile = 'visit'\nled = '../x'"),
    play(
      10, "offset: found beside led, expected only on a GPIO line",
      "role = 'signal'\nwhile = 'visit'\nled = 'x'\noffset = 3"),
    play(
      9, "debounce: found on a signal, expected only on inputs", "role = 'signal'\nwhile = 'visit'\ndebounce = '5ms'"),
    play(8, "while: expected only with role = \"signal\"", "role = 'lamp'\nwhile = 'visit'"),
    fault(
      "12: lines.B.led: x is taken by lines.PLAY on line 6, expected another",
      [7: "role = 'signal'\nwhile = 'visit'\nled = 'x'\n[lines.B]\nrole = 'signal'\nled = 'x'\nwhile = 'page'"]),
  ]

  private static let readers = [
    play(6, "playlist: missing, expected a text in quotes", "role = 'selector'"),
    play(6, "playlist: missing, expected a text in quotes", "role = 'playlist'"),
    play(8, "released: expected only with role = \"selector\"", "role = 'playlist'\nreleased = 'a'\nplaylist = 'b'"),
    play(8, "playlist: expected only with role = \"playlist\"", "role = 'play'\nplaylist = 'b'"),
    fault(
      "8: readers.pad.device: missing, expected a whole name or a path in quotes", [7: "role = 'play'\n[readers.pad]"]),
    fault(
      "9: readers.pad.device: found \"* pad\", expected a whole name or a path in quotes",
      [7: "role = 'play'\n[readers.pad]\ndevice = '* pad'"]),
    fault(
      "9: readers.pad.code: unknown key, expected kind, device, length, protocol or lift",
      [7: "role = 'play'\n[readers.pad]\ncode = 1\ndevice = 'k'"]),
    fault(
      "10: readers.pad.length: 0 is out of range, expected 1...64",
      [7: "role = 'play'\n[readers.pad]\ndevice = 'k'\nlength = 0"]),
    fault(
      "10: readers.box.device: expected only with `protocol`",
      [7: "role = 'play'\n[readers.box]\nkind = 'presence'\ndevice = '/dev/ttyUSB0'"]),
    fault(
      "10: readers.box.protocol: \"rc522\" is unknown, expected rdm6300, pn532 or pcsc",
      [7: "role = 'play'\n[readers.box]\nkind = 'presence'\nprotocol = 'rc522'\ndevice = '/dev/ttyUSB0'"]),
    fault(
      "8: readers.box.device: missing, expected a text in quotes",
      [7: "role = 'play'\n[readers.box]\nkind = 'presence'\nprotocol = 'pn532'"]),
    fault(
      "12: readers.shelf.device: missing, expected how its name begins, as there are several readers of PC/SC",
      [
        7: """
        role = 'play'
        [readers.box]
        kind = 'presence'
        protocol = 'pcsc'
        device = 'ACS'
        [readers.shelf]
        kind = 'presence'
        protocol = 'pcsc'
        """
      ]),
    fault(
      "10: readers.box.protocol: expected only with kind = \"presence\"",
      [7: "role = 'play'\n[readers.box]\ndevice = 'k'\nprotocol = 'pn532'"]),
    fault("9: readers.pad: found 1, expected a table", [7: "role = 'play'\n[readers]\npad = 1"]),
    fault(
      "11: readers.pad.device: \"k\" is taken by lines.PLAY on line 6, expected another",
      [7: "role = 'play'\ndevice = 'k'\ncode = 'play'\n[readers.pad]\ndevice = 'k'"]),
    fault(
      "11: readers.card.device: \"k\" is taken by readers.pad on line 8, expected another",
      [7: "role = 'play'\n[readers.pad]\ndevice = 'k'\n[readers.card]\ndevice = 'k'"]),
  ]

  private static let root = [
    fault("1: name: missing, expected a text in quotes", [1: ""]),
    fault("1: name: found 7, expected a text in quotes", [1: "name = 7"]),
    fault("1: name: found an empty text, expected a text in quotes", [1: "name = ''"]),
    fault(
      #"1: name: found a control character in "a\u{0}b", expected a text in quotes"#, [1: #"name = "a\u0000b""#]),
    fault("2: models: found \"Maker\", expected an array of texts in quotes", [2: "models = 'Maker'"]),
    fault("4: models: found 2 in it, expected an array of texts in quotes", [2: "models = [\n'a',\n2]"]),
    fault("3: models: found an empty text in it, expected an array of texts in quotes", [2: "models = ['a',\n'']"]),
    fault("2: rate: found 44.1, expected a whole number 8000...192000", [2: "rate = 44.1"]),
    fault("2: rate: 7999 is out of range, expected 8000...192000", [2: "rate = 7999"]),
    fault("2: rate: 192001 is out of range, expected 8000...192000", [2: "rate = 192001"]),
    fault("1: rate: missing, expected a whole number 8000...192000", [2: ""]),
    fault("3: buffer: \"19ms\" is out of range, expected 20ms...2s", [3: "buffer = '19ms'"]),
    fault("3: buffer: 2.001 is out of range, expected 20ms...2s", [3: "buffer = 2.001"]),
    fault("3: buffer: nan is out of range, expected 20ms...2s", [3: "buffer = nan"]),
    fault("3: buffer: \"0.2 s\" is no number with ms, s, min, h or d, expected 20ms...2s", [3: "buffer = '0.2 s'"]),
    fault("3: buffer: found true, expected a duration 20ms...2s", [3: "buffer = true"]),
    fault("3: buffer: found a date or time, expected a duration 20ms...2s", [3: "buffer = 07:32:00"]),
    fault("4: chip: found 0, expected a text in quotes", [3: "buffer = 1\nchip = 0"]),
    fault("4: chip: found an empty text, expected a text in quotes", [3: "buffer = 1\nchip = ''"]),
    fault("2: Rate: unknown key, did you mean rate?", [2: "Rate = 44100"]),
    fault(
      "2: volume: unknown key, expected name, models, simulated, rate, buffer, chip, console, lines, readers, knobs, "
        + "ports or inputs",
      [2: "volume = 3"]),
    fault("4: console: found \"tty\", expected a table", [3: "buffer = 1\nconsole = 'tty'"]),
    fault("4: console.device: missing, expected a path that starts with /", [3: "buffer = 1\n[console]"]),
    fault(
      "5: console.device: found \"ttyS0\", expected a path that starts with /",
      [3: "buffer = 1\n[console]\ndevice = 'ttyS0'"]),
    fault(
      "4: console.speed: 9601 is not supported, expected 300, 600, 1200, 2400, 4800, 9600, 19200, 38400, "
        + "57600, 115200, 230400, 460800, 500000, 576000, 921600, 1000000, 1152000, 1500000, 2000000, 2500000, "
        + "3000000, 3500000 or 4000000",
      [3: "buffer = 1\nconsole = {device = '/dev/ttyS0', speed = 9601}"]),
    fault("4: console.sped: unknown key, did you mean speed?", [3: "buffer = 1\nconsole = {sped = 9600}"]),
  ]

  private static let roles =
    "sense, lamp, play, stop, volume-up, volume-down, next, previous, record, cue, pair, sleep, track, playlist, popular, "
    + "selector, page, interrupter, mute, silence, amp-mute, signal, coin, coin-inhibit or free-play"
  private static let track = "a whole number 1...1000000 or a file's name in quotes"
  private static let clients = "1...31 lower-case letters, digits and hyphens, not music, cue or recorder"

  private static let lines = [
    fault("4: lines: found 3, expected a table", [4: "lines = 3", 5: "", 6: "", 7: ""]),
    fault("4: lines.JACK: found \"x\", expected a table", [4: "lines.JACK = 'x'", 5: ""]),
    fault("4: lines.JACK.role: missing, expected \(roles)", [5: ""]),
    fault("5: lines.JACK.role: \"jack\" is unknown, expected \(roles)", [5: "role = 'jack'"]),
    play(6, "client: missing, expected a name of \(clients)", "role = 'interrupter'"),
    play(8, "client: found \"Fire\", expected \(clients)", "role = 'interrupter'\nclient = 'Fire'"),
    play(8, "client: found \"\", expected \(clients)", "role = 'interrupter'\nclient = ''"),
    play(8, "client: found \"cue\", expected \(clients)", "role = 'interrupter'\nclient = 'cue'"),
    play(8, "client: found 7, expected a name of \(clients)", "role = 'interrupter'\nclient = 7"),
    play(
      8, "client: found \"a2345678901234567890123456789012\", expected \(clients)",
      "role = 'interrupter'\nclient = 'a2345678901234567890123456789012'"),
    play(8, "client: expected only with role = \"interrupter\"", "role = 'page'\nclient = 'page'"),
    play(6, "track: missing, expected \(track)", "role = 'track'"),
    play(8, "track: 0 is out of range, expected \(track)", "role = 'track'\ntrack = 0"),
    play(8, "track: found an empty text, expected \(track)", "role = 'track'\ntrack = ''"),
    play(8, "track: found 1.5, expected \(track)", "role = 'track'\ntrack = 1.5"),
    play(6, "popular: missing, expected a whole number 1...1000", "role = 'popular'"),
    play(8, "popular: 1001 is out of range, expected 1...1000", "role = 'popular'\npopular = 1001"),
    play(8, "popular: expected only with role = \"popular\"", "role = 'play'\npopular = 1"),
    play(
      9, "rearm: expected only with role = \"track\", \"playlist\" or \"cue\"",
      "role = 'popular'\npopular = 1\nrearm = 1"),
    play(8, "track: expected only with role = \"track\"", "role = 'play'\ntrack = 1"),
    play(8, "client: expected only with role = \"interrupter\"", "role = 'track'\nclient = 'a'\ntrack = 1"),
    fault("6: lines.JACK.debonce: unknown key, did you mean debounce?", [5: "role = 'sense'\ndebonce = 1"]),
    fault("6: lines.JACK.debounce: 0 is out of range, expected 1ms...1s", [5: "role = 'sense'\ndebounce = 0"]),
    fault("6: lines.JACK.active: \"lo\" is unknown, expected high or low", [5: "role = 'sense'\nactive = 'lo'"]),
    fault(
      "6: lines.JACK.bias: \"up\" is unknown, expected as-is, disabled, pull-up or pull-down",
      [5: "role = 'sense'\nbias = 'up'"]),
    fault("6: lines.JACK.chip: found without offset, expected both or none", [5: "role = 'sense'\nchip = 'c'"]),
    fault(
      "7: lines.JACK.chip: found without offset, expected both or none",
      [3: "buffer = 1\nchip = 'c'", 5: "role = 'sense'\nchip = 'd'"]),
    fault(
      "6: lines.JACK.offset: found without chip, expected one beside it or at the top of the file",
      [5: "role = 'sense'\noffset = 1"]),
    fault(
      "7: lines.JACK.chip: found 0, expected a text in quotes",
      [3: "buffer = 1\nchip = 'c'", 5: "role = 'sense'\nchip = 0"]),
    fault(
      "6: lines.JACK.offset: 512 is out of range, expected 0...511", [5: "role = 'sense'\noffset = 512\nchip = 'c'"]),
    play(8, "bias: found on a lamp, expected only on inputs", "role = 'lamp'\nbias = 'as-is'"),
    play(8, "debounce: found on a lamp, expected only on inputs", "role = 'lamp'\ndebounce = 1"),
    play(8, "bias: found on an amp-mute, expected only on inputs", "role = 'amp-mute'\nbias = 'as-is'"),
    play(8, "debounce: found on an amp-mute, expected only on inputs", "role = 'amp-mute'\ndebounce = 1"),
    fault(#"6: lines."É": not a label, expected 1...31 printable ASCII characters"#, [6: #"[lines."É"]"#]),
    fault(#"6: lines."": not a label, expected 1...31 printable ASCII characters"#, [6: #"[lines.""]"#]),
    fault(
      "6: lines.A2345678901234567890123456789012: not a label, expected 1...31 printable ASCII characters",
      [6: "[lines.A2345678901234567890123456789012]"]),
  ]

  private static let withoutPorts = Dictionary(uniqueKeysWithValues: (8...16).map { ($0, "") })

  private static let ports = [
    fault("1: ports: missing, expected at least one port", withoutPorts),
    fault("8: ports: is empty, expected at least one port", withoutPorts.merging([8: "[ports]"]) { $1 }),
    fault("13: ports.speeker: unknown key, did you mean speaker?", [13: "[ports.speeker]"]),
    fault(
      "13: ports.gramophone: unknown key, expected headphones, line-out, speaker, bluetooth or usb",
      [13: "[ports.gramophone]"]),
    fault("8: ports.headphones.sense: missing, expected gpio, switch, jack, bluetooth or always", [9: ""]),
    fault(
      "9: ports.headphones.sense: \"gpoi\" is unknown, expected gpio, switch, jack, bluetooth or always",
      [9: "sense = 'gpoi'"]),
    fault("8: ports.headphones.line: missing, expected a text in quotes", [10: ""]),
    fault(
      "10: ports.headphones.line: found with sense = \"always\", expected only with \"gpio\", \"switch\", \"jack\" or "
        + "\"bluetooth\"",
      [9: "sense = 'always'"]),
    fault(
      "10: ports.headphones.line: \"JAKC\" is not a line of this board, did you mean \"JACK\"?", [10: "line = 'JAKC'"]),
    fault(
      "10: ports.headphones.line: \"TELEPHONE\" is not a line of this board, expected \"JACK\"",
      [10: "line = 'TELEPHONE'"]),
    fault(
      "10: ports.headphones.line: \"PLAY\" is not a line of role sense, expected \"JACK\"", [10: "line = 'PLAY'"]),
    fault(
      "10: ports.headphones.line: \"JACK\" is not a line of role sense, expected a line of role sense",
      [5: "role = 'stop'"]),
    fault("8: ports.headphones.priority: missing, expected a whole number 0...100", [11: ""]),
    fault("11: ports.headphones.priority: -1 is out of range, expected 0...100", [11: "priority = -1"]),
    fault("12: ports.headphones.ceiling: 140 is out of range, expected 0...100", [11: "priority = 3\nceiling = 140"]),
    fault(
      "13: ports.headphones.floor: 60 is out of range, expected 0...50", [11: "priority = 3\nceiling = 50\nfloor = 60"]),
    fault(
      "12: ports.headphones.channels: \"both\" is unknown, expected stereo, mono, left, right or swap",
      [11: "priority = 3\nchannels = \"both\""]),
    fault(
      "12: ports.headphones.balance: 101 is out of range, expected -100...100", [11: "priority = 3\nbalance = 101"]),
    fault("12: ports.headphones.private: found 1, expected true or false", [11: "priority = 3\nprivate = 1"]),
    fault("8: ports.headphones.pcm: missing, expected a text in quotes", [12: ""]),
    fault("12: ports.headphones.pmc: unknown key, did you mean pcm?", [12: "pmc = 'x'"]),
  ]

  private static let inputs = [
    fault("4: inputs: found \"mic\", expected a table", [3: "buffer = 1\ninputs = 'mic'"]),
    fault("4: inputs: is empty, expected microphone or line-in", [3: "buffer = 1\n[inputs]"]),
    fault("4: inputs.mic: unknown key, expected microphone or line-in", [3: "buffer = 1\n[inputs.mic]"]),
    fault("5: inputs.microphone: found \"hw:1\", expected a table", [3: "buffer = 1\n[inputs]\nmicrophone = 'hw:1'"]),
    fault("4: inputs.microphone.pcm: missing, expected a text in quotes", [3: "buffer = 1\n[inputs.microphone]"]),
    fault(
      "5: inputs.line-in.rate: stands in [inputs.line-in], expected above the first [table] of the file",
      [3: "buffer = 1\n[inputs.line-in]\nrate = 8000"]),
    fault(
      "6: inputs.microphone: comes after inputs.line-in on line 4, expected one input at most",
      [3: "buffer = 1\n[inputs.line-in]\npcm = 'a'\n[inputs.microphone]\npcm = 'b'"]),
  ]

  private static let crossed = [
    fault("6: lines.PLAY: is used by no port, expected one with this line", [7: "role = 'sense'"]),
    fault(
      "14: ports.speaker.line: is taken by ports.headphones on line 8, expected a line of its own",
      [14: "line = 'JACK'", 16: "sense = 'gpio'\npcm = 'out'"]),
    fault(
      "15: ports.speaker.priority: 30 is taken by ports.headphones on line 8, expected another", [15: "priority = 30"]),
    fault(
      "10: lines.PLAY.offset: 3 on 0 is taken by lines.JACK on line 4, expected another",
      [5: "role = 'sense'\noffset = 3\nchip = '/dev/gpiochip0'", 7: "role = 'play'\noffset = 3\nchip = '0'"]),
    fault(
      "11: lines.PLAY.offset: 3 on 0 is taken by lines.JACK on line 5, expected another",
      [
        3: "buffer = 1\nchip = '0'", 5: "role = 'sense'\noffset = 3\nchip = 'gpiochip0'",
        7: "role = 'play'\noffset = 3",
      ]),
    fault(
      "10: lines.B.client: is taken by lines.PLAY on line 6, expected one line for this client",
      [7: "role = 'page'\n[lines.B]\nrole = 'interrupter'\nclient = 'page'"]),
    fault(
      "11: lines.B.track: is taken by lines.PLAY on line 6, expected one line for this track",
      [7: "role = 'track'\ntrack = 3\n[lines.B]\nrole = 'track'\ntrack = 3"]),
    fault(
      "11: lines.B.popular: is taken by lines.PLAY on line 6, expected one line for this place",
      [7: "role = 'popular'\npopular = 3\n[lines.B]\nrole = 'popular'\npopular = 3"]),
  ]

  private static let twice = ["play", "lamp", "record", "cue", "mute", "amp-mute", "page"].map { role in
    fault(
      "9: lines.B.role: is taken by lines.PLAY on line 6, expected one line of this role",
      [7: "role = '\(role)'\n[lines.B]\nrole = '\(role)'"])
  }
}
