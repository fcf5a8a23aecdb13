import TestSupport

@testable import TrackDecoding

/// A page of an Ogg file, to be changed and written again with the right checksum.
struct TestPage {
  var flags: UInt8
  var position: Int64
  var serial: UInt32
  var number: UInt32
  var lacing: [UInt8]
  var body: [UInt8]

  /// The pages of a file that holds nothing else.
  static func parse(_ bytes: [UInt8]) -> [TestPage] {
    var pages: [TestPage] = []
    var place = 0
    while place < bytes.count {
      let head = Array(bytes[place..<place + 27])
      let body = place + 27 + Int(head[26])
      let lacing = Array(bytes[place + 27..<body])
      place = body + lacing.reduce(0) { $0 + Int($1) }
      pages.append(
        TestPage(
          flags: head[5], position: Int64(bitPattern: head[6..<14].littleEndian),
          serial: UInt32(head[14..<18].littleEndian), number: UInt32(head[18..<22].littleEndian), lacing: lacing,
          body: Array(bytes[body..<place])))
    }
    return pages
  }

  var bytes: [UInt8] {
    let numbers = joined(
      little(Int(position), 8), little(Int(serial), 4), little(Int(number), 4), [0, 0, 0, 0], [UInt8(lacing.count)])
    let page = joined(ascii("OggS"), [0, flags], numbers, lacing, body)
    let header = OggPage.header(page, position: position, serial: serial, ends: flags & 4 != 0)
    return header + page[header.count...]
  }
}

extension [TestPage] {
  var file: [UInt8] { flatMap(\.bytes) }
  /// The number of pages that hold the headers of a file with one stream.
  var headers: Int { (firstIndex { $0.position != 0 } ?? 0) }

  /// The same stream on more pages with music, of up to `most` segments each, with the positions that they should have;
  /// the last page is not cut.
  func split(_ most: Int, _ codec: OggPage.Codec) throws -> [TestPage] {
    var pages = Array(self[..<headers])
    for page in self[headers...] {
      var (lacing, body) = (page.lacing[...], page.body[...])
      while let first = lacing.dropFirst(most - 1).firstIndex(where: { $0 < 255 }) ?? lacing.indices.last {
        let size = lacing[...first].reduce(0) { $0 + Int($1) }
        let flags = first == page.lacing.count - 1 ? page.flags : 0
        pages.append(
          TestPage(
            flags: flags, position: -1, serial: page.serial, number: UInt32(pages.count),
            lacing: Array<UInt8>(lacing[...first]),
            body: Array<UInt8>(body.prefix(size))))
        (lacing, body) = (lacing[(first + 1)...], body.dropFirst(size))
      }
    }
    return try pages.placedAnew(codec)
  }

  /// The pages of one stream with the numbers and positions that they should have; the last page is not cut.
  func placedAnew(_ codec: OggPage.Codec) throws -> [TestPage] {
    var pages = placed { _, _ in -1 }
    for index in pages.indices {
      pages[index].number = UInt32(index)
      if index < pages.count - 1 { pages[index].flags &= ~4 }
    }
    let folder = try TemporaryFolder()
    var file = pages.file
    for patch in OggRepair(try openTrackFile(folder.write("a", file)), codec, isThorough: true).patches {
      file.replaceSubrange(patch.offset..<patch.offset + patch.bytes.count, with: patch.bytes)
    }
    return TestPage.parse(file)
  }

  /// The pages with other positions for those with music; their index counts from 0.
  func placed(_ position: (Int, Int64) -> Int64) -> [TestPage] {
    var pages = self
    for index in headers..<count { pages[index].position = position(index - headers, pages[index].position) }
    return pages
  }
}
