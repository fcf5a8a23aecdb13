import Board
import TestSupport
import Testing

@testable import TrackDecoding

/// Lengths in headers that are not those of the sound: all of it is heard, and nothing else.
@Suite struct SoundLengthTests {
  private let folder: TemporaryFolder
  private let samples = noise(5000)

  init() throws { folder = try TemporaryFolder() }

  private func check(_ file: [UInt8], _ what: String) throws {
    let path = folder.write("a.sound", file)
    #expect(try parting(decode(path, rate: 44_100), samples) == nil, "\(what)")
    #expect(try FileTrackOpener().inspect(path: path).frames == 5000, "\(what)")
    let track = try FileTrackOpener().open(path: path, rate: 44_100)
    try track.seek(to: 4000)
    #expect(try parting(rest(track), samples[8000...]) == nil, "\(what)")
  }

  @Test(
    "P11.1: a length that is too small ends nothing, and the chunks and tags behind the sound are not heard",
    arguments: LengthFormat.allCases)
  func tooSmall(format: LengthFormat) throws {
    let tag = ascii("TAG") + [UInt8](repeating: 65, count: 125)
    for size in [1, 4, 3000, 19_992, 20_000, 20_004, 1 << 30, 0xffff_ffff] {
      for chunks in [false, true] {
        try check(format.file(samples, size: size, chunks: chunks), "\(size), \(chunks)")
        try check(format.file(samples, size: size, chunks: chunks, tail: tag), "\(size), \(chunks), tagged")
      }
    }
    // The right length, and a chunk after it that is not whole.
    let whole = format.file(samples, chunks: true)
    try check(Array(whole.dropLast(300)), "torn")
  }

  @Test(
    "P11.2: an ID3v2 tag that stands behind the sound is not heard", arguments: [LengthFormat.wave, .bigWave, .aiff])
  func tagBehind(format: LengthFormat) throws {
    let tag = ascii("ID3") + [3, 0, 0, 0, 0, 39, 8] + noise(2500).flatMap { [UInt8(truncatingIfNeeded: $0), 0x41] }
    try check(format.file(samples, tail: tag), "tagged")
  }

  @Test(
    "P11: a file behind which another of its kind stands is played",
    arguments: [LengthFormat.wave, .bigWave, .aiff, .wave64])
  func followed(format: LengthFormat) throws {
    try check(format.file(samples) + format.file(samples), "twice")
  }

  @Test("P11.1: a length without sound is no more than that", arguments: LengthFormat.allCases)
  func soundless(format: LengthFormat) throws {
    for size in [0, 1, -1, 1 << 31, .max - 24, .min + 24] {
      let path = folder.write("a.sound", format.file([], size: size))
      #expect(throws: TrackError.self) { try FileTrackOpener().open(path: path, rate: 44_100) }
    }
  }

  @Test("P11.1: AU goes on to the end of the file, whatever length it has", arguments: [1, 4, 3000, 20_004])
  func goesOn(size: Int) throws { try check(sunAudio(size, bigEndian(samples)), "\(size)") }

  @Test("a WAV whose header was never finished, or claims too much, plays as far as it goes")
  func lengths() throws {
    let data = bytes(samples)
    var files: [[UInt8]] = [wave(data, riffSize: 0, dataSize: 0), wave(data, dataSize: 0)]
    files.append(wave(data, riffSize: 0xffff_ffff, dataSize: 0xffff_ffff))
    files.append(wave(data, dataSize: 0x7fff_fff0))
    files.append(wave(data + [1], dataSize: data.count + 9))
    files.append(wave(data + [1, 2, 3]))
    for (index, file) in files.enumerated() { try check(file, "file \(index)") }
    // Data that is really empty, because chunks follow it.
    let list = joined(ascii("LIST"), little(4, 4), ascii("INFO"))
    #expect(throws: TrackError.self) { try decode(folder.write("e.wav", wave(list, dataSize: 0)), rate: 44_100) }
  }

  @Test("P11: a length that was never filled in, or cannot be, is that of the file: CAF, AU and RF64")
  func unknownLengths() throws {
    let big = bigEndian(samples)
    var files = [-1, 0, 4, -2, .min, .max, 7 * big.count, big.count + 4].map { coreAudio($0, big) }
    let info = joined(ascii("info"), little(6, 8).reversed(), [0, 0, 0, 0, 0, 0])
    files.append(coreAudio(big.count + 4, big, behind: info))
    files += [0, 0xffff_ffff, 0xffff_fffe, 3 * big.count, big.count].map { sunAudio($0, big) }
    files += [0, -1, 1 << 40, 4 * samples.count, 2 * samples.count].map { largeWave($0, bytes(samples)) }
    for (index, file) in files.enumerated() { try check(file, "file \(index)") }
    // Data that is really empty, because a chunk follows it.
    #expect(throws: TrackError.self) {
      try decode(folder.write("e.caf", coreAudio(4, [], behind: info)), rate: 44_100)
    }
  }

  @Test("FLAC that announces no length plays to its end; one that announces too much says so there")
  func announced() throws {
    let whole = plainSound(fixture("seek-flac.flac")).samples
    var file = contents(fixture("seek-flac.flac"))
    file.replaceSubrange(22..<26, with: [0, 0, 0, 0])
    let silent = folder.write("a.flac", file)
    #expect(try parting(decode(silent, rate: 8000), whole) == nil)
    #expect(try FileTrackOpener().open(path: silent, rate: 8000).info.frames == nil)
    #expect(try FileTrackOpener().inspect(path: silent).frames == 20_011)
    file.replaceSubrange(22..<26, with: [0x7f, 0, 0, 0])
    let (samples, reason) = try play(folder.write("b.flac", file), rate: 8000)
    #expect(parting(samples, whole) == nil)
    #expect(reason?.hasPrefix("damaged or cut short: only 20011 of") == true)
  }
}
