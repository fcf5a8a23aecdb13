import AudioSession
import Files
import Jukebox
import TestSupport
import Testing

@testable import Simulator

@Suite struct PortTapTests {
  private let file: TemporaryFile

  init() throws { file = try TemporaryFile() }

  @Test("sample n is what was audible at n / rate, with silence before, between and after")
  func alignment() throws {
    let tap = PortTap(port: .speaker, rate: 8_000, wav: try WAVWriter(path: file.path, rate: 8_000))
    tap.hear([7, 7, 8, 8], frames: 2, at: 5_000)
    tap.hear([9, 9], frames: 1, at: 5_002)
    tap.hear([1, 1], frames: 1, at: 20_000)
    try tap.finish(at: 30_000)
    let left = file.left
    #expect(left.count == 30_000)
    #expect(left.indices.filter { left[$0] != 0 } == [5_000, 5_001, 5_002, 20_000])
    #expect(left[5_000...5_002] == [7, 8, 9])
    #expect(tap.soundingFrames == 4)
  }

  @Test(
    "R12: a device of another rate is heard at the right time, whole and in one piece",
    arguments: [4_000, 11_025, 48_000])
  func otherRate(rate: Int) throws {
    let tap = PortTap(port: .speaker, rate: 8_000, wav: try WAVWriter(path: file.path, rate: 8_000))
    var frames: [Int16] = []
    for name in 1...(rate / 10) { frames += [Int16(name), 1] }
    var start = 0
    // In pieces of odd lengths, from a tenth of a second on.
    for length in [1, 7, 100, rate / 10 - 108] {
      tap.hear(Array(frames[(start * 2)...]), frames: length, at: rate / 10 + start, rate: rate)
      start += length
    }
    try tap.finish(at: 2_000)
    let left = file.left
    #expect(left.count == 2_000)
    for frame in 0..<2_000 {
      let expected = (800..<1_600).contains(frame) ? (frame - 800) * rate / 8_000 + 1 : 0
      #expect(abs(Int(left[frame]) - expected) <= 1)
    }
  }

  @Test("a sound counts from its own frame on, for as long as asked")
  func window() {
    let tap = PortTap(port: .speaker, rate: 1_000, wav: nil)
    #expect(!tap.heardSound(within: .seconds(9), before: 10))
    tap.hear([0, 0, 0, 5, 0, 0], frames: 3, at: 100)
    #expect(tap.soundingFrames == 1)
    #expect(!tap.heardSound(within: .milliseconds(1), before: 101))
    #expect(tap.heardSound(within: .milliseconds(1), before: 102))
    #expect(!tap.heardSound(within: .milliseconds(1), before: 103))
    #expect(tap.heardSound(within: .milliseconds(2), before: 103))
  }
}

@Suite struct WAVWriterTests {
  private let file: TemporaryFile

  init() throws { file = try TemporaryFile() }

  @Test("the header is that of stereo S16 of the rate and length, the samples are little-endian")
  func header() throws {
    let writer = try WAVWriter(path: file.path, rate: 44_100)
    writer.write([1, -2, 0x1234, 4], frames: 2)
    try writer.finish()
    writer.write([5, 6], frames: 1)
    try writer.finish()
    #expect(writer.frames == 3)
    // In pieces: the compiler of Swift 6.0 takes too long for one sum.
    var expected = Array("RIFF".utf8)
    expected += [48, 0, 0, 0]
    expected += Array("WAVEfmt ".utf8)
    expected += [16, 0, 0, 0, 1, 0, 2, 0, 0x44, 0xAC, 0, 0, 0x10, 0xB1, 2, 0, 4, 0, 16, 0]
    expected += Array("data".utf8)
    expected += [12, 0, 0, 0, 1, 0, 0xFE, 0xFF, 0x34, 0x12, 4, 0, 5, 0, 6, 0]
    #expect(file.bytes == expected)
  }

  @Test("a path that cannot be written and a full disk are reported by name")
  func failures() {
    #expect(
      errorText { () throws(FileError) in try WAVWriter(path: "/nowhere/a.wav", rate: 8_000) }
        == "/nowhere/a.wav: cannot be written: no such folder")
    #expect(
      errorText { () throws(FileError) in
        let writer = try WAVWriter(path: "/dev/full", rate: 8_000)
        writer.write([1, 2], frames: 1)
        try writer.finish()
      } == "/dev/full: cannot be written: No space left on device")
  }
}

@Suite struct ContactBounceTests {
  private let line = LineID(3)

  @Test("edges begin at once, alternate, come 0.2 to 3 ms apart and end at the level within the time")
  func edges() {
    for seed in UInt64(0)..<200 {
      let level = seed % 3 == 0
      let time = Duration.milliseconds(Int(seed % 40))
      let edges = ContactBounce.edges(of: line, to: level, bouncing: time, seed: seed)
      #expect(edges.first == KeyEdge(line: line, asserted: level, after: .zero))
      #expect(edges.last?.asserted == level)
      for (edge, next) in zip(edges, edges.dropFirst()) {
        #expect(next.asserted != edge.asserted)
        #expect(next.after > edge.after && next.after <= time)
        #expect(next.after - edge.after <= .milliseconds(3))
        #expect(next.after == time || next.after - edge.after >= .microseconds(200))
      }
    }
  }

  @Test("a contact without bounce makes one edge")
  func clean() {
    let edge = KeyEdge(line: line, asserted: false, after: .zero)
    #expect(ContactBounce.edges(of: line, to: false, bouncing: .zero, seed: 4) == [edge])
  }

  @Test("the same seed gives the same bounce, another seed another")
  func deterministic() {
    let runs = [1, 1, 2].map { ContactBounce.edges(of: line, to: true, bouncing: .milliseconds(20), seed: $0) }
    #expect(runs[0] == runs[1])
    #expect(runs[0] != runs[2])
    #expect(runs[0].count > 6)
  }
}

@Suite struct VirtualClockTests {
  @Test("time passes only with `advance`, and never back")
  func passing() {
    let clock = VirtualClock()
    #expect(clock.now == .powerOn)
    clock.advance(to: .powerOn + .seconds(2))
    clock.advance(to: .powerOn + .seconds(1))
    #expect(clock.now == .powerOn + .seconds(2))
  }
}
