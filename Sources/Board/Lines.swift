import AudioSession

/// One line to open: where it is and how it is wired.
public struct LineRequest: Hashable, Sendable {
  public enum Direction: Hashable, Sendable {
    /// Both edges are reported.
    case input(bias: Bias)
    case output(asserted: Bool)
  }
  public enum Bias: String, Hashable, Sendable, CaseIterable {
    case asIs = "as-is"
    case disabled
    case pullUp = "pull-up"
    case pullDown = "pull-down"
  }

  /// The board's own name for it, as in the board file, and the label looked for first on every chip.
  public var name: String
  /// Where it is when no chip knows `name` as a label: chip name, path or number, and the offset on it.
  public var fallback: ChipOffset?
  public var activeLow: Bool
  public var direction: Direction

  public init(name: String, fallback: ChipOffset?, activeLow: Bool, direction: Direction) {
    self.name = name
    self.fallback = fallback
    self.activeLow = activeLow
    self.direction = direction
  }
}

public struct ChipOffset: Hashable, Sendable {
  /// `gpiochip0`, `/dev/gpiochip0`, `0` or a chip label.
  public var chip: String
  public var offset: Int

  public init(chip: String, offset: Int) {
    self.chip = chip
    self.offset = offset
  }
}

/// A key or switch of an input device, as a line.
public struct InputLineRequest: Hashable, Sendable {
  /// The board's own name for it.
  public var name: String
  /// The device's name, or its path; a `*` in front of a name stands for anything.
  public var device: String
  /// The only headset whose keys count, of those that `device` fits; nil: any.
  public var headset: BluetoothAddress?
  public var code: InputCode

  public init(name: String, device: String, headset: BluetoothAddress? = nil, code: InputCode) {
    self.name = name
    self.device = device
    self.headset = headset
    self.code = code
  }
}

/// A jack control of a sound card, as a line.
public struct JackLineRequest: Hashable, Sendable {
  /// The board's own name for it.
  public var name: String
  /// The card's id, such as `Headphones`.
  public var card: String
  /// The control's name, such as `Headphone Jack`.
  public var control: String

  public init(name: String, card: String, control: String) {
    self.name = name
    self.card = card
    self.control = control
  }
}

/// A card reader that says whether a card lies on it.
public struct CardReaderRequest: Hashable, Sendable {
  /// How it is spoken to.
  public enum Speech: String, Hashable, Sendable, CaseIterable {
    case rdm6300, pn532, pcsc
  }
  /// Its name in the board file.
  public var name: String
  public var speech: Speech
  /// The path of its serial device; or how its name at PC/SC begins, where an empty one is the only reader there.
  public var device: String

  public init(name: String, speech: Speech, device: String) {
    self.name = name
    self.speech = speech
    self.device = device
  }
}

/// A Bluetooth headset, as a line that is asserted while music can be played to it.
public struct HeadsetLineRequest: Hashable, Sendable {
  /// The board's own name for it.
  public var name: String
  /// nil: any headset.
  public var address: BluetoothAddress?

  public init(name: String, address: BluetoothAddress?) {
    self.name = name
    self.address = address
  }
}

/// One edge of an input line, polarity already applied.
public struct LineEdge: Hashable, Sendable {
  public var line: String
  public var asserted: Bool
  /// The kernel's time stamp of the edge (CLOCK_MONOTONIC).
  public var at: Instant
  /// Edges of this line just before it were lost: it gives the level of the line, and not how it got there.
  public var followsLoss: Bool

  public init(line: String, asserted: Bool, at: Instant, followsLoss: Bool = false) {
    self.line = line
    self.asserted = asserted
    self.at = at
    self.followsLoss = followsLoss
  }
}

/// A key of a reader, which the board file names.
public struct ReaderKey: Hashable, Sendable {
  public var reader: String
  public var key: TypedKey

  public init(reader: String, key: TypedKey) {
    self.reader = reader
    self.key = key
  }
}

/// What lies on a reader that says so.
public struct CardReading: Hashable, Sendable {
  /// The reader's name in the board file.
  public var reader: String
  /// What the card is called; nil: none lies there.
  public var token: String?
  /// When it was seen there, or, where none lies there, when one may have been for the last time.
  public var at: Instant

