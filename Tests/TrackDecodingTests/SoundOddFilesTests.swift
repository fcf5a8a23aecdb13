import Board
import Glibc
import TestSupport
import Testing

@testable import TrackDecoding

@Suite("Of odd files for libsndfile")
struct SoundOddFilesTests {
  private func open(_ path: String) throws -> any TrackSource { try FileTrackOpener().open(path: path, rate: 44_100) }

  @Test("what is damaged from its first bytes on is refused, and closed")
  func refused() throws {
    let folder = try TemporaryFolder()
    let junk = bytes(noise(3000))
    let music = contents(fixture("vorbis-44100-mono.ogg"))
    let good = wave(bytes(noise(10)))
    let short = bytes(noise(9))
    var files: [[UInt8]] = [ascii("fLaC"), ascii("OggS"), ascii("caff"), ascii(".snd"), ascii("RIFF\0\0\0\0WAVE")]
    files.append(ascii("FORM\0\0\u{9}\u{9}AIFF"))
    files = files.map { $0 + junk }
    files.append(Array(music.prefix(2000)))
    // A page that is cut short, before the good ones.
    files.append([0x4F, 0x67, 0x67, 0x53] + [UInt8](repeating: 0, count: 24) + music)
    files.append(Array(music.prefix(20)))
    files.append(Array(good.prefix(36)))
    files.append(Array(good.prefix(13)))
    files.append(Array(contents(fixture("flac-44100-mono.flac")).prefix(40)))
    files.append(wave([]))
    files.append(wave([1, 2], rate: 5))
    files.append(wave(short, rate: 0))
    files.append(wave(short, rate: 0xffff_ffff))
    files.append(wave(short, channels: 0))
    files.append(wave(short, format: 0x777))
    for (index, file) in files.enumerated() {
      let path = folder.write("\(index).wav", file)
      #expect(throws: TrackError.self, "file \(index)") { try open(path) }
      #expect(throws: TrackError.self, "file \(index)") { try FileTrackOpener().inspect(path: path) }
    }
    #expect(folder.openDescriptors == 0)
  }

