import CALSA
import PacedCards
import Testing

@testable import ALSADevices

extension ALSAPlayback {
  @Test("an S16 device gets our bytes unchanged")
  func unchanged() throws {
    let samples = frames(0..<20_000)
    let pcm = try ALSAPlaybackPCM.open("recorder", rate: 44_100)
    #expect(try pcm.writeAll(samples) == 20_000)
    try pcm.start()
    pcm.close()
    // Compared outside of #expect, which takes minutes to describe how two long arrays differ.
    let same = folder.read("recorder.raw") == samples.withUnsafeBytes { Array($0) }
    #expect(same)
  }

  @Test("an S32 device gets the sample in the upper half")
  func s32() throws {
    #expect(try heard(SND_PCM_FORMAT_S32) == extremes.map { Int32($0) << 16 })
  }

  @Test("an S24 device gets the sample in the upper two of three bytes")
  func s24() throws {
    #expect(try heard(SND_PCM_FORMAT_S24) == extremes.map { Int32($0) << 8 })
  }

  @Test("a packed S24 device gets three bytes a sample, the lowest 0")
  func s24Packed() throws {
    let expected: [UInt8] = extremes.flatMap { sample -> [UInt8] in
      [0, UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
    }
    #expect(try heard(SND_PCM_FORMAT_S24_3LE) == expected)
  }

  @Test("a float device gets full scale as 1")
  func float() throws {
    #expect(try heard(SND_PCM_FORMAT_FLOAT) == extremes.map { Float($0) / 32_768 })
  }

  @Test("a mono device gets the mean of both sides")
  func mono() throws {
    #expect(try heard(SND_PCM_FORMAT_S16, channels: 1) == [Int16(-1), 0, 32_767, -32_768, 150])
  }

  /// Frames at the edges of the range, and their sums beyond it.
  private var extremes: [Int16] { [-32_768, 32_767, 0, 1, 32_767, 32_767, -32_768, -32_768, 100, 200] }

  private func heard<Sample>(_ format: snd_pcm_format_t, channels: UInt32 = 2) throws -> [Sample] {
    let device = try #require(PacedCard())
    let pcm = try device.open(format, channels: channels)
    #expect(try pcm.writeAll(extremes) == 5)
    try pcm.start()
    #expect(device.play(5) == 5)
    return device.heard(as: Sample.self)
  }
}
