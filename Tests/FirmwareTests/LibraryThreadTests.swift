import Board
import Glibc
import Jukebox
import Testing

@testable import Firmware
@testable import Threads

/// The thread that lists the music. Nothing waits for time.
@Suite struct LibraryThreadTests {
  /// Music that changes when the test says so.
  private final class FakeMusic: MusicLister, @unchecked Sendable {
    let changed = Signal()
    let listings = Locked<[MusicListing]>([])
    /// Posted when it is listed, which then waits for `release` if there is one.
    let isListing = Semaphore()
    let release: Semaphore?
    let asked = Locked<[Bool]>([])
    /// What the looks for missing folders find, one after the other.
    let looks = Locked<[Bool]>([])

    init(_ listings: [MusicListing], release: Semaphore? = nil) {
      self.listings.withLock { $0 = listings }
      self.release = release
    }

    var pollDescriptors: [PollDescriptor] {
      [PollDescriptor(fileDescriptor: changed.fileDescriptor, events: CShort(POLLIN))]
    }

    func takeChanges() -> Bool {
      var polled = pollfd(fd: changed.fileDescriptor, events: CShort(POLLIN), revents: 0)
      defer { changed.clear() }
      return poll(&polled, 1, 0) > 0
    }

    func isBack(_ missing: [LibraryReport.Missing]) -> Bool { looks.withLock { $0.isEmpty ? false : $0.removeFirst() } }

    func list(after former: Library, takesAll: Bool) -> MusicListing {
      asked.withLock { $0.append(takesAll) }
      isListing.post()
      release?.wait()
      return listings.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
    }
  }

  private static let empty = LibraryReport(Library())
  private static let pace = LibraryThread.Pace(quiet: .zero, longest: .zero, settling: .zero)

  private func listing(_ names: [String], missing: Bool = false, isUnsettled: Bool = false) -> MusicListing {
    let missing = missing ? [LibraryReport.Missing(folder: "stick", reason: "gone")] : []
    let library = Library(names.map { Track(path: $0, name: $0) }, after: Library())
    return MusicListing(LibraryReport(library, missing: missing), isUnsettled: isUnsettled)
  }

  /// Waits for the next report.
  private func report(of thread: LibraryThread) -> LibraryReport? {
    var polled = pollfd(fd: thread.reports.signal.fileDescriptor, events: CShort(POLLIN), revents: 0)
    guard poll(&polled, 1, 20_000) > 0 else { return nil }
    return thread.reports.takeAll().last
  }

  @Test(
    "X1: a change is listed once it has rested, again where files may still be written, and reported when it is news")
  func changes() {
    let music = FakeMusic([listing([], isUnsettled: true), listing(["a"]), listing(["a"])])
    let thread = LibraryThread(music, known: LibraryReport(Library([], after: Library())), pace: Self.pace)
    thread.start()
    music.changed.raise()
    #expect(report(of: thread)?.library.tracks.map(\.name) == ["a"])
    #expect(music.asked.withLock { $0 } == [false, false])
    #expect(thread.stop())
  }

  @Test("X6: soon after the start it lists what is there, as what was known may be old")
  func first() {
    let music = FakeMusic([listing(["a"])])
    let thread = LibraryThread(music, known: Self.empty, pace: LibraryThread.Pace(first: .zero))
    thread.start()
    #expect(report(of: thread)?.library.count == 1)
    #expect(music.asked.withLock { $0 } == [false])
    #expect(thread.stop())
  }

  @Test("X2: a missing folder is looked for without listing what is there, which follows when it is back")
  func looks() {
    let music = FakeMusic([listing(["a"])])
    music.looks.withLock { $0 = [false, true] }
    let pace = LibraryThread.Pace(first: .seconds(3_600), look: { _ in .zero })
    let thread = LibraryThread(music, known: listing([], missing: true).report, pace: pace)
    thread.start()
    #expect(report(of: thread)?.missing.isEmpty == true)
    #expect(music.asked.withLock { $0 } == [false] && music.looks.withLock { $0.isEmpty })
    #expect(thread.stop())
  }

  @Test("X5: reload lists at once, and takes all")
  func reload() {
    let music = FakeMusic([listing(["a"])])
    let thread = LibraryThread(music, known: Self.empty)
    thread.start()
    thread.reload()
    #expect(report(of: thread)?.library.count == 1)
    #expect(music.asked.withLock { $0 } == [true])
    #expect(thread.stop())
  }

  @Test("X2: storage that hangs holds this thread alone, and the end does not wait for it")
  func hanging() {
    let release = Semaphore()
    let music = FakeMusic([listing(["a"])], release: release)
    let thread = LibraryThread(music, known: Self.empty)
    thread.start()
    thread.reload()
    music.isListing.wait()
    #expect(!thread.stop(within: .zero))
    release.post()
  }
}
