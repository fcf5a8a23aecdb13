import Board
import TestSupport
import Testing

@testable import TrackDecoding

@Suite("Of tags without measure") struct TagBoundTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test("a text of any length is cut to 1 KiB, at a whole character")
  func longText() throws {
    let text = "a" + String(repeating: "é", count: 1_000)
    let cut = "a" + String(repeating: "é", count: 511)
    #expect(try mpeg([frame("TIT2", text)]).info.title == cut)
    #expect(try flac(["TITLE=\(text)"]).title == cut)
    let values = (0..<100).map { "ARTIST=\($0) \(text)" }
    #expect(try flac(values).artist?.utf8.count ?? 0 <= 1_024)
    let many = try mpeg([frame("TPE1", (0..<1_000).map { "Artist \($0)" }.joined(separator: "\0"))])
    #expect(many.info.artist?.utf8.count == 1_024)
  }

  @Test("tags of more than a thousand frames are stepped over, and the music plays")
  func manyFrames() throws {
    let extra = (0..<999).map { frame("TXXX", "K\($0)\0V") }
    #expect(try mpeg([frame("TIT2", "Title")] + extra).info.title == "Title")
    let many = try mpeg([frame("TIT2", "Title")] + extra + extra)
    #expect(many.info.title == nil)
    #expect(try rest(many) == decode(fixture("cbr-128.mp3"), rate: 44_100))
  }

  @Test("tags of more than 1 MiB are stepped over, but a picture does not count")
  func largeText() throws {
    let text = frame("TXXX", "K\0" + String(repeating: "x", count: 600_000))
    #expect(try mpeg([frame("TIT2", "Title"), text]).info.title == "Title")
    #expect(try mpeg([frame("TIT2", "Title"), text, text]).info.title == nil)
    let picture = frame("APIC", String(repeating: "x", count: 3_000_000))
    #expect(try mpeg([picture, frame("TIT2", "Title")]).info.title == "Title")
    let pictures = Array(repeating: picture, count: 6)
    #expect(try mpeg([frame("TIT2", "Title")] + pictures).info.title == nil)
  }

  @Test("a tag between the frames is not read, as its size is not known")
  func hiddenTag() throws {
    let music = contents(fixture("no-lame-tag.mp3"))
    // After the second frame, where libmpg123 takes it for one of the file's.
    let track = try open("a.mp3", music[..<835] + tag([frame("TIT2", "Hidden")]) + music[835...])
    #expect(track.info.title == nil)
  }

  private func open(_ name: String, _ bytes: [UInt8]) throws -> any TrackSource {
    try FileTrackOpener().open(path: folder.write(name, bytes), rate: 44_100)
  }

  private func mpeg(_ frames: [[UInt8]]) throws -> any TrackSource {
    try open("a.mp3", tag(frames) + contents(fixture("cbr-128.mp3")))
  }

  /// A tag of ID3v2.4.
  private func tag(_ frames: [[UInt8]]) -> [UInt8] {
    // Not `joined`, which takes seconds for megabytes.
    let body = frames.reduce(into: []) { $0 += $1 }
    return joined(ascii("ID3"), [4, 0, 0], synchsafe(body.count)) + body
  }

  /// A frame of one text in UTF-8.
  private func frame(_ name: String, _ text: String) -> [UInt8] {
    joined(ascii(name), synchsafe(text.utf8.count + 1), [0, 0, 3]) + ascii(text)
  }

  private func synchsafe(_ number: Int) -> [UInt8] { [21, 14, 7, 0].map { UInt8(number >> $0 & 0x7f) } }

  /// The description of a FLAC file with these comments, which come in place of its own.
  private func flac(_ comments: [String]) throws -> TrackInfo {
    let bytes = contents(fixture("flac-44100-stereo.flac"))
    let texts = comments.map { joined(little($0.utf8.count, 4), ascii($0)) }
    let body = joined(little(0, 4), little(comments.count, 4), Array(texts.joined()))
    let size = Array(little(body.count, 3).reversed())
    // After the name and the stream's 38 bytes of information come other blocks, of which the last has its highest bit set.
    var music = 42
    var isLast = false
    while !isLast {
      isLast = bytes[music] & 0x80 != 0
      music += 4 + bytes[music + 1..<music + 4].reduce(0) { $0 << 8 | Int($1) }
    }
    return try open("a.flac", joined(Array(bytes[..<42]), [0x84], size, body, Array(bytes[music...]))).info
  }
}
