import AudioSession
import BoardFiles
import Files
import Jukebox
import TestSupport
import Testing

/// The board files that are shipped.
@Suite struct BoardProfileTests {
  private static let catalogue = BoardCatalogue(folders: [repositoryPath("board")])
  static let raspberries = [
    "raspberry-pi-3", "raspberry-pi-4", "raspberry-pi-5", "raspberry-pi-zero-2-w", "raspberry-pi-400",
    "raspberry-pi-cm3",
  ]
  static let wired = raspberries + ["generic", "gpio-keys"]

  @Test("every shipped board file can be read", arguments: catalogue.names())
  func readable(name: String) throws { _ = try Self.catalogue.board(name) }

  @Test("there are the boards that the wiring page names")
  func present() { #expect(Set(Self.wired).isSubset(of: Self.catalogue.names())) }

  @Test(
    "a board has a plug for headphones and dock, the buttons of a player, lamp, page contact and amplifier",
    arguments: wired)
  func complete(name: String) throws {
    let board = try Self.catalogue.board(name)
    let roles = board.lines.map(\.role)
    let buttons: [Button] = [.play, .stop, .volumeUp, .volumeDown, .next, .previous]
    for button in buttons { #expect(roles.contains(.button(button))) }
    #expect(roles.contains(.lamp) && roles.contains(.interrupter("page")) && roles.contains(.ampMute))
    #expect(roles.filter { $0 == .sense }.count == 2)
    let ports = board.ports.map(\.output)
    #expect(ports.map(\.port) == [.headphones, .lineOut, .speaker])
    #expect(ports.map(\.isPrivate) == [true, true, false])
    #expect(!board.isSimulated)
  }

  @Test(
    "the amplifier serves the speaker, for all ports have one card, and is muted when its pin is low", arguments: wired)
  func amplifier(name: String) throws {
    let board = try Self.catalogue.board(name)
    let line = try #require(board.lines.first { $0.role == .ampMute })
    #expect(line.serves == .speaker && line.activeLow)
    #expect(Set(board.ports.map(\.pcm)).count == 1)
  }

  @Test("inputs are pulled up, as what is not connected is not asserted but for the jack", arguments: wired)
  func pulls(name: String) throws {
    for line in try Self.catalogue.board(name).lines {
      guard case .gpio = line.source else { continue }
      switch line.role {
      case .lamp, .signal, .ampMute, .coinInhibit: break
      case .sense, .button, .interrupter, .mute, .selector, .silence, .coin, .freePlay:
        #expect(line.bias == .pullUp, "\(line.name)")
      }
    }
  }

  @Test("lines have the labels that the header's pins have with every kernel, and their places", arguments: raspberries)
  func labels(name: String) throws {
    let chips = [
      "raspberry-pi-3": "pinctrl-bcm2835", "raspberry-pi-4": "pinctrl-bcm2711", "raspberry-pi-5": "pinctrl-rp1",
      "raspberry-pi-zero-2-w": "pinctrl-bcm2835", "raspberry-pi-400": "pinctrl-bcm2711",
      "raspberry-pi-cm3": "pinctrl-bcm2835",
    ]
    // The pins of an I2S DAC are left free.
    let pins = [5, 6, 12, 13, 16, 17] + Array(22...27)
    for line in try Self.catalogue.board(name).lines {
      guard case .gpio(let place?) = line.source else {
        Issue.record("\(line.name) has no place")
        continue
      }
      #expect(pins.contains(place.offset))
      #expect(line.name == "GPIO\(place.offset)")
      #expect(place.chip == chips[name])
    }
  }

  @Test(
    "the device tree's model finds its board, with or without a jack",
    arguments: [
      ("Raspberry Pi 3 Model B Plus Rev 1.3", "raspberry-pi-3"), ("Raspberry Pi 4 Model B Rev 1.5", "raspberry-pi-4"),
      ("Raspberry Pi 5 Model B Rev 1.0", "raspberry-pi-5"), ("Raspberry Pi Zero 2 W Rev 1.0", "raspberry-pi-zero-2-w"),
      ("Raspberry Pi 400 Rev 1.0", "raspberry-pi-400"), ("Raspberry Pi Compute Module 4 Rev 1.1", "raspberry-pi-400"),
      ("Raspberry Pi Compute Module 3 Plus Rev 1.0", "raspberry-pi-cm3"),
      ("Raspberry Pi 500 Rev 1.0", "raspberry-pi-5"),
      ("Raspberry Pi 3 Model A Plus Rev 1.0", "raspberry-pi-3"),
    ])
  func models(model: String, name: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.write("model", Array(model.utf8) + [0])
    #expect(try Self.catalogue.automatic(modelPath: path).name == name)
  }

  @Test("a Raspberry Pi that no file names is an error, and not the simulated board")
  func unknownModel() throws {
    let folder = try TemporaryFolder()
    let path = folder.write("model", "Raspberry Pi Zero W Rev 1.1\0")
    #expect(throws: FileError.self) { try Self.catalogue.automatic(modelPath: path) }
  }

  // MARK: - The overlay

  /// The names in the overlay, by offset.
  private static var overlayNames: [String] {
    let text = String(decoding: shippedBytes("board/jackdaw.dts"), as: UTF8.self)
    guard let start = text.firstRange(of: "gpio-line-names")?.upperBound else { return [] }
    let list = text[start...].prefix { $0 != ";" }
    return list.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  @Test("the overlay names the lines of the generic board, each at the pin that has its role on a Raspberry Pi")
  func overlay() throws {
    let generic = try Self.catalogue.board("generic")
    let raspberry = try Self.catalogue.board("raspberry-pi-4")
    #expect(Self.overlayNames.count == 28)
    #expect(generic.lines.count == raspberry.lines.count)
    for (line, pin) in zip(generic.lines, raspberry.lines) {
      guard case .gpio(let place?) = pin.source else { continue }
      #expect(line.role == pin.role)
      #expect(Self.overlayNames[place.offset] == line.name)
      #expect(line.activeLow == pin.activeLow && line.bias == pin.bias)
    }
    #expect(generic.ports.map(\.output.priority) == raspberry.ports.map(\.output.priority))
  }

  @Test("the keys of the overlay are those that the board of keys asks for")
  func overlayKeys() throws {
    let text = String(decoding: shippedBytes("board/jackdaw.dts"), as: UTF8.self)
    let board = try Self.catalogue.board("gpio-keys")
    // The overlay tells the kernel not to debounce, so the brain has to.
    #expect(board.lines.allSatisfy { $0.debounce == .milliseconds(30) })
    for request in board.inputRequests() {
      #expect(request.device == "jackdaw-keys")
      let prefix = request.code.kind == .switch ? "SW_" : "KEY_"
      let name = prefix + request.code.name.uppercased().replacing("-", with: "_")
      #expect(text.contains("linux,code = <\(request.code.number)>; // \(name)\n"), "\(name)")
    }
  }
}
