/// How a kind of reader is spoken to over its serial line. It knows no device and no time.
protocol CardProtocol {
  static var speed: Int { get }
  /// How many bytes the kernel keeps before it wakes anybody while no card lies there.
  static var least: UInt8 { get }
  /// What the reader is sent first; empty: it needs nothing.
  static var greeting: [UInt8] { get }
  init()
  /// Whether it has answered the greeting.
  var isReady: Bool { get }
  /// What has it look for a card, or for the one that may lie there; empty: it says so by itself.
  mutating func ask() -> [UInt8]
  /// What the bytes that have come since the last look say.
  mutating func look(at bytes: [UInt8]) -> CardLook
}

enum CardLook: Hashable {
  /// This one lies there.
  case card(String)
  /// None does, and the reader says by itself when one comes.
  case absent
  /// Only noise, or a part of something.
  case unclear
  /// The reader did not take what it was asked.
  case deaf
}
