import Board
import TestSupport
import Testing

@testable import TrackDecoding

private let vorbis = ["tag-vorbis.ogg", "seek-vorbis.ogg", "vorbis-22050-stereo.ogg", "vorbis-22050-mono.ogg"]
private let opus = ["tag-opus.opus", "opus-16000-stereo.opus", "seek-opus.opus", "opus-48000-mono.opus"]

@Suite("A chain of Ogg streams")
struct ChainTests {
  /// All links' samples, each decoded from a file of its own, and where each begins, in frames.
  private func links(_ names: [String], rate: Int) throws -> (samples: [Int16], starts: [Int]) {
    try names.reduce(into: ([], [])) { all, name in
      all.starts.append(all.samples.count / 2)
      all.samples += try decode(fixture(name), rate: rate)
    }
  }

  @Test(
    "plays on through all links, each at its rate and with its channels",
    arguments: [("chain-vorbis.ogg", vorbis, 22_050), ("chain-opus.opus", opus, 48_000)])
  func plays(name: String, names: [String], rate: Int) throws {
    #expect(try parting(decode(fixture(name), rate: rate), links(names, rate: rate).samples) == nil)
  }

  @Test("is as long as its links together", arguments: [22_050, 44_100, 48_000, 16_000])
  func length(rate: Int) throws {
    // The last two are of one rate, and so are converted as one.
    let lengths = [(4417, 44_100), (144_011, 16_000), (2 * 5519, 22_050)]
    let sum = lengths.reduce(0) { $0 + Resampler.length($1.0, from: $1.1, to: rate) }
    let track = try FileTrackOpener().open(path: fixture("chain-vorbis.ogg"), rate: rate)
    #expect(track.info.frames == sum)
    #expect(try rest(track).count == 2 * sum)
    let opus = try FileTrackOpener().open(path: fixture("chain-opus.opus"), rate: rate)
    let wanted = Resampler.length(4817 + 12_021 + 432_011 + 12_007, from: 48_000, to: rate)
    #expect(opus.info.frames == wanted)
    #expect(try rest(opus).count == 2 * wanted)
  }

  @Test(
    "has the tags, the rate and the channels of its first link", arguments: ["chain-vorbis.ogg", "chain-opus.opus"])
  func first(name: String) throws {
    let info = try FileTrackOpener().inspect(path: fixture(name))
    let rate = name.hasSuffix("ogg") ? 44_100 : 48_000
    let frames = try FileTrackOpener().open(path: fixture(name), rate: rate).info.frames
    let wanted = TrackInfo(
      title: "Größe – Ω", artist: "One / Two", album: "Fixtures", rate: rate, channels: 1, frames: frames)
    #expect(info == wanted)
  }

  @Test(
    "is sought in to the frame, before, at and behind every boundary",
    arguments: [
      ("chain-vorbis.ogg", vorbis, 22_050), ("chain-vorbis.ogg", vorbis, 48_000), ("chain-opus.opus", opus, 48_000),
      ("chain-opus.opus", opus, 44_100),
    ])
  func seeks(name: String, names: [String], rate: Int) throws {
    let track = try FileTrackOpener().open(path: fixture(name), rate: rate)
    let whole = try rest(track)
    let frames = whole.count / 2
    let starts = try links(names, rate: rate).starts
    let around = starts.flatMap { start in [-9000, -2000, -1, 0, 1, 100, 3000, 9000].map { start + $0 } }
    for frame in scatter(frames, 10) + around where (0...frames).contains(frame) {
      try track.seek(to: frame)
      let samples = try next(track, 1500)
      let wanted = whole[(2 * frame)...].prefix(3000)
      #expect(samples.count == wanted.count, "at \(frame)")
      // Vorbis at its own rate, in the last two links, is the same to the last bit.
      let steps = rate == 22_050 && frame >= starts[2] ? 0 : 2
      #expect(largestDifference(samples, wanted) <= steps, "at \(frame)")
    }
    try track.seek(to: 0)
    #expect(try parting(rest(track), whole) == nil)
  }

  @Test("is decoded from no later than the frame wanted, which libvorbisfile oversteps in chains if it is sent there")
  func preroll() throws {
    let decoder = try VorbisDecoder(openTrackFile(fixture("../../Support/Fuzzing/Corpus/vorbis/chain.ogg")))
    for frame in stride(from: 0, to: 2007 + 5519, by: 50) {
      let landed = try #require(decoder.seek(to: frame))
      #expect(landed <= frame)
    }
  }

  @Test("is played at the gain of its first link throughout")
  func gain() throws {
    let plain = try decode(fixture("chain-vorbis.ogg"), rate: 22_050)
    let track = try FileTrackOpener(replayGain: .track).open(path: fixture("chain-vorbis.ogg"), rate: 22_050)
    let factor = LoudnessTags { $0 == "REPLAYGAIN_TRACK_GAIN" ? "-6.02 dB" : nil }.factor(.track)
    #expect(try largestDifference(rest(track), plain.map { Int16((Float($0) * factor).rounded()) }) <= 1)
  }

  @Test("ends where something that its library does not play follows")
  func mixed() throws {
    let folder = try TemporaryFolder()
    let vorbis = contents(fixture("seek-vorbis.ogg"))
    let opus = contents(fixture("opus-48000-mono.opus"))
    let path = folder.write("a.ogg", vorbis + opus + contents(fixture("chain-vorbis.ogg")))
    #expect(try parting(decode(path, rate: 16_000), decode(fixture("seek-vorbis.ogg"), rate: 16_000)) == nil)
    #expect(try FileTrackOpener().inspect(path: path).frames == 144_011)
  }
}

@Suite("FLAC in Ogg")
struct OggFLACTests {
  @Test("gives what FLAC gives, and as much of it")
  func plays() throws {
    let plain = plainSound(fixture("seek-flac.flac")).samples
    #expect(try parting(decode(fixture("seek-flac.oga"), rate: 8000), plain) == nil)
    let info = try FileTrackOpener().inspect(path: fixture("seek-flac.oga"))
    #expect(info == TrackInfo(rate: 8000, channels: 1, frames: 20_011))
  }

  @Test("is sought in to the frame")
  func seeks() throws {
    let plain = plainSound(fixture("seek-flac.flac")).samples
    let track = try FileTrackOpener().open(path: fixture("seek-flac.oga"), rate: 8000)
    for frame in scatter(20_011, 60) {
      try track.seek(to: frame)
      #expect(try parting(next(track, 900), plain[(2 * frame)...].prefix(1800)) == nil, "at \(frame)")
    }
  }
}
