import Board
import Files
import TestSupport
import Testing

@testable import Firmware
@testable import KioskTestSupport
@testable import Storage

@Suite struct GuardedTracksTests {
  /// Says what is noted while a track is opened.
  private final class Base: TrackOpener {
    var noted: [UInt8]?
    private let folder: TemporaryFolder
    init(_ folder: TemporaryFolder) { self.folder = folder }

    func open(path: String, rate: Int) throws(TrackError) -> any TrackSource {
      noted = folder.read("opening")
      throw TrackError(operation: .open, path: path, reason: "no audio in it")
    }
  }

  @Test("P13: what is being opened is noted meanwhile, and a file that is left out is not opened")
  func guarded() throws {
    let folder = try TemporaryFolder()
    let store = QuarantineStore(path: folder.path(of: "q"), openingPath: folder.path(of: "opening")) {
      FileMark(path: $0, size: 1, modified: 1)
    }
    let base = Base(folder)
    let tracks = GuardedTracks(base, store)
    func reason() -> String? {
      do throws(TrackError) {
        _ = try tracks.open(path: "a", rate: 8_000)
        return nil
      } catch {
        return error.reason
      }
    }
    #expect(reason() == "no audio in it")
    #expect(String(decoding: base.noted ?? [], as: UTF8.self).contains("[files.\"a\"]") && folder.read("opening") == [])
    base.noted = nil
    for _ in 0..<2 { store.died("a", reason: "signal 9") }
    #expect(reason() == "left out until the file changes: its decoder failed 2 times (signal 9)" && base.noted == nil)
  }
}