  @Test("P11: where the last page of Vorbis has another position than its music, at most that page is cut")
  func lastPosition() throws {
    let folder = try TemporaryFolder()
    let (name, rate) = ("seek-vorbis.ogg", 16_000)
    let whole = try decode(fixture(name), rate: rate)
    let file = contents(fixture(name))
    let last = try #require(file.indices.reversed().first { file[$0...].starts(with: ascii("OggS")) })
    for position in [-1, 0, 1, -7, 9_000, 100_000, 1 << 60] {
      var changed = file
      changed.replaceSubrange(last + 6..<last + 14, with: little(position, 8))
      let page = try #require(OggPage(openTrackFile(folder.write("p.ogg", changed)), at: last))
      let sum = page.checksum(try openTrackFile(folder.path(of: "p.ogg")), with: [], at: last)
      changed.replaceSubrange(sum.offset..<sum.offset + 4, with: sum.bytes)
      let samples = try play(folder.write("a.ogg", changed), rate: rate).samples
      let common = min(samples.count, whole.count)
      #expect(parting(samples[..<common], whole[..<common]) == nil, "position \(position)")
      #expect(
        samples.count > whole.count - 2 * 9_000 && samples.count <= whole.count + 2 * 2048, "position \(position)")
    }
  }

  @Test("FLAC that is cut short plays what is there and says so")
  func shortFLAC() throws {
    let folder = try TemporaryFolder()
    let whole = plainSound(fixture("seek-flac.flac")).samples
    let path = folder.write("a.flac", Array(contents(fixture("seek-flac.flac")).prefix(12_000)))
    let (samples, reason) = try play(path, rate: 8000)
    #expect(samples.count > whole.count / 3 && samples.count < whole.count * 2 / 3)
    #expect(parting(samples, whole[..<samples.count]) == nil)
    #expect(reason == "damaged or cut short: only \(samples.count / 2) of 20011 frames are in it")
    #expect(try FileTrackOpener().inspect(path: path).frames == samples.count / 2)
    let track = try FileTrackOpener().open(path: path, rate: 8000)
    for frame in [samples.count / 2 - 300, 100, 4000] {
      try track.seek(to: frame)
      #expect(try parting(next(track, 200), samples[(2 * frame)...].prefix(400)) == nil)
    }
    try track.seek(to: 19_000)
    #expect(throws: TrackError.self) { try next(track, 200) }
  }

  @Test("damage within FLAC costs no more than the frames it hit")
  func tornFLAC() throws {
    let folder = try TemporaryFolder()
    let whole = plainSound(fixture("seek-flac.flac")).samples
    var file = contents(fixture("seek-flac.flac"))
    for (index, byte) in bytes(noise(500)).enumerated() { file[9000 + index] = byte }
    let (samples, _) = try play(folder.write("a.flac", file), rate: 8000)
    #expect(parting(samples[..<10_000], whole[..<10_000]) == nil)
    #expect(parting(samples.suffix(16_000), whole.suffix(16_000)) == nil)
    #expect(abs(samples.count - whole.count) < 8000)
  }

  @Test(
    "what damage takes is silent, as long as it was, and all around it is as it was",
    arguments: [
      ("seek-flac.flac", 8000), ("seek-flac.oga", 8000), ("seek-vorbis.ogg", 16_000), ("seek-opus.opus", 48_000),
    ])
  func hole(name: String, rate: Int) throws {
    let folder = try TemporaryFolder()
    let whole = try decode(fixture(name), rate: rate)
    var file = contents(fixture(name))
    let middle = file.count / 2
    file.replaceSubrange(middle..<middle + 1500, with: repeatElement(0, count: 1500))
    let path = folder.write("a", file)
    let (samples, reason) = try play(path, rate: rate)
    #expect(reason == nil)
    #expect(samples.count == whole.count)
    #expect(try FileTrackOpener().inspect(path: path).frames == whole.count / 2)
    #expect(samples != whole)
    // Up to two pages are gone.
    let (before, behind) = (whole.count / 6, whole.count / 4)
    #expect(parting(samples[..<before], whole[..<before]) == nil)
    #expect(largestDifference(samples.suffix(behind), whole.suffix(behind)) <= (name.hasSuffix("opus") ? 1 : 0))
    var silent = (run: 0, longest: 0)
    for sample in samples {
      silent.run = sample == 0 ? silent.run + 1 : 0
      silent.longest = max(silent.longest, silent.run)
    }
    #expect(silent.longest > 1000)
  }

  @Test("the position in a damaged frame of FLAC is not believed")
  func misplaced() throws {
    let folder = try TemporaryFolder()
    let whole = try decode(fixture("seek-flac.flac"), rate: 8000)
    var file = contents(fixture("seek-flac.flac"))
    // Sync, block size, rate and channels, as in all frames; then the frame's number and the header's checksum.
    let first = try #require((42..<200).first { file[$0...].starts(with: [0xff, 0xf8]) && file[$0 + 4] == 0 })
    let head = Array(file[first..<first + 4])
    let place = try #require((first..<file.count - 6).first { file[$0...].starts(with: head + [20]) })
    file[place + 4] = 33
    file[place + 5] = file[place..<place + 5].reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ byte) { sum, _ in sum & 0x80 == 0 ? sum << 1 : sum << 1 ^ 7 }
    }
    let samples = try decode(folder.write("a.flac", file), rate: 8000)
    #expect(samples.count == whole.count)
    let (start, end) = (2 * 20 * 576, 2 * 21 * 576)
    #expect(parting(samples[..<start], whole[..<start]) == nil)
    #expect(samples[start..<end].allSatisfy { $0 == 0 })
    // libFLAC drops the frame after it as well.
    let behind = end + 2 * 576
    #expect(parting(samples[behind...], whole[behind...]) == nil)
  }

  @Test(
    "what follows Ogg is passed over, and reading it again and again is bounded",
    arguments: [[0], ascii("OggS"), ascii("OggS\0\0") + [UInt8](repeating: 0, count: 21)])
  func junkBehind(junk: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let tail = [UInt8](repeatElement(junk, count: (2 << 20) / junk.count).joined())
    for name in ["vorbis-22050-mono.ogg", "opus-48000-mono.opus"] {
      let path = folder.write("a", contents(fixture(name)) + tail)
      #expect(try parting(decode(path, rate: 48_000), decode(fixture(name), rate: 48_000)) == nil)
    }
  }

  @Test(
    "Ogg that is cut short, or followed by something else, plays to its last whole page, and is sought in",
    arguments: ["seek-vorbis.ogg", "seek-opus.opus"])
  func shortOgg(name: String) throws {
    let folder = try TemporaryFolder()
    let (rate, whole) = plainSound(fixture(name))
    let file = contents(fixture(name))
    let other = contents(fixture(name.hasSuffix("ogg") ? "opus-48000-mono.opus" : "chain-vorbis.ogg"))
    let files = [Array(file.prefix(file.count / 2)), file + other, file + bytes(noise(9000))]
    for (index, bytes) in files.enumerated() {
      let path = folder.write("\(index).ogg", bytes)
      let (samples, reason) = try play(path, rate: rate)
      #expect(reason == nil)
      #expect(index == 0 ? samples.count > whole.count / 6 : samples.count == whole.count)
      #expect(parting(samples, whole[..<samples.count]) == nil)
      let track = try FileTrackOpener().open(path: path, rate: rate)
      #expect(track.info.frames == samples.count / 2)
      for frame in scatter(samples.count / 2, 10) {
        try track.seek(to: frame)
        #expect(try largestDifference(next(track, 900), samples[(2 * frame)...].prefix(1800)) <= 1)
      }
    }
  }

  @Test("Vorbis with damaged headers is refused")
  func tornVorbis() throws {
    let folder = try TemporaryFolder()
    let file = contents(fixture("seek-vorbis.ogg"))
    let source = try openTrackFile(fixture("seek-vorbis.ogg"))
    let first = try #require(OggPage(source, at: 0))
    // The second and the third header are in one page.
    let end = try #require(OggPage(source, at: first.end)).end
    // Damage to the magic of the second header, to its checksum, and everywhere in the third; and files that end in
    // them.
    var files = [Array(file.prefix(end - 1)), Array(file.prefix(100)), Array(file.prefix(58))]
    for place in [60, 82, 90] + scatter(end - 100, 5).map({ 100 + $0 }) where place < end {
      var torn = file
      torn[place] ^= 0x10
      files.append(torn)
    }
    for (index, bytes) in files.enumerated() {
      var reason: String?
      do { _ = try open(folder.write("a.ogg", bytes)) } catch let error as TrackError { reason = error.reason }
      #expect(reason == "damaged: its headers are incomplete", "file \(index)")
    }
  }

  @Test(
    "damage anywhere is never a crash, a hang or more music than there was",
    arguments: [
      "seek-flac.flac", "seek-vorbis.ogg", "seek-opus.opus", "tag-flac.flac", "tag-vorbis.ogg", "tag-opus.opus",
      "seek-flac.oga", "chain-vorbis.ogg", "chain-opus.opus",
    ])
  func torn(name: String) throws {
    let folder = try TemporaryFolder()
    let file = contents(fixture(name))
    var state: UInt64 = 3
    func random(_ bound: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % bound
    }
    for round in 0..<40 {
      var torn = file
      // Damages the headers more often than the rest.
      let reach = round % 2 == 0 ? min(400, file.count) : file.count
      for _ in 0..<(1 + random(12)) { torn[random(reach)] = UInt8(random(256)) }
      if round % 5 == 0 { torn.removeLast(random(torn.count)) }
      let path = folder.write("a.bin", torn)
      guard let track = try? FileTrackOpener().open(path: path, rate: 16_000) else { continue }
      var frames = 0
      while frames < 16_000 * 60, let more = try? next(track, 4000), !more.isEmpty { frames += more.count / 2 }
      for place in [frames / 2, 0, frames, 5] {
        try? track.seek(to: place)
        _ = try? next(track, 500)
      }
      _ = try? FileTrackOpener().inspect(path: path)
    }
  }

  @Test("a file cut off while it plays breaks off or ends")
  func cutOff() throws {
    let folder = try TemporaryFolder()
    for name in ["seek-flac.flac", "seek-flac.oga", "seek-vorbis.ogg", "seek-opus.opus"] {
      let path = folder.write("a.bin", contents(fixture(name)) + contents(fixture(name)))
      let track = try open(path)
      #expect(try next(track, 1000).count == 2000)
      #expect(truncate(path, 9000) == 0)
      _ = try? rest(track)
      track.close()
    }
    #expect(folder.openDescriptors == 0)
  }
}
