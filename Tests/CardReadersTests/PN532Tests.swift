import Testing

@testable import CardReaders

@Suite struct PN532Tests {
  private static let uid: [UInt8] = [0x04, 0xA2, 0xB1, 0xC3]

  private static func asked() -> PN532 {
    var reader = PN532()
    _ = reader.look(at: Telegram.configured)
    _ = reader.ask()
    for answer: UInt8 in [0x33, 0x13] {
      _ = reader.look(at: Telegram.taken + Telegram.frame([0xD5, answer]))
      _ = reader.ask()
    }
    return reader
  }

  @Test("the frames are those of the manual")
  func frames() {
    var reader = Self.asked()
    // UM0701-02: InListPassiveTarget for one card at 106 kbit/s.
    #expect(reader.ask() == [0x00, 0x00, 0xFF, 0x04, 0xFC, 0xD4, 0x4A, 0x01, 0x00, 0xE1, 0x00])
    #expect(PN532.greeting.suffix(10) == [0x00, 0x00, 0xFF, 0x03, 0xFD, 0xD4, 0x14, 0x01, 0x17, 0x00])
    #expect(PN532.greeting.starts(with: [0x55, 0x55, 0x00]))
  }

  @Test("it is ready when it has answered the greeting, in however many parts")
  func ready() {
    for cut in 0...Telegram.configured.count {
      var reader = PN532()
      #expect(!reader.isReady)
      _ = reader.look(at: Array(Telegram.configured[..<cut]))
      _ = reader.look(at: Array(Telegram.configured[cut...]))
      #expect(reader.isReady, "cut \(cut)")
    }
  }

  @Test("one that refuses how it is told to behave is asked for cards all the same")
  func refusal() {
    var reader = PN532()
    _ = reader.look(at: Telegram.configured)
    let manners = (0..<2).map { _ in
      let frame = reader.ask()
      _ = reader.look(at: Telegram.taken + Telegram.frame([0x7F]))
      return frame
    }
    let question = reader.ask()
    #expect(Set(manners + [question]).count == 3)
    // What refuses the question moves nothing.
    _ = reader.look(at: Telegram.taken + Telegram.frame([0x7F]))
    #expect(reader.ask() == question)
    #expect(reader.look(at: Telegram.taken + Telegram.listed(Self.uid)) == .card("04A2B1C3"))
    // Before it has answered the greeting nothing was asked of it.
    var deaf = PN532()
    _ = deaf.look(at: Telegram.taken + Telegram.frame([0x7F]))
    _ = deaf.look(at: Telegram.configured)
    #expect(deaf.ask() == manners[0])
  }

  @Test("a question that was taken and not answered: no card; one that was not taken: deaf")
  func noCard() {
    var reader = Self.asked()
    #expect(reader.look(at: []) == .deaf)
    #expect(reader.look(at: Telegram.taken) == .absent)
    _ = reader.ask()
    #expect(reader.look(at: []) == .deaf)
  }

  @Test("a card is called by its UID of 4, 7 or 10 bytes")
  func card() {
    for (uid, token) in [
      (Self.uid, "04A2B1C3"), ([4, 1, 2, 3, 4, 5, 6], "04010203040506"),
      ([UInt8](repeating: 0xFF, count: 10), String(repeating: "FF", count: 10)),
    ] {
      var reader = Self.asked()
      #expect(reader.look(at: Telegram.taken + Telegram.listed(uid)) == .card(token))
    }
    // The first byte of a UID that is made up each time.
    var phone = Self.asked()
    #expect(phone.look(at: Telegram.taken + Telegram.listed([0x08, 1, 2, 3])) == .unclear)
    var reader = Self.asked()
    #expect(reader.look(at: Telegram.taken + Telegram.listed([1, 2, 3])) == .unclear, "no UID has three bytes")
  }

  @Test("an answer in any two parts is one, whatever comes before it")
  func parts() {
    let answer = Telegram.listed(Self.uid)
    for noise in [[], [0x00], [0x00, 0xFF], [0x00, 0x00, 0xFF, 0x05], [0xFF, 0x00, 0xFF, 0xFF, 0x01]] as [[UInt8]] {
      for cut in 0...answer.count {
        var reader = Self.asked()
        _ = reader.look(at: Telegram.taken + noise)
        let first = reader.look(at: Array(answer[..<cut]))
        let second = reader.look(at: Array(answer[cut...]))
        #expect([first, second].contains(.card("04A2B1C3")), "cut \(cut) behind \(noise)")
      }
    }
  }

  @Test("L12: of an answer of which any byte is lost or another, no other card is read, and the next one is")
  func torn() {
    // The checksum does not notice a lost zero; but then the length of a UID is missing from its place.
    let answer = Telegram.listed([0xDE, 0xAD, 0xBE, 0xEF])
    for index in answer.indices {
      var lost = answer
      lost.remove(at: index)
      var others = [lost]
      for bit in 0..<8 {
        others.append(answer)
        others[others.count - 1][index] ^= 1 << bit
      }
      for bytes in others {
        var reader = Self.asked()
        let look = reader.look(at: Telegram.taken + bytes)
        #expect([.absent, .unclear, .card("DEADBEEF")].contains(look), "\(bytes)")
        _ = reader.ask()
        #expect(reader.look(at: Telegram.taken + answer) == .card("DEADBEEF"))
      }
    }
  }

  @Test("L12: in megabytes of noise no card is read, and it is kept in no more than a frame")
  func noise() {
    var reader = Self.asked()
    var random = SystemRandomNumberGenerator()
    for _ in 0..<1_000 {
      let noise = (0..<1_024).map { _ in UInt8.random(in: 0...255, using: &random) }
      #expect(reader.look(at: noise) != .card("04A2B1C3"))
    }
    #expect(reader.waiting <= 600)
    _ = reader.ask()
    #expect(reader.look(at: Telegram.taken + Telegram.listed(Self.uid)) == .card("04A2B1C3"))
  }
}
