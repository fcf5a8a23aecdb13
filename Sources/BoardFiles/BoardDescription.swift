import AudioSession
import Board
import Files
import Jukebox

/// The checked content of `board/NAME.toml`.
public struct BoardDescription: Hashable, Sendable {
  /// A serial console.
  public struct Console: Hashable, Sendable {
    /// Path of the device.
    public var device: String
    /// Bits a second, one of `speeds`.
    public var speed: Int

    /// The speeds that `termios` has constants for.
    public static let speeds = SerialSpeed.table.map(\.speed)
  }

  /// The name to print.
  public var name: String
  /// Prefixes of the device-tree models of this board.
  public var models: [String]
  /// Whether its lines are virtual, moved by keys or a scenario.
  public var isSimulated: Bool
  /// Frames a second.
  public var rate: Int
  /// The buffer to ask an output device for.
  public var buffer: Duration
  public var console: Console?
  /// The lines in the order of the file.
  public var lines: [LineDescription]
  /// The readers in the order of the file.
  public var readers: [ReaderDescription]
  /// The knobs in the order of the file.
  public var knobs: [KnobDescription]
  /// The ports in the order of the file; there is at least one.
  public var ports: [PortDescription]
  /// The input to record from, if there is one.
  public var input: InputDescription?
  /// What is not as it should be in its file, and no reason to refuse it.
  public var remarks: [FileError] = []

  public init(
    name: String, models: [String] = [], isSimulated: Bool = false, rate: Int, buffer: Duration,
    console: Console? = nil,
    lines: [LineDescription], readers: [ReaderDescription] = [], knobs: [KnobDescription] = [],
    ports: [PortDescription], input: InputDescription? = nil
  ) {
    self.name = name
    self.models = models
    self.isSimulated = isSimulated
    self.rate = rate
    self.buffer = buffer
    self.console = console
    self.lines = lines
    self.readers = readers
    self.knobs = knobs
    self.ports = ports
    self.input = input
  }

  /// The brain's configuration: this board, and the owner's settings.
  public func configuration(
    settings: Settings, clients: [SessionClient] = [], cues: [Cue] = []
  ) -> Configuration {
    var configuration = Configuration(
      rate: rate,
      lines: lines.map { Line(name: $0.name, role: $0.role, debounce: $0.debounce, manners: $0.manners) },
      readers: readers.map(\.name),
      knobs: knobs.map(\.knob),
      ports: ports.map(\.output),
      input: input?.port,
      clients: clients,
      cues: cues,
      settings: settings)
    for reader in readers {
      configuration.readerLengths[reader.name] = reader.length
      configuration.readerLifts[reader.name] = reader.lift
    }
    return configuration
  }

  /// The board without these ports and the lines that tell of their plugs.
  public func without(_ unwired: [Port]) -> BoardDescription {
    var board = self
    board.ports.removeAll { unwired.contains($0.output.port) }
    let gone = Set(ports.filter { unwired.contains($0.output.port) }.map(\.output.sense))
    board.lines.removeAll { $0.role == .sense && gone.contains(.line($0.name)) }
    // The keys of headsets, too, where none can be connected.
    if !board.ports.contains(where: \.output.isWireless) {
      board.lines.removeAll { if case .headsetKey = $0.source { true } else { false } }
    }
    return board
  }

  /// The session clients that its contacts activate, in the order of the file.
  public var interrupters: [ClientName] {
    lines.compactMap { if case .interrupter(let client) = $0.role { client } else { nil } }
  }

  /// The readers that say whether a card lies on them, and that the firmware reads itself.
  public func cardReaderRequests() -> [CardReaderRequest] {
    readers.compactMap { reader in
      reader.speech.map { CardReaderRequest(name: reader.name, speech: $0, device: reader.device ?? "") }
    }
  }

  /// The keys and switches of input devices that are lines.
  public func inputRequests() -> [InputLineRequest] {
    lines.compactMap { line in
      switch line.source {
      case .input(let device, let code): InputLineRequest(name: line.name, device: device, code: code)
      // BlueZ makes an input device of them while the headset is connected.
      case .headsetKey(let address, let code):
        InputLineRequest(name: line.name, device: "* (AVRCP)", headset: address, code: code)
      case .gpio, .jack, .headset, .led: nil
      }
    }
  }

  /// The jack controls of sound cards that are lines.
  public func jackRequests() -> [JackLineRequest] {
    lines.compactMap { line in
      guard case .jack(let card, let control) = line.source else { return nil }
      return JackLineRequest(name: line.name, card: card, control: control)
    }
  }

  /// The Bluetooth headsets that are lines.
  public func headsetRequests() -> [HeadsetLineRequest] {
    lines.compactMap { line in
      guard case .headset(let address) = line.source else { return nil }
      return HeadsetLineRequest(name: line.name, address: address)
    }
  }

