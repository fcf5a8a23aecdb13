import Board
import Glibc
import TestSupport
import Testing

@testable import TrackDecoding

/// A stretch of constant bit rate without any header, long enough not to be measured when it is opened. At this rate no
/// frame is padded.
private func plainMusic(longer: Int = 1) throws -> [UInt8] {
  let music = wholeFrames(contents(fixture("rate-48000-stereo.mp3")))
  let audio = music[try #require(MPEGHeader(music)).size...]
  return Array(repeatElement(audio, count: longer * (FileTrackOpener.measuredSize / audio.count + 1)).joined())
}

/// The same of a variable bit rate.
private func variableMusic() throws -> [UInt8] {
  let music = wholeFrames(contents(fixture("seek-vbr.mp3")))
  let audio = music[try #require(MPEGHeader(music)).size...]
  return Array(repeatElement(audio, count: FileTrackOpener.measuredSize / audio.count + 1).joined())
}

/// Without what follows the last whole frame.
private func wholeFrames(_ bytes: [UInt8]) -> [UInt8] {
  var end = 0
  while end + 4 <= bytes.count, let header = MPEGHeader(bytes[end...]), end + header.size <= bytes.count {
    end += header.size
  }
  return Array(bytes[..<end])
}

private func big(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }

/// A first frame with a Xing header without LAME's part, as long as the first of `music`.
private func xing(_ name: String, frames: Int, bytes: Int, before music: [UInt8]) throws -> [UInt8] {
  let header = try #require(MPEGHeader(music))
  var frame = Array(music[..<4]) + [UInt8](repeating: 0, count: header.size - 4)
  frame.replaceSubrange(36..<52, with: Array(name.utf8) + [0, 0, 0, 3] + big(frames) + big(bytes))
  return frame
}

private func vbri(frames: Int, bytes: Int, before music: [UInt8]) throws -> [UInt8] {
  var frame = try xing("    ", frames: 0, bytes: 0, before: music)
  frame.replaceSubrange(36..<54, with: Array("VBRI".utf8) + [0, 1, 0, 0, 0, 75] + big(bytes) + big(frames))
  return frame
}

private func count(_ music: [UInt8]) -> Int {
  var (place, frames) = (0, 0)
  while place + 4 <= music.count, let header = MPEGHeader(music[place...]) {
    place += header.size
    frames += 1
  }
  return frames
}

private let apeTag: [UInt8] =
  Array("APETAGEX".utf8) + [0xd0, 7, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xa0] + [UInt8](repeating: 0, count: 8)
  + [UInt8](repeating: 3, count: 32)
  + Array("APETAGEX".utf8) + [0xd0, 7, 0, 0, 64, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x80] + [UInt8](repeating: 0, count: 8)
private let id3v1 = Array("TAG".utf8) + [UInt8](repeating: 65, count: 125)
private let lyrics = Array("LYRICSBEGININD0000200000020LYRICS200".utf8)

@Suite("The length of an MPEG track")
struct MPEGLengthTests {
  /// What the headers give on opening, what a thorough look finds, and what can be decoded.
  private func lengths(_ bytes: [UInt8]) throws -> (opened: Int?, thorough: Int?, decoded: Int) {
    let folder = try TemporaryFolder()
    let path = folder.write("a.mp3", bytes)
    let track = try FileTrackOpener().open(path: path, rate: #require(MPEGHeader(bytes)).rate)
    let opened = track.info.frames
    let trusting = try FileTrackOpener().inspect(path: path, trustsHeaders: true).frames
    if let opened { #expect(trusting == opened) }
    let thorough = try FileTrackOpener().inspect(path: path).frames
    let decoded = try rest(track).count / 2
    #expect(track.info.frames == decoded, "put right at the end")
    return (opened, thorough, decoded)
  }

  @Test("is known at once for a constant bit rate that agrees with the file's size, whatever tags are behind it")
  func constant() throws {
    let music = try plainMusic()
    for tail in [[], id3v1, apeTag, apeTag + id3v1, lyrics + id3v1] {
      let found = try lengths(music + tail)
      #expect(found.opened == count(music) * 1152)
      #expect(found.thorough == found.opened)
      #expect(found.decoded == found.opened)
    }
  }

  @Test("is known at once from a Xing, Info or VBRI header that agrees with the file's size")
  func announced() throws {
    let many = try variableMusic()
    let frames = count(many)
    let size = try xing("Xing", frames: 0, bytes: 0, before: many).count
    for bytes in [many.count, many.count + size] {
      let found = try lengths(xing("Xing", frames: frames, bytes: bytes, before: many) + many)
      #expect(found.opened == frames * 1152)
      #expect(found.thorough == found.opened)
    }
    let found = try lengths(vbri(frames: frames, bytes: many.count + size, before: many) + many)
    #expect(found.opened == (frames + 1) * 1152)
    #expect(found.thorough == found.opened)
    let plain = try plainMusic()
    let info = try lengths(xing("Info", frames: count(plain), bytes: plain.count, before: plain) + plain)
    #expect(info.opened == count(plain) * 1152)
  }

  @Test("is that of the whole file where a header lies, and no frame is lost", arguments: [0.1, 0.5, 2, 10])
  func lies(times: Double) throws {
    let plain = try plainMusic()
    let variable = try variableMusic()
    for (name, audio) in [("Info", plain), ("Xing", variable)] {
      let frames = count(audio)
      let lying = Int(Double(frames) * times)
      // A wrong count of frames beside the right one of bytes, and both wrong.
      for bytes in [audio.count, Int(Double(audio.count) * times)] {
        let found = try lengths(xing(name, frames: lying, bytes: bytes, before: audio) + audio)
        #expect(found.decoded == frames * 1152)
        #expect(found.thorough == found.decoded)
        #expect(found.opened == nil || found.opened == found.decoded, "\(name) \(bytes)")
      }
    }
  }

  @Test("is measured for a variable bit rate without a header, and for a file that was cut short")
  func unannounced() throws {
    let many = try variableMusic()
    #expect(try lengths(many).opened == nil)
    let cut = try xing("Xing", frames: count(many), bytes: many.count, before: many) + many.dropLast(10_000)
    #expect(try lengths(cut).opened == nil)
    let plain = try plainMusic()
    #expect(try lengths(Array(plain.dropLast(100))).opened == nil)
    // With bytes that are not music, as many as some frames: the frames after them are not where they should be.
    let size = try #require(MPEGHeader(plain)).size
    let junk = plain.prefix(500_000) + [UInt8](repeating: 7, count: 200) + plain.dropFirst(500_000)
    #expect(try lengths(Array(junk.dropLast(200 % size))).opened == nil)
  }

  @Test("that a header announces wrongly is put right while the track plays")
  func putRight() throws {
    // So little more or less could be a quieter or louder passage: the count is believed at first.
    let many = try variableMusic()
    let frames = count(many)
    let folder = try TemporaryFolder()
    for (lying, isShort) in [(frames * 24 / 25, true), (frames * 26 / 25, false)] {
      let path = folder.write("a.mp3", try xing("Xing", frames: lying, bytes: many.count, before: many) + many)
      let track = try FileTrackOpener().open(path: path, rate: 44100)
      #expect(track.info.frames == lying * 1152)
      _ = try next(track, (frames - 10) * 1152)
      #expect(track.info.frames == (isShort ? nil : lying * 1152))
      _ = try rest(track)
      #expect(track.info.frames == frames * 1152)
      // A place after the end shows nothing.
      try track.seek(to: frames * 1152 + 5000)
      #expect(try next(track, 10).isEmpty)
      #expect(track.info.frames == frames * 1152)
    }
  }

  @Test("is found in a few places of the file")
  func fewReads() throws {
    let folder = try TemporaryFolder()
    let path = folder.write("a.mp3", try plainMusic(longer: 4))
    let before = try bytesRead()
    _ = try FileTrackOpener().inspect(path: path, trustsHeaders: true)
    let taken = try bytesRead() - before
    #expect(taken < 100_000)
  }

  /// Bytes that this thread has read.
  private func bytesRead() throws -> Int {
    let text = String(decoding: try #require(readFile("/proc/thread-self/io")), as: UTF8.self)
    return try #require(text.split(separator: "\n").first?.split(separator: " ").last.flatMap { Int($0) })
  }
}
