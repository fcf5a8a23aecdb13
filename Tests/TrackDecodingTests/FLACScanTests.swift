import TestSupport
import Testing

@testable import TrackDecoding

@Suite("The frames of FLAC, found by their headers") struct FLACScanTests {
  @Test("rise in a whole recording, and not where another begins, or behind the end")
  func rising() throws {
    let folder = try TemporaryFolder()
    let bytes = contents(fixture("seek-flac.flac"))
    let file = try openTrackFile(fixture("seek-flac.flac"))
    let first = try #require(FLACHeaders(file, isOgg: false).first)
    for end in [nil, 20_011, 60_000] {
      #expect(FLACScan(file).isRising(from: first.place, like: first.header, to: end))
    }
    #expect(!FLACScan(file).isRising(from: first.place, like: first.header, to: 19_000))
    let joined = try openTrackFile(folder.write("a", bytes + bytes))
    #expect(!FLACScan(joined).isRising(from: first.place, like: first.header, to: nil))
  }

  @Test("rise in Ogg by the positions of its pages")
  func risingInOgg() throws {
    let folder = try TemporaryFolder()
    let pages = TestPage.parse(contents(fixture("seek-flac.oga")))
    let file = try openTrackFile(fixture("seek-flac.oga"))
    let first = try #require(FLACHeaders(file, isOgg: true).page)
    for end in [nil, 20_011, 60_000] { #expect(FLACScan(file).isRising(behind: first, to: end)) }
    #expect(!FLACScan(file).isRising(behind: first, to: 20_010))
    let joined = try openTrackFile(folder.write("a", (pages + pages[pages.headers...]).file))
    #expect(!FLACScan(joined).isRising(behind: first, to: nil))
  }
}
