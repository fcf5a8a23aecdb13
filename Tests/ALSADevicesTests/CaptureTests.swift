import AudioSession
import Board
import CALSA
import Glibc
import PacedCards
import Testing

@testable import ALSADevices

extension ALSAPlayback {
  @Test("C1: a file-backed PCM gives the file's frames, unchanged and in order")
  func fileBacked() throws {
    let voice = frames(1..<5_000)
    folder.write(voice, to: "voice.raw")
    let pcm = try ALSACaptureOpener().open(input: .microphone, name: "loop", rate: 44_100, buffer: .seconds(2))
    #expect(pcm.format.rate == 44_100)
    #expect(pcm.pollDescriptors.isEmpty)
    try pcm.start()
    var heard: [Int16] = []
    while heard.count < voice.count {
      let part = try pcm.take(1_000)
      if part.isEmpty { break }
      heard += part
    }
    let same = heard.prefix(voice.count).elementsEqual(voice)
    #expect(same)
    #expect(pcm.lostFrames == 0)
    pcm.close()
  }

  @Test("C1: null gives silence without end, and nothing to wait for")
  func nullCapture() throws {
    let pcm = try ALSACapturePCM.open("null", rate: 48_000)
    #expect(pcm.format.rate == 48_000 && pcm.layout.isOurs)
    try pcm.start()
    let silence = try pcm.take(10_000)
    #expect(!silence.isEmpty && silence.allSatisfy { $0 == 0 })
    #expect(pcm.pollDescriptors.isEmpty)
  }

  @Test("C6: a capture device that does not exist is an error that names it")
  func unknownCapture() throws {
    let found = try #require(failure { try ALSACapturePCM.open("no-such-mic", rate: 44_100) })
    #expect(found.operation == .open && found.code == ENOENT)
    #expect(found.description.contains("Unknown PCM no-such-mic"))
    let unreadable = try #require(failure { try ALSACapturePCM.open("unreadable", rate: 44_100) })
    #expect(unreadable.description.contains("missing.raw"))
  }

  @Test("C1: what the device hears is read in order, and nothing waits after it")
  func captured() throws {
    let device = try #require(PacedCard())
    let pcm = try device.openCapture()
    #expect(pcm.format == PCMFormat(rate: 44_100, bufferFrames: 8_820))
    #expect(try pcm.take(10) == [])
    try pcm.start()
    #expect(try pcm.take(10) == [])
    #expect(device.hear(frames(0..<8_000)) == 8_000)
    #expect(try pcm.take(3_000) == frames(0..<3_000))
    #expect(device.hear(frames(8_000..<11_000)) == 3_000)
    #expect(try pcm.take(20_000) == frames(3_000..<11_000))
    #expect(try pcm.take(10) == [])
  }

  @Test("C1: samples of another format are cut to ours, and one channel is put on both sides")
  func captureFormats() throws {
    let wanted: [Int16] = [-32_768, 32_767, 0, 1, -1, 12_345]
    let wide: [Int32] = wanted.map { Int32($0) << 16 | 0x7FFF }
    #expect(try heard(SND_PCM_FORMAT_S32, wide) == wanted)
    let low: [Int32] = wanted.map { (Int32($0) << 8 | 0x7F) & 0x00FF_FFFF }
    #expect(try heard(SND_PCM_FORMAT_S24, low) == wanted)
    let packed: [UInt8] = wanted.flatMap { sample -> [UInt8] in
      [0x7F, UInt8(truncatingIfNeeded: sample), UInt8(truncatingIfNeeded: sample >> 8)]
    }
    #expect(try heard(SND_PCM_FORMAT_S24_3LE, packed, bytes: 3) == wanted)
    let floats: [Float] = [-1.5, 1.5, .nan, 1 / 32_768, -1 / 32_768, 12_345 / 32_768]
    #expect(try heard(SND_PCM_FORMAT_FLOAT, floats) == wanted)
    #expect(
      try heard(SND_PCM_FORMAT_S16, [Int16(5), -7, 32_767], channels: 1) == [5, 5, -7, -7, 32_767, 32_767])
  }

  private func heard<Sample>(
    _ format: snd_pcm_format_t, _ samples: [Sample], channels: Int = 2, bytes: Int = 1
  ) throws -> [Int16] {
    let device = try #require(PacedCard())
    let pcm = try device.openCapture(format, channels: UInt32(channels))
    try pcm.start()
    device.hear(samples, channels: channels * bytes)
    return try pcm.take(100)
  }

  @Test("C6: a device that ran over goes on by itself, and what is lost is counted by the clock")
  func overrun() throws {
    let device = try #require(PacedCard())
    let pcm = try device.openCapture()
    let start = monotonicNow()
    try pcm.start()
    #expect(device.hear(frames(0..<100)) == 100)
    // What the clocks differ by until then is not lost.
    while monotonicNow() - start < .milliseconds(200) {}
    let before = monotonicNow()
    #expect(try pcm.take(40).count == 80)
    let after = monotonicNow()
    #expect(device.hear(frames(0..<10_000)) < 10_000)
    while monotonicNow() - after < .milliseconds(20) {}
    let least = (monotonicNow() - after).frames(rate: 44_100) + 60
    #expect(try pcm.take(10) == [])
    let most = (monotonicNow() - before).frames(rate: 44_100) + 60
    #expect((least...most).contains(pcm.lostFrames))
    #expect(device.hear(frames(500..<600)) == 100)
    #expect(try pcm.take(200) == frames(500..<600))
  }

  @Test("C6: a device that slept is woken and goes on")
  func captureAfterSleep() throws {
    let device = try #require(PacedCard())
    let pcm = try device.openCapture()
    try pcm.start()
    device.suffer("suspend")
    #expect(try pcm.take(10) == [])
    #expect(device.counts.resumptions == 1)
    #expect(device.hear(frames(0..<100)) == 100)
    #expect(try pcm.take(200) == frames(0..<100))
  }

  @Test("C6: a device that is gone, or closed, is an error of the next call")
  func captureGone() throws {
    let device = try #require(PacedCard())
    let pcm = try device.openCapture()
    try pcm.start()
    device.suffer("unplug")
    #expect(failure { try pcm.take(10) }?.code == ENODEV)
    pcm.close()
    #expect(device.counts.closings == 1)
    #expect(failure { try pcm.take(10) }?.code == EBADF)
    #expect(failure { try pcm.start() }?.code == EBADF)
  }

  @Test("C1: a wake-up means that a tenth of a second waits")
  func captureReadiness() throws {
    let device = try #require(PacedCard())
    let pcm = try device.openCapture()
    try pcm.start()
    func answer() -> Bool {
      device.wake()
      var entries = pcm.pollDescriptors.map { pollfd(fd: $0.fileDescriptor, events: $0.events, revents: 0) }
      poll(&entries, nfds_t(entries.count), 0)
      return entries.map(\.revents).withUnsafeBufferPointer { pcm.isReady($0) }
    }
    device.hear(frames(0..<4_400))
    #expect(!answer())
    device.hear(frames(0..<20))
    #expect(answer())
  }
}

extension CapturePCM {
  /// Up to that many frames of those that wait, in as many calls as it takes.
  func take(_ count: Int) throws -> [Int16] {
    var all: [Int16] = []
    var part = [Int16](repeating: 0, count: 2 * count)
    while all.count < 2 * count {
      let taken = try part.withUnsafeMutableBufferPointer { part in
        try part.baseAddress.map { try read(into: $0, frames: count - all.count / 2) } ?? 0
      }
      if taken == 0 { break }
      all += part.prefix(2 * taken)
    }
    return all
  }
}
