import Board
import Glibc
import TestSupport
import Testing

@testable import TrackDecoding

@Suite("A track's own gain")
struct LoudnessTests {
  private func factor(_ tags: [String: String], _ mode: ReplayGain) -> Float { LoudnessTags { tags[$0] }.factor(mode) }

  private func gain(_ decibels: Double) -> Float { Float(pow(10, decibels / 20)) }

  @Test("is the one asked for, else the other, else none")
  func choice() {
    let both = ["REPLAYGAIN_TRACK_GAIN": "-6 dB", "REPLAYGAIN_ALBUM_GAIN": "-3.25 dB"]
    #expect(factor(both, .off) == 1)
    #expect(factor(both, .track) == gain(-6))
    #expect(factor(both, .album) == gain(-3.25))
    #expect(factor(["REPLAYGAIN_TRACK_GAIN": "-6 dB"], .album) == gain(-6))
    #expect(factor(["REPLAYGAIN_ALBUM_GAIN": "+2"], .track) == gain(2))
    #expect(factor([:], .track) == 1)
  }

  @Test("goes no further than the peak lets it")
  func peak() {
    let loud = ["REPLAYGAIN_TRACK_GAIN": "+9.0 dB", "REPLAYGAIN_TRACK_PEAK": "0.8"]
    #expect(factor(loud, .track) == 1.25)
    #expect(factor(loud, .album) == 1.25)
    let over = ["REPLAYGAIN_TRACK_GAIN": "-0.5 dB", "REPLAYGAIN_TRACK_PEAK": "1.25"]
    #expect(factor(over, .track) == 0.8)
  }

  @Test(
    "is read however a tagger writes it",
    arguments: [
      "-6.02", "-6,02 dB", "- 6.02 dB", " -6.02dB ", "-6.02 DB", "\u{2212}6,02\u{a0}dB", "-06.020 dB", "-6.02\tdb",
    ])
  func writing(text: String) {
    #expect(factor(["REPLAYGAIN_TRACK_GAIN": text], .track) == gain(-6.02))
    #expect(factor(["REPLAYGAIN_TRACK_GAIN": "+ 6 dB", "REPLAYGAIN_TRACK_PEAK": "0,8"], .track) == 1.25)
    #expect(factor(["R128_TRACK_GAIN": "- 2820 "], .track) == gain(-2820.0 / 256 + 5))
  }

  @Test(
    "is the same in every format, or in none",
    arguments: ["-6,02 dB", "- 6.02 dB", "-6.02 dBx", "-6.0.2 dB", "1,000.5 dB"])
  func formats(text: String) throws {
    let folder = try TemporaryFolder()
    let wanted = LoudnessTags { $0 == "REPLAYGAIN_TRACK_GAIN" ? text : nil }.factor(.track)
    let body = joined([3], ascii("replaygain_track_gain"), [0], ascii(text))
    let path = folder.write("a.mp3", tag(frame("TXXX", body)) + contents(fixture("cbr-128.mp3")))
    #expect(try compare(path, .track, wanted, rate: 44_100) <= 1)
  }

  @Test("of Opus is in 256ths of a decibel, towards a reference 5 dB lower")
  func r128() {
    #expect(factor(["R128_TRACK_GAIN": "-2820"], .track) == gain(-2820.0 / 256 + 5))
    #expect(factor(["R128_TRACK_GAIN": "0", "R128_ALBUM_GAIN": "256"], .album) == gain(6))
  }

  @Test("raises by 12 dB at most where no peak says that more is possible, and is a mistake beyond 51 dB")
  func bounds() {
    #expect(factor(["REPLAYGAIN_TRACK_GAIN": "11.5 dB"], .track) == gain(11.5))
    #expect(factor(["REPLAYGAIN_TRACK_GAIN": "30 dB"], .track) == gain(12))
    #expect(factor(["REPLAYGAIN_TRACK_GAIN": "30 dB", "REPLAYGAIN_TRACK_PEAK": "0.01"], .track) == gain(30))
    #expect(factor(["REPLAYGAIN_TRACK_GAIN": "-50 dB"], .track) == gain(-50))
    for text in ["52 dB", "-99 dB", "51.1"] {
      #expect(factor(["REPLAYGAIN_TRACK_GAIN": text, "REPLAYGAIN_TRACK_PEAK": "0.001"], .track) == 1)
    }
    #expect(factor(["R128_TRACK_GAIN": "32767"], .track) == 1)
  }

  @Test(
    "is none where the tag is nonsense", arguments: ["", "loud", "nan", "inf", "1e9", "-200 dB", "99999999999", "-"])
  func nonsense(text: String) {
    #expect(factor(["REPLAYGAIN_TRACK_GAIN": text], .track) == 1)
    #expect(factor(["R128_TRACK_GAIN": text], .track) == 1)
    #expect(factor(["REPLAYGAIN_TRACK_GAIN": "-6", "REPLAYGAIN_TRACK_PEAK": text], .track) == gain(-6))
  }

  /// Samples with `mode`, and those without times `factor`.
  private func compare(_ path: String, _ mode: ReplayGain, _ factor: Float, rate: Int) throws -> Int {
    let plain = try rest(FileTrackOpener().open(path: path, rate: rate))
    let changed = try rest(FileTrackOpener(replayGain: mode).open(path: path, rate: rate))
    #expect(changed.count == plain.count)
    return largestDifference(plain.map { Int16((Float($0) * factor).rounded()) }, changed)
  }

