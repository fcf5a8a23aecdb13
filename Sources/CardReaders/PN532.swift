/// A PN532 on its serial line (HSU), for MIFARE, NTAG and other cards of ISO 14443 A (NXP, UM0701-02). Asked for a card
/// (`InListPassiveTarget`), it takes the question at once and answers when one lies there, even a year later. A new
/// question takes the place of one that is not answered.
struct PN532: CardProtocol {
  static let speed = 115_200
  static let least: UInt8 = 1
  /// Wakes it, and has it use its antenna for cards (`SAMConfiguration`, normal mode).
  static let greeting = [0x55, 0x55] + [UInt8](repeating: 0, count: 14) + frame(of: [Code.toReader, 0x14, 0x01])
  /// One card, of 106 kbit/s type A.
  private static let question = frame(of: [Code.toReader, Code.list, 0x01, 0x00])
  /// The commands before the first question, and the number of its answer. It looks for a card without end
  /// (`RFConfiguration`, MaxRetries), because whatever has used it before may have set a limit; and it opens no session
  /// with cards that have a processor (`SetParameters`, without fAutomaticRATS), as in one they answer no second
  /// question.
  private static let manners: [(frame: [UInt8], answer: UInt8)] = [
    (frame(of: [Code.toReader, 0x32, 0x05, 0xFF, 0x01, 0xFF]), 0x33), (frame(of: [Code.toReader, 0x12, 0x04]), 0x13),
  ]

  private enum Code {
    static let (toReader, fromReader): (UInt8, UInt8) = (0xD4, 0xD5)
    static let list: UInt8 = 0x4A
    static let configured: UInt8 = 0x15
    /// An answer has the number of its command plus one.
    static let listed: UInt8 = 0x4B
    /// All of an answer that refuses a command.
    static let refused: UInt8 = 0x7F
  }

  private static let mostBytes = 600

  private(set) var isReady = false
  /// How many of `manners` it has taken, or refused: one that knows less may still read cards.
  private var known = 0
  private var isAsked = false
  /// Whether the question was taken, of which the answer may still be out.
  private var isTaken = false
  private var bytes: [UInt8] = []

  mutating func ask() -> [UInt8] {
    (isAsked, isTaken, bytes) = (true, false, [])
    return known < Self.manners.count ? Self.manners[known].frame : Self.question
  }

  mutating func look(at more: [UInt8]) -> CardLook {
    // No more than an answer and what comes with it.
    bytes = Array((bytes + more).suffix(Self.mostBytes))
    var token: String?
    // Any other answer is none to the question.
    var isOther = false
    while let frame = takeFrame() {
      switch frame {
      case .taken: isTaken = true
      case .data(let data):
        token = take(data) ?? token
        isOther = true
      }
    }
    if let token { return .card(token) }
    if isOther { return .unclear }
    if isAsked && !isTaken { return .deaf }
    return bytes.isEmpty ? .absent : .unclear
  }

  private mutating func take(_ data: [UInt8]) -> String? {
    if data == [Code.refused], isReady, isTaken, known < Self.manners.count { known += 1 }
    guard data.count >= 2, data[0] == Code.fromReader else { return nil }
    if data[1] == Code.configured { isReady = true }
    if known < Self.manners.count, data[1] == Self.manners[known].answer { known += 1 }
    // Number of cards, number of this one, SENS_RES (2), SEL_RES, length of its UID, UID.
    guard data[1] == Code.listed, data.count > 8, data[2] == 1 else { return nil }
    let length = Int(data[7])
    guard [4, 7, 10].contains(length), data.count >= 8 + length else { return nil }
    return CardUID.token(of: data[8..<(8 + length)])
  }

  /// How many bytes wait for the rest of their frame.
  var waiting: Int { bytes.count }

  // MARK: - Frames

  private enum Frame {
    /// The reader has got the question (ACK).
    case taken
    case data([UInt8])
  }

  private static func frame(of data: [UInt8]) -> [UInt8] {
    let length = UInt8(truncatingIfNeeded: data.count)
    return [0x00, 0x00, 0xFF, length, 0 &- length] + data + [0 &- data.reduce(0, &+), 0x00]
  }

  /// Takes the next whole frame out of what has come, and the noise before it.
  private mutating func takeFrame() -> Frame? {
    while let start = bytes.indices.dropLast().first(where: { bytes[$0] == 0x00 && bytes[$0 + 1] == 0xFF }) {
      bytes.removeFirst(start)
      guard bytes.count >= 4 else { return nil }
      let (length, check) = (bytes[2], bytes[3])
      if length == 0, check == 0xFF {
        bytes.removeFirst(4)
        dropPostamble()
        return .taken
      }
      guard length &+ check == 0 else {
        bytes.removeFirst()
        continue
      }
      let end = 4 + Int(length)
      guard bytes.count > end else { return nil }
      let data = Array(bytes[4..<end])
      guard data.reduce(bytes[end], &+) == 0 else {
        bytes.removeFirst()
        continue
      }
      bytes.removeFirst(end + 1)
      dropPostamble()
      return .data(data)
    }
    bytes.removeFirst(bytes.last == 0x00 ? bytes.count - 1 : bytes.count)
    return nil
  }

  /// One zero follows a frame, which may come later.
  private mutating func dropPostamble() {
    if bytes.first == 0x00 && bytes.dropFirst().first != 0xFF { bytes.removeFirst() }
  }
}
