import Testing

@testable import CardReaders

@Suite struct RDM6300Tests {
  @Test("a telegram is its ten digits, in upper case")
  func token() {
    var reader = RDM6300()
    #expect(reader.look(at: Telegram.of("0C00A1B2C3")) == .card("0C00A1B2C3"))
    #expect(reader.look(at: Telegram.of("0c00a1b2c3")) == .card("0C00A1B2C3"))
  }

  @Test("a telegram of a real card: version 1E, 00DF2BA1")
  func realOne() {
    var reader = RDM6300()
    // 0x1E ^ 0x00 ^ 0xDF ^ 0x2B ^ 0xA1 = 0x4B, counted by hand.
    #expect(reader.look(at: [2] + Array("1E00DF2BA14B".utf8) + [3]) == .card("1E00DF2BA1"))
  }

  @Test("nothing is no card, and noise is not nothing")
  func nothing() {
    var reader = RDM6300()
    #expect(reader.look(at: []) == .absent)
    #expect(reader.look(at: [0xFF, 0x00, 0x41]) == .unclear)
  }

  @Test("a telegram in any two parts is one, whatever comes before it")
  func parts() {
    let telegram = Telegram.of("0123456789")
    for noise in [[], [0x02], [0x02, 0x30, 0x31], [0x03, 0xFF, 0x02]] as [[UInt8]] {
      for cut in 0...telegram.count {
        var reader = RDM6300()
        _ = reader.look(at: noise)
        let first = reader.look(at: Array(telegram[..<cut]))
        let second = reader.look(at: Array(telegram[cut...]))
        #expect([first, second].contains(.card("0123456789")), "cut \(cut) behind \(noise)")
      }
    }
  }

  @Test("L12: of a telegram of which any byte is lost, doubled or another, no other card is read")
  func torn() {
    let telegram = Telegram.of("0123456789")
    for index in telegram.indices {
      var (lost, doubled) = (telegram, telegram)
      lost.remove(at: index)
      doubled.insert(telegram[index], at: index)
      var others = [lost, doubled]
      for bit in 0..<8 {
        others.append(telegram)
        others[others.count - 1][index] ^= 1 << bit
      }
      for bytes in others {
        var reader = RDM6300()
        // A doubled first byte restarts it, and a digit may turn into its own small letter.
        #expect([.unclear, .card("0123456789")].contains(reader.look(at: bytes)), "\(bytes)")
        #expect(reader.look(at: telegram) == .card("0123456789"))
      }
    }
  }

  @Test("L12: in megabytes of noise no card is read, and the next one is")
  func noise() {
    var reader = RDM6300()
    var random = SystemRandomNumberGenerator()
    for _ in 0..<1_000 {
      let noise = (0..<1_024).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(reader.look(at: noise) == .unclear)
    }
    #expect(reader.look(at: Telegram.of("0C00A1B2C3")) == .card("0C00A1B2C3"))
  }
}

/// What readers send.
enum Telegram {
  /// An RDM6300's, for ten digits.
  static func of(_ digits: String) -> [UInt8] {
    let checksum = stride(from: 0, to: 10, by: 2).reduce(0) { sum, at in
      let start = digits.index(digits.startIndex, offsetBy: at)
      return sum ^ (Int(digits[start..<digits.index(start, offsetBy: 2)], radix: 16) ?? 0)
    }
    let text = String(checksum, radix: 16, uppercase: true)
    return [2] + Array((digits + (text.count < 2 ? "0" : "") + text).utf8) + [3]
  }

  /// What a PN532 sends to say that it has taken a question.
  static let taken: [UInt8] = [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00]

  static func frame(_ data: [UInt8]) -> [UInt8] {
    let length = UInt8(data.count)
    return [0x00, 0x00, 0xFF, length, 0 &- length] + data + [0 &- data.reduce(0, &+), 0x00]
  }

  static let configured = taken + frame([0xD5, 0x15])

  static func listed(_ uid: [UInt8]) -> [UInt8] {
    frame([0xD5, 0x4B, 0x01, 0x01, 0x00, 0x04, 0x08, UInt8(uid.count)] + uid)
  }
}
