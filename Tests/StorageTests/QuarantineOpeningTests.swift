import Board
import TestSupport
import Testing

@testable import Storage

@Suite struct QuarantineOpeningTests {
  @Test("P13: what is being opened is noted meanwhile, and a file that is left out is not opened")
  func guarded() throws {
    let folder = try TemporaryFolder()
    let store = QuarantineStore(path: folder.path(of: "q"), openingPath: folder.path(of: "opening")) {
      FileMark(path: $0, size: 1, modified: 1)
    }
    var noted: [UInt8]?
    func open() throws { try store.admit("a") { () throws(TrackError) in noted = folder.read("opening") } }
    try open()
    #expect(String(decoding: noted ?? [], as: UTF8.self).contains("[files.\"a\"]") && folder.read("opening") == [])
    noted = nil
    for _ in 0..<2 { store.died("a", reason: "signal 11") }
    let reason = "left out until the file changes: its decoder failed 2 times (signal 11)"
    #expect(throws: TrackError(operation: .open, path: "a", reason: reason)) { try open() }
    #expect(noted == nil)
  }
}