  @Test("is multiplied in at the file's own rate and at another, and changes no length", arguments: [44_100, 48_000])
  func applied(rate: Int) throws {
    for name in ["tag-flac.flac", "tag-flac.oga", "tag-vorbis.ogg"] {
      #expect(try compare(fixture(name), .track, gain(-6.02), rate: rate) <= 1)
      // Above what the peak lets through.
      #expect(try compare(fixture(name), .album, 1 / 0.95, rate: rate) <= 1)
      #expect(try compare(fixture(name), .off, 1, rate: rate) == 0)
    }
    #expect(try compare(fixture("tag-opus.opus"), .track, gain(-2820.0 / 256 + 5), rate: rate) <= 1)
    #expect(try compare(fixture("tag-opus.opus"), .album, gain(0), rate: rate) == 0)
  }

  @Test("comes with the samples after a seek, too")
  func sought() throws {
    let track = try FileTrackOpener(replayGain: .track).open(path: fixture("tag-flac.flac"), rate: 44_100)
    let whole = try rest(track)
    try track.seek(to: 2000)
    #expect(try parting(rest(track), whole[4000...]) == nil)
  }

  @Test("of an MP3 is in TXXX, RVA2 or the LAME header, in this order", arguments: [44_100, 48_000])
  func mpeg(rate: Int) throws {
    let folder = try TemporaryFolder()
    var music = contents(fixture("cbr-128.mp3"))
    let lame = try #require((0..<400).first { music[$0...].starts(with: Array("LAME".utf8)) })
    // Radio gain, determined automatically: -3.1 dB in tenths. After name, revision, lowpass and peak.
    music.replaceSubrange(lame + 15..<lame + 17, with: [0x2e, 31])
    #expect(try compare(folder.write("lame.mp3", music), .track, gain(-3.1), rate: rate) <= 1)
    // -4 dB of the master volume, in 512ths.
    let rva2 = frame("RVA2", joined(ascii("track"), [0, 1, 0xf8, 0x00, 0]))
    #expect(try compare(folder.write("rva2.mp3", tag(rva2) + music), .track, gain(-4), rate: rate) <= 1)
    let text = joined([3], ascii("replaygain_track_gain"), [0], ascii("-5.50 dB"))
    let both = tag(rva2 + frame("TXXX", text))
    #expect(try compare(folder.write("txxx.mp3", both + music), .track, gain(-5.5), rate: rate) <= 1)
    #expect(try compare(folder.write("txxx.mp3", both + music), .off, 1, rate: rate) == 0)
  }

  private func frame(_ name: String, _ body: [UInt8]) -> [UInt8] {
    joined(ascii(name), [0, 0, 0, UInt8(body.count), 0, 0], body)
  }

  private func tag(_ frames: [UInt8]) -> [UInt8] {
    joined(ascii("ID3"), [4, 0, 0, 0, 0, 0, UInt8(frames.count)], frames)
  }
}

@Suite("Vorbis comments")
struct VorbisCommentsTests {
  private func stream(_ path: String) throws -> SoundStream {
    let file = try openTrackFile(path)
    return try SoundStream(file, #require(SoundFormat.detect(file)).format)
  }

  @Test(
    "are read past a value too long to be one of ours, whatever the case of their names",
    arguments: ["tag-flac.flac", "tag-flac.oga", "tag-vorbis.ogg", "chain-vorbis.ogg"])
  func read(name: String) throws {
    let stream = try stream(fixture(name))
    #expect(stream.tags == FileTags(title: "Größe – Ω", artist: "One / Two", album: "Fixtures"))
    #expect(stream.loudness.trackGain == -6.02)
    #expect(stream.loudness.trackPeak == 0.599)
    #expect(stream.loudness.albumGain == 3.5)
    #expect(stream.loudness.albumPeak == 0.95)
  }

  @Test("that lie about their lengths cost nothing but themselves")
  func lying() throws {
    let folder = try TemporaryFolder()
    let music = contents(fixture("seek-flac.flac"))
    let samples = try decode(fixture("seek-flac.flac"), rate: 8000)
    // After the block with the stream's format, which comes first, the file has only a block of comments.
    let own = 46 + Int(music[45]) + Int(music[44]) << 8
    try #require(music[42] == 0x84)
    // Nil where the file is refused.
    func tags(_ block: [UInt8], claimed: Int? = nil) throws -> FileTags? {
      let size = claimed ?? block.count
      let head: [UInt8] = [0x84, UInt8(size >> 16), UInt8(size >> 8 & 255), UInt8(size & 255)]
      let path = folder.write("a.flac", joined(Array(music[..<42]), head, block, Array(music[own...])))
      guard let stream = try? stream(path) else { return nil }
      let played = try? decode(path, rate: 8000)
      #expect(claimed == nil ? parting(played ?? [], samples) == nil : played == nil)
      return stream.tags
    }
    func entry(_ text: String, _ size: Int? = nil) -> [UInt8] {
      joined(little(size ?? text.utf8.count, 4), ascii(text))
    }
    let vendor = entry("vendor")
    let good = joined(vendor, little(2, 4), entry("TITLE=a"), entry("ALBUM=b"))
    #expect(try tags(good) == FileTags(title: "a", album: "b"))
    // A block of such a length leaves no room for music.
    _ = try tags(good, claimed: 0xff_ffff)
    let none = FileTags()
    for lie in [
      joined(vendor, little(0xffff_ffff, 4), entry("TITLE=a")), entry("vendor", 0xffff_ffff),
      joined(vendor, little(2, 4), entry("TITLE=a", 0xffff_ffff)),
      joined(vendor, little(1, 4), entry("TITLE")), [],
    ] {
      #expect(try tags(lie) == none)
    }
    for count in 0..<good.count { #expect(try tags(Array(good.prefix(count))) != nil, "\(count)") }
  }
}
