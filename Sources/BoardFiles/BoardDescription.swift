import AudioSession
import Board
import Jukebox

/// What a board is: the content of `board/NAME.toml`, checked.
public struct BoardDescription: Hashable, Sendable {
  /// A serial console.
  public struct Console: Hashable, Sendable {
    /// Path of the device.
    public var device: String
    /// Bits a second, one of `speeds`.
    public var speed: Int

    /// Those that `termios` knows.
    public static let speeds = [
      300, 600, 1_200, 2_400, 4_800, 9_600, 19_200, 38_400, 57_600, 115_200, 230_400, 460_800, 500_000, 576_000,
      921_600, 1_000_000, 1_152_000, 1_500_000, 2_000_000, 2_500_000, 3_000_000, 3_500_000, 4_000_000,
    ]

    public init(device: String, speed: Int) {
      self.device = device
      self.speed = speed
    }
  }

  /// For people.
  public var name: String
  /// How the device-tree models of this board start.
  public var models: [String]
  /// Whether its lines are virtual, moved by keys or a scenario.
  public var isSimulated: Bool
  /// Frames a second.
  public var rate: Int
  /// What an output device should hold.
  public var buffer: Duration
  public var console: Console?
  /// In the order of the file.
  public var lines: [LineDescription]
  /// In the order of the file; at least one.
  public var ports: [PortDescription]
  /// What can be recorded from.
  public var input: InputDescription?

  public init(
    name: String, models: [String] = [], isSimulated: Bool = false, rate: Int, buffer: Duration,
    console: Console? = nil,
    lines: [LineDescription], ports: [PortDescription], input: InputDescription? = nil
  ) {
    self.name = name
    self.models = models
    self.isSimulated = isSimulated
    self.rate = rate
    self.buffer = buffer
    self.console = console
    self.lines = lines
    self.ports = ports
    self.input = input
  }

  /// What the brain needs to know of this board, and of its owner's wishes.
  public func configuration(
    settings: Settings, clients: [SessionClient] = [], cues: [Cue] = []
  ) -> Configuration {
    Configuration(
      rate: rate,
      lines: lines.map { Line(name: $0.name, role: $0.role, debounce: $0.debounce) },
      ports: ports.map(\.output),
      input: input?.port,
      clients: clients,
      cues: cues,
      settings: settings)
  }

  /// The session clients that its contacts speak for, in the order of the file.
  public var interrupters: [String] {
    lines.compactMap { if case .interrupter(let client) = $0.role { client } else { nil } }
  }

  /// The keys and switches of input devices that are lines.
  public func inputRequests() -> [InputLineRequest] {
    lines.compactMap { line in
      guard case .input(let device, let code) = line.source else { return nil }
      return InputLineRequest(name: line.name, device: device, code: code)
    }
  }

  /// The jack controls of sound cards that are lines.
  public func jackRequests() -> [JackLineRequest] {
    lines.compactMap { line in
      guard case .jack(let card, let control) = line.source else { return nil }
      return JackLineRequest(name: line.name, card: card, control: control)
    }
  }

  /// What the GPIO line backend has to open: inputs with their bias, the lamp dark, the amplifier silent.
  public func lineRequests() -> [LineRequest] {
    lines.compactMap { line in
      guard case .gpio(let fallback) = line.source else { return nil }
      let direction: LineRequest.Direction =
        switch line.role {
        case .sense, .button, .interrupter, .mute: .input(bias: line.bias)
        case .lamp: .output(asserted: false)
        case .ampMute: .output(asserted: true)
        }
      // The kernel is not asked to debounce: it would hold an edge back until the level is steady, but a release has to
      // be silent at its first edge (R3). The brain debounces.
      return LineRequest(name: line.name, fallback: fallback, activeLow: line.activeLow, direction: direction)
    }
  }
}

/// One line of a board: `[lines.NAME]`, or what a port's `sense` makes a line of.
public struct LineDescription: Hashable, Sendable {
  public enum Source: Hashable, Sendable {
    /// A line of a GPIO chip, and where it is when no chip knows its name as a label.
    case gpio(fallback: ChipOffset?)
    /// A key or switch of an input device, which is found by its name or path.
    case input(device: String, code: InputCode)
    /// A control of a sound card, which is found by its id.
    case jack(card: String, control: String)
  }
  /// Of a GPIO line, the label that is looked for first.
  public var name: String
  public var role: Line.Role
  public var source: Source
  /// Means nothing but for a GPIO line, and so does `bias`.
  public var activeLow: Bool
  /// `asIs` for an output.
  public var bias: LineRequest.Bias
  /// How long a level must hold before it counts. Means nothing for an output.
  public var debounce: Duration
  /// Of an amp-mute: how long it stays asserted after a switch of the route or the opening of an output.
  public var settle = Duration.zero
  /// Of an amp-mute: the port behind the amplifier; nil: all.
  public var serves: Port?

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

/// One output of a board: `[ports.NAME]`.
public struct PortDescription: Hashable, Sendable {
  /// The port as the brain sees it.
  public var output: OutputPort
  /// Name of the ALSA PCM it plays to.
  public var pcm: String
  /// What makes it louder and softer; nil: the samples.
  public var mixer: MixerDescription?

  public init(output: OutputPort, pcm: String, mixer: MixerDescription? = nil) {
    self.output = output
    self.pcm = pcm
    self.mixer = mixer
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
