import Board
import CPCSC
import Glibc
import Testing
import Threads

@testable import CardReaders

/// The thread that waits for pcscd, and the one that must not.
@Suite struct PCSCReaderTests {
  /// A pcscd that answers when the test lets it.
  private final class Daemon: PCSCService, @unchecked Sendable {
    struct State {
      var bits: UInt32 = 0x10
      var uid: [UInt8] = [1, 2, 3, 4]
      var hasReader = true
      var connections = 0
    }

    let state = Locked(State())
    /// Readable while it answers at all.
    let gate = Signal()
    private let changed = Signal()

    func change(_ body: (inout State) -> Void) {
      state.withLock(body)
      changed.raise()
    }

    func connect() throws(PCSCFailure) {
      var polled = pollfd(fd: gate.fileDescriptor, events: CShort(POLLIN), revents: 0)
      poll(&polled, 1, -1)
      state.withLock { $0.connections += 1 }
    }

    func readers() throws(PCSCFailure) -> [String] { state.withLock { $0.hasReader ? ["one"] : [] } }

    func wait(for reader: String, otherThan known: PCSCState, atMost: Duration) throws(PCSCFailure) -> PCSCState {
      var polled = pollfd(fd: changed.fileDescriptor, events: CShort(POLLIN), revents: 0)
      while true {
        let now = state.withLock { $0 }
        if !now.hasReader { throw PCSCFailure(code: CPCSC_UNKNOWN_READER) }
        if now.bits != known.bits { return PCSCState(bits: now.bits) }
        poll(&polled, 1, -1)
        changed.clear()
      }
    }

    func transmit(_ command: [UInt8], to reader: String) throws(PCSCFailure) -> [UInt8] {
      state.withLock { $0.uid } + [0x90, 0x00]
    }

    func disconnect() {}
  }

  private struct Bench {
    let daemon = Daemon()
    let reader: PCSCReader

    init(patience: Duration = .seconds(20)) {
      reader = PCSCReader(
        "BOX", device: "", clock: MonotonicClock(startsNow: false), patience: patience, service: daemon)
    }

    /// What has come, once it says that something has.
    func news() throws -> [String] {
      for descriptor in reader.pollDescriptors {
        var polled = pollfd(fd: descriptor.fileDescriptor, events: descriptor.events, revents: 0)
        #expect(poll(&polled, 1, 20_000) == 1, "not woken")
      }
      var edges: [LineEdge] = []
      try reader.readEdges(into: &edges)
      return reader.takeCards().map { $0.token ?? "none" }
    }

    /// Tries again until it works, as the retry timer does.
    func reopen() -> Bool {
      let givesUp = ContinuousClock.now + .seconds(20)
      while ContinuousClock.now < givesUp {
        if (try? reader.open()) != nil { return true }
      }
      return false
    }

    /// The thread is left to itself in a wait, and ends at the next news.
    func end() { daemon.change { $0.hasReader = false } }
  }

  @Test("L6, L10: what lies there is known when it is open, what comes wakes the reader, and nothing else does")
  func news() throws {
    let bench = Bench()
    bench.daemon.gate.raise()
    bench.daemon.change { $0.bits = 1 << 16 | 0x20 }
    try bench.reader.open()
    // The opening wakes, too.
    var first = try bench.news()
    if first.isEmpty { first = try bench.news() }
    #expect(first == ["01020304"], "nobody is woken for what lies there at power on")
    bench.daemon.change { $0.bits = 2 << 16 | 0x10 }
    #expect(try bench.news() == ["none"])
    bench.daemon.change {
      $0.uid = [5, 6, 7, 8]
      $0.bits = 3 << 16 | 0x20
    }
    #expect(try bench.news() == ["05060708"])
    var polled = pollfd(fd: bench.reader.pollDescriptors[0].fileDescriptor, events: CShort(POLLIN), revents: 0)
    #expect(poll(&polled, 1, 0) == 0 && bench.reader.nextLook == nil)
    bench.end()
  }

  @Test("L11: a reader that is pulled out says so and nothing of its card; plugged in again it says what lies there")
  func pulled() throws {
    let bench = Bench()
    bench.daemon.gate.raise()
    bench.daemon.change { $0.bits = 1 << 16 | 0x20 }
    try bench.reader.open()
    while try bench.news().isEmpty {}
    bench.daemon.change { $0.hasReader = false }
    #expect(throws: LineError.self) {
      while true { _ = try bench.news() }
    }
    #expect(bench.reader.takeCards().isEmpty)
    bench.reader.close()
    #expect(bench.reader.pollDescriptors.isEmpty)
    bench.daemon.change { $0.hasReader = true }
    try #require(bench.reopen())
    var found: [String] = []
    while found.isEmpty { found = try bench.news() }
    #expect(found == ["01020304"])
    bench.end()
  }

  @Test("a pcscd that does not answer holds nobody, and the reader is there once it does")
  func hangs() {
    let bench = Bench(patience: .milliseconds(1))
    for _ in 0..<3 {
      let error = #expect(throws: LineError.self) { try bench.reader.open() }
      #expect(error?.code == ETIMEDOUT)
      bench.reader.close()
    }
    bench.daemon.gate.raise()
    #expect(bench.reopen())
    #expect(bench.daemon.state.withLock { $0.connections } == 1)
    bench.end()
  }

  @Test("libpcsclite is asked for real, whether or not pcscd runs here")
  func real() {
    let daemon = PCSCDaemon()
    do throws(PCSCFailure) {
      try daemon.connect()
      _ = try daemon.readers()
    } catch {
      #expect(error.is(CPCSC_NO_SERVICE) || error.is(CPCSC_NO_LIBRARY) || error.is(CPCSC_NOT_PERMITTED), "\(error)")
    }
  }
}
