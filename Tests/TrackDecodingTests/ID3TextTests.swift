import TestSupport
import Testing

@testable import TrackDecoding

@Suite("A text of ID3v2")
struct ID3TextTests {
  private func bytes(_ text: String, isBigEndian: Bool) -> [UInt8] {
    text.utf16.flatMap { isBigEndian ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)] }
  }

  @Test(
    "in UTF-16 without a byte order mark is read in the order that gives letters",
    arguments: [
      "Größe", "A", "7", "Für Elise", "Ωmega – Fuß", "Галка", "新しい世界へようこそ", "한국어 노래", "שלום", "𝄞 Clef",
      "Track 01", "Dvořák: Symfonie č. 9 „Z nového světa“", "Chère « amie »…", "東京", "千本桜", "부산",
    ])
  func unmarked(text: String) {
    #expect(ID3Text.values([1] + bytes(text, isBigEndian: false)) == [text])
    #expect(ID3Text.values([1] + bytes(text, isBigEndian: true)) == [text])
    #expect(ID3Text.values([2] + bytes(text, isBigEndian: true)) == [text])
    for isBigEndian in [false, true] {
      #expect(ID3Text.values([1] + bytes("\u{feff}" + text, isBigEndian: isBigEndian)) == [text])
    }
  }

  @Test("of several values goes on in the order of the one before, unless it has a mark of its own")
  func values() {
    let little = bytes("\u{feff}One\0Zwei\0", isBigEndian: false)
    #expect(ID3Text.values([1] + little + bytes("\u{feff}Three", isBigEndian: true)) == ["One", "Zwei", "Three"])
    #expect(ID3Text.values([1] + bytes("One\0二", isBigEndian: false)) == ["One", "二"])
    #expect(ID3Text.values([0] + [0x47, 0xf6, 0, 0x41, 0]) == ["Gö", "A"])
    #expect(ID3Text.values([3] + ascii("Gö\0A")) == ["Gö", "A"])
  }

  @Test("of no known encoding, of half a word or of nothing is none, or what there is of it")
  func odd() {
    #expect(ID3Text.values([4, 65, 66]) == [])
    #expect(ID3Text.values([UInt8]()) == [])
    #expect(ID3Text.values([1]) == [])
    #expect(ID3Text.values([1, 65]) == [])
    #expect(ID3Text.values([1, 0xff, 0xfe]) == [""])
    #expect(ID3Text.values([1, 0xff, 0xfe, 65, 0, 66]) == ["A"])
    #expect(ID3Text.values([1, 0xff, 0xfe, 0x3d, 0xd8]) == ["\u{fffd}"])
  }

  @Test("is the title of a file, and names its gain", arguments: [3, 4])
  func file(version: UInt8) throws {
    let folder = try TemporaryFolder()
    func frame(_ name: String, _ text: String) -> [UInt8] {
      let body = [1] + bytes(text, isBigEndian: false)
      return joined(ascii(name), [0, 0, 0, UInt8(body.count), 0, 0], body)
    }
    let frames = frame("TIT2", "Größe") + frame("TXXX", "REPLAYGAIN_TRACK_GAIN\0-6,02 dB")
    let tag = joined(ascii("ID3"), [version, 0, 0, 0, 0, UInt8(frames.count >> 7), UInt8(frames.count & 127)], frames)
    let path = folder.write("a.mp3", tag + contents(fixture("cbr-128.mp3")))
    #expect(try FileTrackOpener().inspect(path: path).title == "Größe")
    let plain = try decode(path, rate: 44_100)
    let softer = try rest(FileTrackOpener(replayGain: .track).open(path: path, rate: 44_100))
    #expect(largestDifference(plain.map { Int16((Float($0) * 0.500035).rounded()) }, softer) <= 1)
  }
}
