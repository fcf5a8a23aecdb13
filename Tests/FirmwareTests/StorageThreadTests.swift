import Glibc
import Jukebox
import TestSupport
import Testing

@testable import Firmware
@testable import KioskTestSupport
@testable import Storage
@testable import Threads

/// The thread that saves the state, on real storage. Nothing waits for time.
@Suite struct StorageThreadTests {
  /// How long to wait for a report; shows only where one is lost.
  private static let patience: CInt = 20_000
  private let folder: TemporaryFolder
  private let path: String

  init() throws {
    folder = try TemporaryFolder()
    path = "\(folder.path)/state.toml"
  }

  private func state(_ frame: Int) -> SavedState {
    SavedState(volumes: [:], track: nil, frame: frame, intent: .paused, port: nil)
  }

  private var saved: SavedState? { StateStore(path: path).read().state }

  @Test("W1: what is saved just before the end is written, however soon the end comes")
  func last() {
    for frame in 0..<200 {
      let thread = StorageThread(StateStore(path: path))
      thread.start()
      if frame % 2 == 0 { thread.save(state(1_000 + frame)) }
      thread.save(state(frame))
      #expect(thread.stop())
      #expect(saved == state(frame))
      if saved != state(frame) { return }
    }
  }

  @Test("W1: what is saved while the state before it is being written, just before the end, is written")
  func lastWhileBusy() {
    let (isHeld, release) = (Semaphore(), Semaphore())
    let storage = AwkwardStorage()
    storage.beforeWrite = {
      storage.beforeWrite = nil
      isHeld.post()
      release.wait()
    }
    let thread = StorageThread(StateStore(path: path, storage: storage))
    thread.start()
    thread.save(state(1))
    isHeld.wait()
    thread.save(state(2))
    // The storage hangs: the end is asked for and not waited for.
    #expect(!thread.stop(within: .zero))
    release.post()
    var reports: [StorageReport] = []
    while reports.count < 2 {
      var polled = pollfd(fd: thread.reportSignal.fileDescriptor, events: CShort(POLLIN), revents: 0)
      if poll(&polled, 1, Self.patience) == 0 { break }
      reports += thread.takeReports()
    }
    #expect(reports == [.saved, .saved])
    #expect(saved == state(2))
  }
}
