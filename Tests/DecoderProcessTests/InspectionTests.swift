import Board
import Glibc
import Testing
import TrackDecoding

@testable import DecoderProcess

/// Many files that are inspected together.
@Suite struct InspectionTests {
  /// Each several times, because more are under way at once than there are answers.
  private static let paths = ["seek-flac.flac", "seek-cbr-320.mp3", "tag-id3v23-utf16-picture.mp3", "seek-vbr.mp3"].map(
    fixture)
  private static let many = Array([[String]](repeating: paths, count: 12).joined())

  private func text(_ found: Result<TrackInfo, TrackError>) -> String {
    switch found {
    case .success(let info): "\(info)"
    case .failure(let error): error.reason
    }
  }

  private func expected(_ path: String) -> String {
    text(Result { () throws(TrackError) in try FileTrackOpener().inspect(path: path) })
  }

  /// What is found of each file, in order; `body` is called with the place of each.
  private func inspect(
    _ opener: ProcessTrackOpener, _ paths: [String], _ body: (Int) -> Void = { _ in }
  ) -> [String] {
    var found: [String] = []
    opener.inspect(paths: paths) { place, info in
      #expect(place == found.count)
      found.append(text(info))
      body(place)
    }
    return found
  }

  @Test("of many files each has what it has by itself, in order, those that cannot be opened among them")
  func together() {
    let paths = Self.many + [fixture("no such file"), Self.paths[0]]
    let found = inspect(makeOpener().opener, paths)
    #expect(found == paths.map(expected))
  }

  @Test("P11: a decoder that is killed with many files costs none of them", arguments: [SIGKILL, SIGSTOP])
  func killed(signal: CInt) {
    var limits = DecoderLimits()
    limits.storage = .seconds(1)
    let (opener, _) = makeOpener(limits: limits)
    let found = inspect(opener, Self.many) { place in
      if place == 3 { #expect(opener.worker?.id.map { kill($0, signal) } == 0) }
    }
    #expect(found == Self.many.map(expected))
  }

  @Test("P11: a decoder that dies of each file has each tried by itself, and names it both times")
  func dies() {
    let (opener, faults) = makeOpener("/bin/false")
    let found = inspect(opener, Self.paths)
    #expect(found == Self.paths.map { _ in "the decoder ended (status 1)" })
    for path in Self.paths { #expect(faults.faults.count { $0.path == path } == 2) }
  }
}