  public init(reader: String, token: String?, at: Instant) {
    self.reader = reader
    self.token = token
    self.at = at
  }
}

/// What an axis of an input device has counted.
public struct AxisTurn: Hashable, Sendable {
  /// The name of its request.
  public var axis: String
  /// By how much it was turned.
  public var counts: Int
  public var at: Instant

  public init(axis: String, counts: Int, at: Instant) {
    self.axis = axis
    self.counts = counts
    self.at = at
  }
}

/// The volume of a headset, which a person may turn there, too.
public struct LineVolume: Hashable, Sendable {
  public var line: String
  /// 0 to 127; nil: it takes no volume, or has gone.
  public var level: Int?

  public init(line: String, level: Int?) {
    self.line = line
    self.level = level
  }
}

/// What has lines: those that are open, and a device that has some. Control thread.
public protocol LineSource: AnyObject {
  /// Readable when an edge waits, or a device has gone; empty for a device that is closed.
  var pollDescriptors: [PollDescriptor] { get }
  /// Appends the edges that wait, oldest first over all chips; returns at once when there are none. A device may report a
  /// level again that was reported before, and throws when it is gone.
  func readEdges(into edges: inout [LineEdge]) throws(LineError)
  /// Returns the keys that `readEdges` has found at readers, oldest first.
  func takeKeys() -> [ReaderKey]
  /// Returns what `readEdges` has found to lie on readers, oldest first. The same may be said again.
  func takeCards() -> [CardReading]
  /// When to call `readEdges` although no descriptor is ready; nil: never.
  var nextLook: Instant? { get }
  /// Whether anything sounds now. While a card lies on a reader it is looked for more often then.
  func noteSounding(_ isSounding: Bool)
  /// Returns the turns of axes that `readEdges` has found, oldest first.
  func takeTurns() -> [AxisTurn]
  /// Returns the volumes of headsets that `readEdges` has found changed, oldest first.
  func takeVolumes() -> [LineVolume]
  /// Asks a headset for a volume of 0 to 127. Returns at once; `takeVolumes` returns what it has then.
  func setVolume(of line: String, to level: Int)
  /// Returns the number of edges that the kernel had no room for since the last call, at least.
  func takeLostEdges() -> Int
  /// May be called more than once.
  func close()
}

extension LineSource {
  public func takeKeys() -> [ReaderKey] { [] }
  public func takeCards() -> [CardReading] { [] }
  public var nextLook: Instant? { nil }
  public func noteSounding(_ isSounding: Bool) {}
  public func takeTurns() -> [AxisTurn] { [] }
  public func takeVolumes() -> [LineVolume] { [] }
  public func setVolume(of line: String, to level: Int) {}
  public func takeLostEdges() -> Int { 0 }
}

/// Lines that are open. Control thread.
public protocol LineSet: LineSource {
  /// The levels of all input lines now, polarity applied, by name.
  func levels() throws(LineError) -> [String: Bool]
  /// Drives an output line.
  func set(_ line: String, asserted: Bool) throws(LineError)
  /// Returns the messages for the operator since the last call.
  func takeNotices() -> [String]
}

extension LineSet {
  public func takeNotices() -> [String] { [] }
}

/// A failed call on a line or chip: what was tried, on which one, and why it failed.
public struct LineError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Operation: String, Hashable, Sendable {
    case openChip = "open chip"
    case openDevice = "open device"
    case findLine = "find line"
    case request = "request line"
    case read = "read line"
    case readEdges = "read edges"
    case set = "set line"
  }
  public var operation: Operation
  /// The line's name, or the chip's or device's where no line is concerned.
  public var subject: String
  /// Positive `errno`; 0 where the call did not fail but found nothing.
  public var code: CInt
  public var message: String
  /// A bus that does not answer has held the call, and may hold the next one.
  public var isHeld = false

  public init(operation: Operation, subject: String, code: CInt, message: String) {
    self.operation = operation
    self.subject = subject
    self.code = code
    self.message = message
  }

  public var description: String { "\(operation.rawValue) \(subject): \(message)" }
}
