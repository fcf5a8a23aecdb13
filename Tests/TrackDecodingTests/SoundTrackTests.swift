import Board
import Glibc
import TestSupport
import Testing

@testable import TrackDecoding

private let flac = [8000, 44100, 48000, 192_000].flatMap { ["flac-\($0)-mono.flac", "flac-\($0)-stereo.flac"] }
private let vorbis = [8000, 22050, 44100, 48000].flatMap { ["vorbis-\($0)-mono.ogg", "vorbis-\($0)-stereo.ogg"] }
private let opus =
  [16000, 48000].flatMap { ["opus-\($0)-mono.opus", "opus-\($0)-stereo.opus"] } + ["opus-48000-mono-long.opus"]
private let all = flac + vorbis + opus

@Suite("A track that libsndfile decodes")
struct SoundTrackTests {
  @Test("gives at its own rate what libsndfile gives for the whole file", arguments: all)
  func native(name: String) throws {
    let plain = plainSound(fixture(name))
    try #require(plain.samples.count > 500)
    #expect(try parting(decode(fixture(name), rate: plain.rate), plain.samples) == nil)
  }

  @Test("sounds as what was encoded, and is as long", arguments: all)
  func content(name: String) throws {
    let parts = name.split(separator: "-")
    let encoded = try #require(Int(parts[1]))
    let isOpus = name.hasSuffix("opus")
    let rate = isOpus ? 48_000 : encoded
    let samples = try decode(fixture(name), rate: rate)
    let frames = encoded / (name.hasSuffix("flac") ? 20 : 4) + 7
    // The encoder of Opus makes 48 kHz of 16 kHz first, and rounds the length up to what its filter gives.
    let wanted = Resampler.length(frames, from: encoded, to: rate)
    #expect(abs(samples.count / 2 - wanted) <= (encoded == rate ? 0 : 150))
    let isStereo = parts[2].hasPrefix("stereo")
    for (side, frequencies) in [[440.0, 550, 660], isStereo ? [330, 495, 880] : [440, 550, 660]].enumerated() {
      // The middle half: encoders smear a tone that starts or ends at once.
      let middle = wanted / 4..<wanted * 3 / 4
      var error = 0.0
      for frame in middle {
        error = max(error, abs(Double(samples[2 * frame + side]) - chord(frequencies, frame, rate: Double(rate))))
      }
      #expect(error < (name.hasSuffix("flac") ? 1.5 : 2500), "channel \(side)")
    }
  }

  @Test("gives the same whatever the size of the reads", arguments: [1, 7, 1023, 1024, 1025, 5000])
  func blocks(size: Int) throws {
    for name in ["flac-44100-stereo.flac", "vorbis-22050-mono.ogg", "opus-48000-stereo.opus"] {
      // A frame at a time through the resampler takes minutes.
      for rate in size < 1000 ? [plainSound(fixture(name)).rate] : [22050, 44100, 48000] {
        let whole = try rest(FileTrackOpener().open(path: fixture(name), rate: rate), block: 100_000)
        let pieces = try rest(FileTrackOpener().open(path: fixture(name), rate: rate), block: size)
        #expect(parting(pieces, whole) == nil)
      }
    }
  }

  @Test("knows rate, channels and length, and has that length at every other rate", arguments: all)
  func info(name: String) throws {
    let plain = plainSound(fixture(name))
    let frames = plain.samples.count / 2
    let info = try FileTrackOpener().inspect(path: fixture(name))
    #expect(info.rate == plain.rate)
    #expect(info.channels == (name.contains("mono") ? 1 : 2))
    #expect(info.frames == frames)
    for rate in [44_100, 48_000, 11_025] {
      let track = try FileTrackOpener().open(path: fixture(name), rate: rate)
      let wanted = Resampler.length(frames, from: plain.rate, to: rate)
      #expect(track.info.frames == wanted)
      #expect(try rest(track).count == 2 * wanted)
    }
  }

  @Test("is read whatever its bits, rounded to the nearest step and clipped, never wrapped")
  func samples() throws {
    let folder = try TemporaryFolder()
    func play(_ data: [UInt8], _ format: Int, _ bits: Int) throws -> [Int16] {
      let path = folder.write("a.wav", wave(data, format: format, channels: 1, bits: bits))
      let samples = try decode(path, rate: 44_100)
      return stride(from: 0, to: samples.count, by: 2).map { samples[$0] }
    }
    #expect(try play([0, 128, 129, 255], 1, 8) == [-32768, 0, 256, 32512])
    #expect(try play(bytes([-32768, -1, 0, 1, 32767]), 1, 16) == [-32768, -1, 0, 1, 32767])
    let steps24 = [0, 127, 128, 129, 384, -127, -128, -129, 0x7f_ff7f, 0x7f_ff80, 0x7f_ffff, -0x80_0000]
    let rounded24: [Int16] = [0, 0, 0, 1, 2, 0, 0, -1, 32767, 32767, 32767, -32768]
    #expect(try play(steps24.flatMap { little($0, 3) }, 1, 24) == rounded24)
    #expect(try play(steps24.flatMap { little($0 << 8, 4) }, 1, 32) == rounded24)
    let floats: [Float] = [0, 1, -1, 1.5, -7, .infinity, -.infinity, .nan, 0.5, 1.4 / 32768, .leastNonzeroMagnitude]
    let clipped: [Int16] = [0, 32767, -32768, 32767, -32768, 32767, -32768, 0, 16384, 1, 0]
    #expect(try play(floats.flatMap { little(Int($0.bitPattern), 4) }, 3, 32) == clipped)
    #expect(try play(floats.flatMap { little(Int(bitPattern: UInt(Double($0).bitPattern)), 8) }, 3, 64) == clipped)
  }

