import Board
import TestSupport
import Testing

@testable import TrackDecoding

private let names = ["seek-vorbis.ogg", "seek-opus.opus"]
private let short = ["vorbis-44100-stereo.ogg", "opus-48000-stereo.opus"]

@Suite("P11.1: Positions in the pages of Ogg")
struct OggPositionTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Some ten or twenty pages with music, of which the last ends within.
  private func pages(_ name: String) throws -> [TestPage] {
    let isOpus = name.hasSuffix("opus")
    let all = TestPage.parse(contents(fixture(name)))
    var pages = try all.split(short.contains(name) ? 2 : isOpus ? 23 : 15, isOpus ? .opus : .vorbis)
    if let last = all.last { pages[pages.count - 1].position = last.position }
    return pages
  }

  private func rate(_ name: String) -> Int {
    name.hasSuffix("opus") ? 48_000 : short.contains(name) ? 44_100 : 16_000
  }

  /// Checks that the file plays as `samples`, is as long as that, and is sought in exactly.
  private func check(_ pages: [TestPage], as samples: some Collection<Int16>, _ name: String, _ note: String) throws {
    let path = folder.write("a.ogg", pages.file)
    let samples = Array(samples)
    let track = try FileTrackOpener().open(path: path, rate: rate(name))
    #expect(track.info.frames == samples.count / 2, "\(name) \(note)")
    let played = try rest(track)
    #expect(played.count == samples.count, "\(name) \(note)")
    #expect(largestDifference(played, samples) <= (name.hasSuffix("opus") ? 1 : 0), "\(name) \(note)")
    #expect(try FileTrackOpener().inspect(path: path).frames == samples.count / 2, "\(name) \(note)")
    for frame in scatter(samples.count / 2, 5) {
      try track.seek(to: frame)
      let found = try next(track, 500)
      #expect(largestDifference(found, played[(2 * frame)...].prefix(1000)) <= 1, "\(name) \(note) at \(frame)")
      #expect(found.count == min(1000, samples.count - 2 * frame), "\(name) \(note) at \(frame)")
    }
  }

  @Test("of sound files are left as they are, and their frames are counted without decoding")
  func sound() throws {
    for name in [
      "vorbis-8000-mono.ogg", "vorbis-44100-stereo.ogg", "tag-vorbis.ogg", "tag-opus.opus",
      "seek-opus-short.opus", "opus-48000-mono.opus", "chain-vorbis.ogg", "chain-opus.opus",
    ] + names {
      let file = try openTrackFile(fixture(name))
      let codec = try #require(OggPage.playable(file)).codec
      let repair = OggRepair(file, codec, isThorough: true)
      #expect(repair.patches.isEmpty, "\(name)")
      #expect(repair.end == file.size && repair.isThorough, "\(name)")
    }
  }

  @Test("P11: a page that the storage does not give, or only its beginning, is no whole one", arguments: [0, 5, 26])
  func cut(count: Int) { #expect(!OggPage.isWhole([UInt8](repeating: 0, count: count))) }

  @Test("of the last page never cut more than that page", arguments: names)
  func last(name: String) throws {
    let pages = try pages(name)
    let whole = try decode(folder.write("whole", placed(pages, last: -1).file), rate: rate(name))
    let trimmed = try decode(fixture(name), rate: rate(name))
    let before = pages[pages.count - 2].position
    let last = Int(pages[pages.count - 1].position - before) + (whole.count - trimmed.count) / 2
    #expect(parting(whole.prefix(trimmed.count), trimmed) == nil && whole.count > trimmed.count)
    for position in [-1, 0, 1, before - 1, before / 2, -7, 1 << 40, .max, .min] {
      try check(placed(pages, last: position), as: whole, name, "last page at \(position)")
    }
    // A stream that ends within the page is cut to the frame, also by more than a packet, and if no flag says that it
    // ends.
    for cut in [1, 700, last - 1] {
      let position = before + Int64(last - cut)
      try check(placed(pages, last: position), as: whole.dropLast(2 * cut), name, "\(cut) frames cut")
      var open = placed(pages, last: position)
      open[open.count - 1].flags &= ~4
      try check(open, as: whole.dropLast(2 * cut), name, "\(cut) frames cut without a flag")
    }
  }

  private func placed(_ pages: [TestPage], last: Int64) -> [TestPage] {
    var pages = pages
    pages[pages.count - 1].position = last
    return pages
  }

  @Test("that begin again, begin late or are nowhere leave nothing out", arguments: short)
  func others(name: String) throws {
    let pages = try pages(name)
    let whole = try decode(fixture(name), rate: rate(name))
    let untrimmed = try decode(folder.write("b.ogg", placed(pages, last: -1).file), rate: rate(name))
    let (first, middle) = (pages[pages.headers + 1].position, pages[pages.headers + 3].position)
    try check(pages.placed { $1 + 1 << 32 }, as: whole, name, "late")
    try check(pages.placed { $0 > 3 ? $1 - middle : $1 }, as: whole, name, "again")
    try check(pages.placed { $0 > 3 ? $1 - middle : $0 > 1 ? $1 - first : $1 }, as: whole, name, "twice again")
    try check(pages.placed { $0 > 3 ? $1 + 1 << 36 : $1 }, as: whole, name, "later")
    try check(pages.placed { $0 == 0 ? -1 : $1 }, as: whole, name, "first nowhere")
    try check(pages.placed { $0 == 0 ? 0 : $1 }, as: whole, name, "first 0")
    try check(pages.placed { $0 == 0 ? $1 + 5 << 33 : $1 }, as: whole, name, "first late")
    try check(pages.placed { $0 == 3 ? -1 : $1 }, as: whole, name, "one nowhere")
    try check(pages.placed { _, _ in -1 }, as: untrimmed, name, "all nowhere")
    try check(pages.placed { _, _ in 0 }, as: untrimmed, name, "all 0")
    try check(pages.placed { index, _ in 100_000 - 1000 * Int64(index) }, as: untrimmed, name, "falling")
  }

  @Test("of Opus that count too little on the first page leave it playable")
  func early() throws {
    let name = short[1]
    let pages = try pages(name)
    let whole = try decode(fixture(name), rate: 48_000)
    let held = pages[pages.headers].position
    for less in [8, 960, held - 1, held, held + 5] {
      try check(pages.placed { $1 - less }, as: whole, name, "\(less) too few")
    }
    try check(pages.placed { $0 == 0 ? $1 - 8 : $1 }, as: whole, name, "first page 8 too few")
  }

  @Test("of a file that was put behind itself, with the same serial number, count for both", arguments: short)
  func twice(name: String) throws {
    let pages = try pages(name)
    let whole = try decode(fixture(name), rate: rate(name))
    try check(pages + pages + pages, as: whole + whole + whole, name, "three times")
  }

  @Test("of pages that were cut out of a stream, or put together, count as they are", arguments: names)
  func cut(name: String) throws {
    let pages = try pages(name)
    let headers = pages.headers
    let part = Array(pages[..<headers] + pages[(headers + 4)...])
    let whole = try decode(fixture(name), rate: rate(name))
    let samples = try decode(folder.write("a.ogg", part.file), rate: rate(name))
    let wanted = whole.count / 2 - Int(pages[headers + 3].position)
    #expect(abs(samples.count / 2 - wanted) < 5000, "\(samples.count / 2) of \(wanted)")
    #expect(largestDifference(samples.suffix(20_000), whole.suffix(20_000)) <= 1)
    // Without its middle there is no silence.
    let joined = Array(pages[..<(headers + 2)] + pages[(headers + 4)...])
    let short = try decode(folder.write("b.ogg", joined.file), rate: rate(name))
    let held = Int(pages[headers + 3].position - pages[headers + 1].position)
    #expect(abs(short.count / 2 - (whole.count / 2 - held)) < 5000, "\(short.count / 2)")
  }

  @Test("of the last page of a large file are put right without reading it through", arguments: names)
  func large(name: String) throws {
    let pages = try pages(name)
    let codec = name.hasSuffix("opus") ? OggPage.Codec.opus : .vorbis
    let music = (0..<60).flatMap { _ in pages[pages.headers...] }
    let long = try (Array(pages[..<pages.headers]) + music).placedAnew(codec)
    for position: Int64 in [-1, 0, 1000, 1 << 40] {
      let path = folder.write("a.ogg", placed(long, last: position).file)
      let file = try openTrackFile(path)
      #expect(file.size > OggRepair.readThrough)
      let repair = OggRepair(file, codec, isThorough: false)
      #expect(!repair.isThorough && repair.end == file.size, "\(position)")
      let frames = try FileTrackOpener().open(path: path, rate: rate(name)).info.frames ?? 0
      let preskip = codec == .opus ? 312 : 0
      #expect(frames == Int(long[long.count - 1].position) - preskip, "\(position)")
    }
  }
}