  /// The lines that the GPIO backend has to open: inputs with their bias, lamp and signals off, the amplifier muted,
  /// coins inhibited.
  public func lineRequests() -> [LineRequest] {
    let requests = lines.compactMap { line -> LineRequest? in
      guard case .gpio(let fallback) = line.source else { return nil }
      let direction: LineRequest.Direction =
        switch line.role {
        case .sense, .button, .interrupter, .mute, .selector, .silence, .coin, .freePlay: .input(bias: line.bias)
        case .lamp, .signal: .output(asserted: false)
        case .ampMute, .coinInhibit: .output(asserted: true)
        }
      // The brain debounces, not the kernel: the kernel would hold an edge back until the level is steady, but sound
      // has to stop at the first edge of a release (R3).
      return LineRequest(name: line.name, fallback: fallback, activeLow: line.activeLow, direction: direction)
    }
    return requests + knobRequests
  }
}

/// One line of a board: `[lines.NAME]`, or the switch or jack that a port's `sense` names.
public struct LineDescription: Hashable, Sendable {
  public enum Source: Hashable, Sendable {
    /// A line of a GPIO chip, and where it is when no chip knows its name as a label.
    case gpio(fallback: ChipOffset?)
    /// A key or switch of an input device, which is found by its name or path.
    case input(device: String, code: InputCode)
    /// A key of a Bluetooth headset: of the one with this address, or of any.
    case headsetKey(BluetoothAddress?, code: InputCode)
    /// A control of a sound card, which is found by its id.
    case jack(card: String, control: String)
    /// A Bluetooth headset: the one with this address, or any.
    case headset(BluetoothAddress?)
    /// A light of the kernel's LED class, by its name.
    case led(String)

    /// The only headset that counts; nil: any, or none.
    var headset: BluetoothAddress? {
      switch self {
      case .headset(let address): address
      case .gpio, .input, .headsetKey, .jack, .led: nil
      }
    }

    var isWireless: Bool {
      switch self {
      case .headset: true
      case .gpio, .input, .headsetKey, .jack, .led: false
      }
    }
  }
  /// For a GPIO line, also the label that is looked for first.
  public var name: String
  public var role: Line.Role
  public var source: Source
  /// Whether a low level asserts it. Only GPIO lines have this and `bias`.
  public var activeLow: Bool
  /// `asIs` for an output.
  public var bias: LineRequest.Bias
  /// How long a level must hold before it counts. Inputs only.
  public var debounce: Duration
  /// How long an amp-mute stays asserted after a switch of the route or the opening of an output.
  public var settle = Duration.zero
  /// The port behind the amplifier of an amp-mute; nil: all.
  public var serves: Port?
  /// The manners of a contact that is not a button.
  public var manners: Manners?

  public init(
    name: String, role: Line.Role, source: Source = .gpio(fallback: nil), activeLow: Bool = false,
    bias: LineRequest.Bias = .asIs, debounce: Duration = .milliseconds(30)
  ) {
    self.name = name
    self.role = role
    self.source = source
    self.activeLow = activeLow
    self.bias = bias
    self.debounce = debounce
  }
}

/// A keypad, or a bar-code or card reader: `[readers.NAME]`.
public struct ReaderDescription: Hashable, Sendable {
  public var name: String
  /// How long a card may be gone that was not lifted, for a reader of kind `presence`; nil: it types.
  public var lift: Duration?
  /// How one of kind `presence` is spoken to; nil: it types, or a program says by `token` what lies there.
  public var speech: CardReaderRequest.Speech?
  /// The input device's name, or its path, or that of a serial line, or how the name of a reader at PC/SC begins; nil:
  /// there is none, or at PC/SC the only one.
  public var device: String?
  /// How many characters end a token by themselves; nil: Enter does, or what `[tokens]` says.
  public var length: Int?
}

/// One output of a board: `[ports.NAME]`.
public struct PortDescription: Hashable, Sendable {
  /// The port as the brain sees it.
  public var output: OutputPort
  /// Name of the ALSA PCM it plays to.
  public var pcm: String
  /// The mixer control for its volume; nil: volume is made in software.
  public var mixer: MixerDescription?
  /// What the file says of that PCM; what it does not say is found out when it is opened.
  public var card: KnownCard

  public init(output: OutputPort, pcm: String, mixer: MixerDescription? = nil, card: KnownCard = KnownCard()) {
    self.output = output
    self.pcm = pcm
    self.mixer = mixer
    self.card = card
  }
}

/// The input of a board: `[inputs.NAME]`.
public struct InputDescription: Hashable, Sendable {
  public var port: InputPort
  /// Name of the ALSA PCM it is recorded from.
  public var pcm: String

  public init(port: InputPort, pcm: String) {
    self.port = port
    self.pcm = pcm
  }
}

extension BoardDescription {
  /// What the file says of its PCMs, by name. Ports that share one agree, or the first that says it decides.
  public var knownCards: [String: KnownCard] {
    Dictionary(ports.map { ($0.pcm, $0.card) }) { first, second in
      KnownCard(
        takesBack: first.takesBack ?? second.takesBack, positionStep: first.positionStep ?? second.positionStep)
    }
  }
}
