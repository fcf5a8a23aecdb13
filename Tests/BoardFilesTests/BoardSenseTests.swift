import AudioSession
import Board
import BoardFiles
import Files
import Jukebox
import Testing

@Suite struct BoardSenseTests {
  private func board(_ tables: String) throws -> BoardDescription {
    let head = "name = \"B\"\nrate = 48000\nbuffer = 1\n"
    return try BoardFile.parse(Array((head + tables).utf8), file: "b.toml")
  }

  private let dock = LineDescription.Source.input(
    device: "keys", code: InputCode(kind: .switch, number: 5, name: "dock"))

  @Test("a switch is a line of role sense, named after its code")
  func switches() throws {
    let board = try board(
      """
      [ports.line-out]
      sense = "switch"
      device = "keys"
      code = "dock"
      debounce = "10ms"
      priority = 1
      pcm = "out"
      """)
    #expect(
      board.lines == [LineDescription(name: "dock", role: .sense, source: dock, debounce: .milliseconds(10))])
    #expect(board.ports.map(\.output.sense) == [.line("dock")])
    #expect(board.lineRequests() == [])
    #expect(
      board.inputRequests()
        == [InputLineRequest(name: "dock", device: "keys", code: InputCode(kind: .switch, number: 5, name: "dock"))])
    #expect(
      board.configuration(settings: Settings()).lines
        == [Line(name: "dock", role: .sense, debounce: .milliseconds(10))])
  }

  @Test("a jack is a line of role sense, named after its control or as the file says")
  func jacks() throws {
    let board = try board(
      """
      [ports.headphones]
      sense = "jack"
      control = "Headphone Jack"
      priority = 2
      pcm = "plughw:CARD=Device,DEV=0"
      [ports.usb]
      sense = "jack"
      line = "USB_JACK"
      card = "Other"
      control = "Headphone Jack"
      priority = 1
      pcm = "out"
      """)
    #expect(
      board.jackRequests() == [
        JackLineRequest(name: "Headphone Jack", card: "Device", control: "Headphone Jack"),
        JackLineRequest(name: "USB_JACK", card: "Other", control: "Headphone Jack"),
      ])
    #expect(board.lines.map(\.debounce) == [.milliseconds(30), .milliseconds(30)])
    #expect(board.ports.map(\.output.sense) == [.line("Headphone Jack"), .line("USB_JACK")])
  }

  @Test("B1: a Bluetooth headset is a line of role sense, of one address or of any")
  func headsets() throws {
    let board = try board(
      """
      [ports.bluetooth]
      sense = "bluetooth"
      priority = 2
      pcm = "bluealsa"
      [ports.usb]
      sense = "bluetooth"
      line = "MINE"
      address = "00:1a:7d:da:71:13"
      priority = 1
      pcm = "bluealsa:DEV=00:1A:7D:DA:71:13"
      """)
    #expect(
      board.headsetRequests() == [
        HeadsetLineRequest(name: "bluetooth", address: nil),
        HeadsetLineRequest(name: "MINE", address: BluetoothAddress("00:1A:7D:DA:71:13")),
      ])
    #expect(board.lines.prefix(2).map(\.role) == [.sense, .sense])
    #expect(board.ports.map(\.output.sense) == [.line("bluetooth"), .line("MINE")])
  }

  @Test("B5: the keys of a headset are buttons beside those of the board, once, unless the board file says no")
  func headsetKeys() throws {
    func port(_ name: String, _ keys: String = "") -> String {
      "[ports.\(name)]\nsense = \"bluetooth\"\nline = \"\(name)\"\npriority = \(name.count)\npcm = \"\(name)\"\n\(keys)\n"
    }
    let play = "[lines.PLAY]\nrole = \"play\"\n"
    let one = "address = \"00:1a:7d:da:71:13\""
    let board = try board(play + port("bluetooth", one) + port("usb"))
    let keys = board.inputRequests()
    #expect(keys.map(\.code.name) == ["playcd", "pausecd", "stopcd", "nextsong", "previoussong"])
    #expect(Set(keys.map(\.device)) == ["* (AVRCP)"])
    // One port takes any headset: its keys are looked for once.
    #expect(Set(keys.map(\.headset)) == [nil])
    let lines = board.lines.suffix(5)
    #expect(
      lines.map(\.role) == [.button(.play), .button(.play), .button(.stop), .button(.next), .button(.previous)])
    #expect(lines.allSatisfy { $0.debounce == .zero })
    #expect(try self.board(play + port("bluetooth", "keys = false")).inputRequests().isEmpty)
    // Each has its own, unless the board file says no.
    let two = port("bluetooth", one) + port("usb", "address = \"AA:BB:CC:DD:EE:FF\"")
    let silent = port("speaker", "address = \"11:22:33:44:55:66\"\nkeys = false")
    let ofTwo = try self.board(play + two + silent).inputRequests()
    #expect(Set(ofTwo.compactMap { $0.headset?.description }) == ["00:1A:7D:DA:71:13", "AA:BB:CC:DD:EE:FF"])
    #expect(ofTwo.count == 10 && Set(ofTwo.map(\.name)).count == 10)
    #expect(ofTwo.first?.name == "bluetooth playcd" && ofTwo.last?.name == "usb previoussong")
  }

  @Test("a button can be the key of an input device")
  func keys() throws {
    let board = try board(
      """
      [lines.PLAY]
      role = "play"
      device = "/dev/input/by-path/platform-keys-event"
      code = "playpause"
      [ports.speaker]
      sense = "always"
      priority = 1
      pcm = "out"
      """)
    #expect(
      board.inputRequests() == [
        InputLineRequest(
          name: "PLAY", device: "/dev/input/by-path/platform-keys-event",
          code: InputCode(kind: .key, number: 164, name: "playpause"))
      ])
  }

  @Test("K1.1: a key has the kernel's name or number, and is not debounced unless the file says so")
  func anyKey() throws {
    func line(_ rest: String) throws -> LineDescription? {
      try board("[lines.A]\nrole = \"play\"\ndevice = \"keys\"\n\(rest)\n\(speaker)").lines.first
    }
    let south = InputCode(kind: .key, number: 304, name: "btn-south")
    for word in ["\"btn-south\"", "\"BTN_SOUTH\"", "\"btn_a\"", "304"] {
      #expect(try line("code = \(word)")?.source == .input(device: "keys", code: south))
    }
    let one = InputCode(kind: .key, number: 2, name: "1")
    for word in ["\"1\"", "\"KEY_1\"", "2"] {
      #expect(try line("code = \(word)")?.source == .input(device: "keys", code: one))
    }
    #expect(
      try line("code = 767")?.source
        == .input(device: "keys", code: InputCode(kind: .key, number: 767, name: "key 767")))
    #expect(try line("code = \"1\"")?.debounce == .zero)
    #expect(try line("code = \"1\"\ndebounce = \"20ms\"")?.debounce == .milliseconds(20))
    // A switch is a contact.
    #expect(try line("code = \"dock\"")?.debounce == .milliseconds(30))
    // By whatever name, it is one key.
    let other = "[lines.B]\nrole = \"stop\"\ndevice = \"keys\"\ncode = 304\n"
    #expect(throws: FileError.self) { try line("code = \"btn-a\"\n\(other)") }
    #expect(throws: Never.self) { try line("code = \"btn-b\"\n\(other)") }
  }

  private let speaker = "[ports.speaker]\nsense = \"always\"\npriority = 1\npcm = \"out\""

  @Test("a port's mixer is on the card of its PCM, or on the one that the file names")
  func mixers() throws {
    let board = try board(
      """
      [ports.headphones]
      sense = "always"
      priority = 2
      pcm = "plughw:CARD=Headphones"
      mixer = "PCM"
      [ports.usb]
      sense = "always"
      priority = 1
      pcm = "usb"
      card = "Device"
      mixer = "Speaker"
      [ports.speaker]
      sense = "always"
      priority = 0
      pcm = "out"
      """)
    #expect(
      board.ports.map(\.mixer) == [
        MixerDescription(card: "Headphones", control: "PCM"), MixerDescription(card: "Device", control: "Speaker"), nil,
      ])
  }

  @Test(
    "the card is known by the name of the PCM",
    arguments: [
      ("plughw:CARD=Device,DEV=0", "Device"), ("hw:Dock", "Dock"), ("hw:0,0", "0"), ("sysdefault:CARD=A", "A"),
      ("default", nil), ("dmix:DEV=1", nil),
    ] as [(String, String?)])
  func cards(pcm: String, card: String?) throws {
    let text = "[ports.usb]\nsense = \"jack\"\ncontrol = \"J\"\npriority = 1\npcm = \"\(pcm)\""
    if let card {
      #expect(try board(text).jackRequests().map(\.card) == [card])
    } else {
      #expect(throws: FileError.self) { try board(text) }
    }
  }
}
