import Board
import Testing

@testable import AudioEngine

@Suite struct RatesTests {
  @Test("P11: frames are converted to the nearest one, and whatever a decoder announces is clamped and no trap")
  func anyLength() {
    let rates = [1, 8000, 44_100, 48_000, 192_000, 1_000_000]
    var frames = [0, 1, 7, 44_099, 44_100, 1 << 24, 1 << 40, 1 << 48, 1 << 61, .max - 1, .max]
    frames += (0..<63).map { 1 << $0 }
    for from in rates {
      for to in rates {
        for frame in frames {
          let found = Rates.convert(frame, from: from, to: to)
          let most = Double(TrackInfo.mostFrames)
          let exact = min(most, min(most, Double(frame)) * Double(to) / Double(from))
          #expect(abs(Double(found) - exact) <= max(1, exact * 1e-15), "\(frame) \(from) \(to)")
          #expect(Rates.convert(-frame, from: from, to: to) >= -TrackInfo.mostFrames)
        }
      }
    }
    #expect(Rates.convert(44_100, from: 44_100, to: 48_000) == 48_000)
    #expect(Rates.convert(1, from: 44_100, to: 48_000) == 1)
    #expect(Rates.convert(3, from: 48_000, to: 44_100) == 3)
    #expect(Rates.convert(.min, from: 48_000, to: 44_100) == -1_010_176_308_018)
  }
}
