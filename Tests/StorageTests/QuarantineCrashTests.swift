import Board
import CLinux
import Glibc
import JailProbe
import TestSupport
import Testing
import TrackDecoding

@testable import Storage

/// A firmware that dies while it plays a file. Copies of this process die in its place.
extension QuarantineOpeningTests {
  private final class Kiosk {
    /// The note is made once per process, whichever test comes first.
    private static let notes = try? TemporaryFolder()

    private let folder: TemporaryFolder
    private let crashed: String
    private(set) var store: QuarantineStore

    /// Once, before the first note.
    private static let dropReports: Void = {
      for fault in [SIGSEGV, SIGILL, SIGTRAP] { signal(fault, SIG_DFL) }
    }()

    init() throws {
      // Swift's own report of a crash takes seconds.
      Self.dropReports
      folder = try TemporaryFolder()
      crashed = try #require(Self.notes).path(of: "crashed")
      store = Kiosk.start(folder, crashed)
    }

    private static func start(_ folder: TemporaryFolder, _ crashed: String) -> QuarantineStore {
      let store = QuarantineStore(KeptDatabase(folder: folder.path), openingPath: nil) {
        FileMark(path: $0, size: 1, modified: 1)
      }
      store.watchCrashes(at: crashed)
      try? store.takeKept()
      return store
    }

    func play(_ path: String) throws -> OpenFile {
      try store.admit(path) { use throws(TrackError) in
        OpenFile(adopting: open("/dev/null", O_RDONLY | O_CLOEXEC), size: 0, keeping: use)
      }
    }

    /// Ends the firmware by this signal, and starts the next one.
    func end(by signal: CInt) {
      crash_note_touch()
      #expect(crash_probe(signal) & 0x7F == signal)
      store = Kiosk.start(folder, crashed)
      // The next firmware makes a new note; this process goes on with the one that it has.
      truncate(crashed, 0)
    }

    func restart() {
      #expect(store.stop())
      store = Kiosk.start(folder, crashed)
    }
  }

  @Test(
    "P13.2: a file that is played when the firmware dies of a fault twice in a row is left out, over restarts; others are not"
  )
  func crashes() throws {
    let kiosk = try Kiosk()
    // A firmware that has died closes nothing, and must not write beside the next one.
    var open: [OpenFile] = []
    defer { withExtendedLifetime(open) {} }
    for count in 1...2 {
      // Files that are closed by then do not count as played.
      for other in ["b", "c"] { _ = try kiosk.play(other) }
      let file = try kiosk.play("a")
      open.append(file)
      withExtendedLifetime(file) { kiosk.end(by: count == 1 ? SIGSEGV : SIGILL) }
      #expect(kiosk.store.remembersCrash(of: FileMark(path: "a", size: 1, modified: 1)))
    }
    let reason = "left out until the file changes: the firmware died 2 times while it was being played"
    for _ in 0..<2 {
      #expect(throws: TrackError(operation: .open, path: "a", reason: reason)) { try kiosk.play("a") }
      #expect(kiosk.store.leftOut.map(\.path) == ["a"])
      kiosk.restart()
    }
  }

  @Test("P13.2: whoever kills the firmware while it plays a file, or ends it, has nothing against the file")
  func killed() throws {
    let kiosk = try Kiosk()
    for signal in [SIGKILL, SIGKILL, SIGTERM, SIGTERM] {
      let file = try kiosk.play("a")
      withExtendedLifetime(file) { kiosk.end(by: signal) }
      #expect(!kiosk.store.remembersCrash(of: FileMark(path: "a", size: 1, modified: 1)))
    }
  }

  @Test("P13.2: a file that was played and closed in between is not left out")
  func closedBetween() throws {
    let kiosk = try Kiosk()
    for _ in 0..<3 {
      do {
        let file = try kiosk.play("a")
        withExtendedLifetime(file) { kiosk.end(by: SIGTRAP) }
      }
      #expect(kiosk.store.remembersCrash(of: FileMark(path: "a", size: 1, modified: 1)))
      _ = try kiosk.play("a")
      kiosk.restart()
      #expect(!kiosk.store.remembersCrash(of: FileMark(path: "a", size: 1, modified: 1)))
    }
    #expect(kiosk.store.leftOut.isEmpty)
  }
}
