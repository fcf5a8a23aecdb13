import AudioSession
import Board
import CALSA
import PacedCards
import Testing

@testable import ALSADevices

/// Plug-ins that libasound loads by name, one on top of the other.
extension ALSAPlayback {
  /// The PCM, the card that it ends at, and the frames that it rewinds of 300; nil: all or none, by the version of
  /// libasound.
  static let chains: [(pcm: String, card: NamedCard, takenBack: Int?)] = [
    ("plain", .plain, 300), ("wide", .wide, 300), ("fetching", .fetching, 0), ("pretending", .pretending, 0),
    ("plug-wide", .wide, 300), ("plug-fetching", .fetching, 0), ("plug-pretending", .pretending, 0),
    ("multi", .plain, 300), ("copy", .plain, 300), ("hooks", .plain, nil), ("route", .plain, 300),
    ("linear", .wide, 300), ("filed", .plain, 300),
  ]

  @Test("through every plug-in, what was taken back is not heard, and all else is, once", arguments: chains.indices)
  func takesBackThrough(chain: Int) throws {
    let (name, card, expected) = Self.chains[chain]
    let before = heardBytes(card)
    setClock(0)
    let pcm = try ALSAPlaybackPCM.open(name, rate: 44_100)
    try pcm.startPlaying(4_000)
    setClock(1_000)
    let taken = pcm.rewind(300, isUrgent: false)
    if let expected { #expect(taken == expected, "\(name)") }
    #expect(try pcm.writeAll(frames(9_000..<9_500)) == 500)
    setClock(20_000)
    _ = try pcm.status()
    pcm.close()
    let all = frames(0..<4_000 - taken) + frames(9_000..<9_500)
    let heard = Array(folder.read("\(card).raw").dropFirst(before))
    let wanted = card == .wide ? bytes(all.map { Int32($0) << 16 }) : bytes(all)
    let same = heard == wanted
    #expect(same, "\(name): \(heard.count) of \(wanted.count) bytes")
  }

  @Test("through conversion of rate, format and channels nothing is taken back, and nothing is lost")
  func takesNothingBackThroughRates() throws {
    for (name, card) in [("plug-mono", NamedCard.mono), ("rate", .plain)] {
      let before = heardBytes(card)
      setClock(0)
      let pcm = try ALSAPlaybackPCM.open(name, rate: 44_100)
      #expect(pcm.format.rate == 44_100)
      try pcm.startPlaying(8_000)
      for step in 1...50 {
        setClock(step * 100)
        #expect(pcm.rewind(300, isUrgent: false) == 0, "\(name)")
      }
      _ = try pcm.status()
      pcm.close()
      // 5,000 frames of 44.1 kHz, each of 4 bytes at 48 kHz.
      #expect(heardBytes(card) - before == 5_000 * 48_000 / 44_100 * 4, "\(name)")
    }
  }

  @Test("the position fits the time stamp, by the card's own log")
  func stampsFit() throws {
    let pcm = try ALSAPlaybackPCM.open("real", rate: 44_100)
    try pcm.startPlaying(8_000)
    var last = 8_000
    // Up to a frame that is heard some milliseconds later, however long that takes.
    while last > 7_000 {
      let before = monotonicNow()
      let status = try pcm.status()
      let after = monotonicNow()
      guard status.state == .running else { break }
      let started = try #require(startOfReal())
      #expect(status.at >= before && status.at <= after)
      #expect(8_000 - status.queued >= (before - started).frames(rate: 44_100) - 1)
      #expect(8_000 - status.queued <= (after - started).frames(rate: 44_100) + 1)
      #expect(status.queued <= last)
      last = status.queued
    }
    pcm.close()
  }

  private func startOfReal() -> Instant? {
    let lines = String(decoding: folder.read("real.log"), as: UTF8.self).split(separator: "\n")
    return lines.compactMap { PacedEvent($0) }.last { $0.name == "start" }.map { Instant(nanoseconds: $0.at) }
  }

  /// Moves the clock of the cards to this many frames of 44.1 kHz.
  private func setClock(_ frames: Int) {
    folder.write("\(Instant.of(frame: frames, rate: 44_100).nanoseconds)\n", to: "clock")
  }

  private func heardBytes(_ card: NamedCard) -> Int { folder.read("\(card).raw").count }

  private func bytes<Element>(_ elements: [Element]) -> [UInt8] { elements.withUnsafeBytes { Array($0) } }
}