  @Test("is mixed to two channels if it has more, and cannot clip thereby", arguments: [3, 4, 5, 6, 7, 8])
  func channels(count: Int) throws {
    let folder = try TemporaryFolder()
    func play(_ frame: [Int16]) throws -> [Int16] {
      let path = folder.write("a.wav", wave(bytes(frame), channels: count))
      #expect(try FileTrackOpener().inspect(path: path).channels == count)
      return try decode(path, rate: 44_100)
    }
    #expect(try play([Int16](repeating: 32767, count: count)).allSatisfy { $0 > 32_700 || count > 5 && $0 > 0 })
    let left = try play([10_000] + [Int16](repeating: 0, count: count - 1))
    #expect(left[0] > 3_000 && left[1] == 0)
    let right = try play([0, 10_000] + [Int16](repeating: 0, count: count - 2))
    #expect(right[0] == 0 && right[1] == left[0])
    guard count != 4 else { return }
    let centre = try play([0, 0, 10_000] + [Int16](repeating: 0, count: count - 3))
    #expect(centre[0] == centre[1] && abs(Double(centre[0]) / Double(left[0]) - 0.7071) < 0.001)
  }

  @Test("is refused where it has more channels than anybody can place")
  func tooMany() throws {
    let folder = try TemporaryFolder()
    let path = folder.write("a.wav", wave([UInt8](repeating: 1, count: 36), channels: 9))
    #expect(throws: TrackError(operation: .open, path: path, reason: "has 9 channels, at most 8 can be played")) {
      try FileTrackOpener().open(path: path, rate: 44_100)
    }
  }

  @Test("is opened by what it holds, not by its name")
  func disguised() throws {
    let folder = try TemporaryFolder()
    let tag = joined(ascii("ID3"), [3, 0, 0, 0, 0, 1, 0], [UInt8](repeating: 0, count: 128))
    let names = ["flac-44100-mono.flac", "vorbis-44100-mono.ogg", "opus-48000-mono.opus", "cbr-128.mp3"]
    for name in names {
      let plain = try decode(fixture(name), rate: 44_100)
      for disguise in ["a.mp3", "a.wav", "a.flac", "a"] {
        #expect(try parting(decode(folder.write(disguise, contents(fixture(name))), rate: 44_100), plain) == nil)
        #expect(try parting(decode(folder.write(disguise, tag + contents(fixture(name))), rate: 44_100), plain) == nil)
      }
    }
    let samples = noise(500)
    let chunk = joined(ascii("JUNK"), little(3, 4), [1, 2, 3, 0])
    #expect(try decode(folder.write("b.mp3", tag + wave(bytes(samples), before: chunk)), rate: 44_100) == samples)
    let mpeg = wave(contents(fixture("cbr-128.mp3")), format: 0x55, before: chunk)
    #expect(try decode(folder.write("c.wav", mpeg), rate: 44_100).count == 2 * 22_050)
  }

  @Test("ends once and for all, and closes its file")
  func ends() throws {
    let folder = try TemporaryFolder()
    for name in ["flac-44100-mono.flac", "vorbis-44100-mono.ogg", "opus-48000-mono.opus"] {
      let path = folder.write(name, contents(fixture(name)))
      let track = try FileTrackOpener().open(path: path, rate: 44_100)
      #expect(try !rest(track).isEmpty)
      #expect(try next(track, 100).isEmpty)
      #expect(folder.openDescriptors == 1)
      track.close()
      #expect(folder.openDescriptors == 0)
      #expect(throws: TrackError(operation: .read, path: path, reason: "closed")) { try next(track, 1) }
    }
  }

  @Test(
    "says its title, artists and album",
    arguments: ["tag-flac.flac", "tag-flac.oga", "tag-vorbis.ogg", "tag-opus.opus"])
  func tags(name: String) throws {
    let info = try FileTrackOpener().inspect(path: fixture(name))
    #expect(info.title == "Größe – Ω")
    #expect(info.artist == "One / Two")
    #expect(info.album == "Fixtures")
  }
}
