import Board
import TestSupport
import Testing

@testable import TrackDecoding

private func box(_ name: String, _ body: [UInt8]) -> [UInt8] {
  let size = body.count + 8
  return (0..<4).map { UInt8(size >> (24 - 8 * $0) & 255) } + Array(name.utf8) + body
}

private let type = box("ftyp", Array("M4A \0\0\0\0isom".utf8))
private let sound = box("mdat", [UInt8](repeating: 0xff, count: 3000))
private func movie(_ codec: String) -> [UInt8] { box("moov", box("trak", box("stsd", box(codec, [0, 1, 2, 3])))) }

/// Three frames of bare AAC of 16 bytes each.
private let aac = Array(
  repeatElement([0xff, 0xf1, 0x50, 0x80, 0x02, 0x1f, 0xfc] + [UInt8](repeating: 5, count: 9), count: 3).joined())

private let foreign: [(bytes: [UInt8], kind: String)] = [
  (type + movie("mp4a") + sound, "AAC in MP4"), (type + sound + movie("alac"), "ALAC in MP4"),
  (type + sound, "MP4"), (aac, "AAC"), (Array("ID3\u{4}\0\0\0\0\0\u{0}".utf8) + aac, "AAC"),
  ([0x30, 0x26, 0xb2, 0x75, 0x8e, 0x66, 0xcf, 0x11] + [UInt8](repeating: 0, count: 40), "WMA"),
  ([0x1a, 0x45, 0xdf, 0xa3] + [UInt8](repeating: 0, count: 40), "Matroska or WebM"),
  (Array("wvpk".utf8) + [UInt8](repeating: 0, count: 40), "WavPack"),
  (Array("RIFF\0\0\0\0AVI LIST".utf8), "AVI"),
]

@Suite("Formats that are not played")
struct ForeignFormatTests {
  private static let advice = ", not played here: convert it with ffmpeg -i IN -vn -c:a flac OUT.flac"

  @Test("are named with what to do, whatever the name of the file", arguments: foreign.indices)
  func content(index: Int) throws {
    let folder = try TemporaryFolder()
    let path = folder.write("a.mp3", foreign[index].bytes)
    let refusal = TrackError(operation: .open, path: path, reason: foreign[index].kind + Self.advice)
    #expect(throws: refusal) { try FileTrackOpener().open(path: path, rate: 44100) }
    #expect(throws: refusal) { try FileTrackOpener().inspect(path: path, trustsHeaders: true) }
  }

  @Test("are named by their endings in a listing, and pictures and texts are no music")
  func names() throws {
    let folder = try TemporaryFolder()
    for name in ["a.m4a", "B.WMA", "c.mid", "cover.jpg", "notes.txt", "d.mp3"] { folder.write(name) }
    let listing = try LibraryScan.list([folder.path])
    let reasons = ["AAC or ALAC in MP4" + Self.advice, "WMA" + Self.advice, "MIDI, which holds notes and no sound"]
    #expect(listing.skipped.filter(\.isMusic).map(\.reason) == reasons)
    #expect(listing.skipped.filter { !$0.isMusic }.map(\.reason) == [SoundFileName.refusal, SoundFileName.refusal])
    let more = listing.skipped + [listing.skipped[0]]
    #expect(
      LibraryListing.unplayed(more) == ["2 files: \(reasons[0])", "1 file: \(reasons[2])", "1 file: \(reasons[1])"])
  }

  @Test(
    "P11: in the containers that are played are named, too",
    arguments: [
      ("CAF", ascii("aac "), "AAC"), ("CAF", ascii("opus"), "Opus"), ("CAF", ascii("flac"), "FLAC"),
      ("CAF", ascii("ima4"), "IMA ADPCM"), ("CAF", ascii("zzzz"), "codec zzzz"),
      ("CAF", ascii("alac") + [0, 0, 0, 0], "ALAC"), ("AIFF", ascii("alac"), "ALAC"),
      ("AIFF", ascii("MAC3"), "MACE"), ("AIFF", ascii("zzzz"), "codec zzzz"), ("Wave64", [0xff, 0], "AAC"),
      ("Wave64", [0x61, 1], "WMA"), ("WAV", [0xff, 0], "AAC"), ("WAV", [1, 0x20], "DTS"),
      ("WAV", [0x77, 7], "codec 0x777"), ("extended", [0x62, 1], "WMA"),
    ])
  func codecs(container: String, codec: [UInt8], name: String) throws {
    let folder = try TemporaryFolder()
    let path = folder.write("a.sound", encoded(container, codec))
    let format = container == "extended" ? "WAV" : container
    let refusal = TrackError(operation: .open, path: path, reason: "\(name) in \(format)\(Self.advice)")
    #expect(throws: refusal) { try FileTrackOpener().open(path: path, rate: 44_100) }
  }

  @Test("P11: no codec is blamed for a file that is damaged")
  func damaged() throws {
    let folder = try TemporaryFolder()
    let withoutItsTable = encoded("CAF", ascii("alac") + [0, 0, 0, 1])
    for file in [wave(bytes(noise(500)), channels: 0), coreAudio(-1, []), LengthFormat.aiff.file([]), withoutItsTable] {
      do throws(TrackError) {
        _ = try FileTrackOpener().open(path: folder.write("a.sound", file), rate: 44_100)
        Issue.record("opens")
      } catch { #expect(!error.reason.contains("convert"), "\(error.reason)") }
    }
  }

  /// A file of PCM whose description names another codec.
  private func encoded(_ container: String, _ codec: [UInt8]) -> [UInt8] {
    let samples = noise(500)
    var file: [UInt8]
    switch container {
    case "CAF":
      file = coreAudio(-1, bytes(samples))
      file.replaceSubrange(28..<28 + codec.count, with: codec)
    case "AIFF":
      file = LengthFormat.aiff.file(samples)
      file.replaceSubrange(8..<12, with: ascii("AIFC"))
      file.replaceSubrange(16..<20, with: [0, 0, 0, 24])
      file.insert(contentsOf: codec + [0, 0], at: 38)
    case "Wave64":
      file = LengthFormat.wave64.file(samples)
      file.replaceSubrange(64..<66, with: codec)
    case "extended":
      let name: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xaa, 0, 0x38, 0x9b, 0x71]
      file = wave(bytes(samples), format: 0xfffe)
      file.replaceSubrange(16..<20, with: [40, 0, 0, 0])
      file.insert(contentsOf: joined([22, 0, 16, 0, 3, 0, 0, 0], codec, name), at: 36)
    default:
      file = wave(bytes(samples))
      file.replaceSubrange(20..<22, with: codec)
    }
    return file
  }
}
