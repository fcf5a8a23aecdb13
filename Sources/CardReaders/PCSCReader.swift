import AudioSession
import Board
import Glibc
import Threads

/// A card reader of PC/SC (L rows). pcscd can only be waited for, which a thread of its own does: the control thread's calls
/// return at once, except that the first `open` waits a little for pcscd.
///
/// A pcscd that never answers costs the thread: a reader that it has not opened yet counts as missing until then.
final class PCSCReader: CardReader {
  let name: String
  let lines: [String] = []
  let isShared = true
  private let patience: Duration
  private let state: State
  private let thread: WorkerThread
  private var isFirst = true
  private var isOpen = false
  private var taken: [CardReading] = []

  /// - Parameters:
  ///   - device: how the reader's name at pcscd begins; empty: it is the only one.
  ///   - patience: how long the first `open` may take.
  init(
    _ reader: String, device: String, clock: any BoardClock, patience: Duration, service: any PCSCService = PCSCDaemon()
  ) {
    name = "reader \(reader)"
    self.patience = patience
    let state = State(PCSCWatch(reader, device: device, clock: clock, service: service))
    self.state = state
    thread = WorkerThread(name: "cards", signal: state.signal) { state.run(until: $0) }
  }

  /// A thread that waits for a card is left to itself: it ends at the next news.
  deinit {
    state.ask(toOpen: false)
    thread.stop(within: .milliseconds(10))
  }

  var pollDescriptors: [PollDescriptor] {
    isOpen ? [state.report.pollDescriptor] : []
  }

  func open() throws(LineError) {
    state.ask(toOpen: true)
    if isFirst { waitForAnswer() }
    isFirst = false
    let (hasOpened, failure) = state.desk.withLock { ($0.isOpen, $0.failure) }
    if let failure {
      state.ask(toOpen: false)
      throw failure
    }
    guard hasOpened else {
      throw LineError(operation: .openDevice, subject: "pcscd", code: ETIMEDOUT, message: "does not answer")
    }
    isOpen = true
    // What lies there may have been found meanwhile.
    state.report.raise()
  }

  private func waitForAnswer() {
    let clock = MonotonicClock(startsNow: true)
    while clock.now < .powerOn + patience, !state.hasAnswered {
      Poll.wait(for: [state.report.pollDescriptor], until: .powerOn + patience, clock)
      state.report.clear()
    }
  }

  func levels() -> [Bool] { [] }

  func readEdges(into edges: inout [LineEdge]) throws(LineError) {
    taken += try state.take()
  }

  func takeCards() -> [CardReading] {
    defer { taken = [] }
    return taken
  }

  /// One that has not answered yet goes on being opened, for the next `open`.
  func close() {
    guard isOpen else { return }
    (isOpen, taken) = (false, [])
    state.ask(toOpen: false)
  }
}

extension PCSCReader {
  /// What the two threads share.
  private final class State: @unchecked Sendable {
    struct Desk {
      var isWanted = false
      var isOpen = false
      var cards: [CardReading] = []
      /// Why it was not opened, or is gone.
      var failure: LineError?
    }

    /// The thread's alone.
    private let watch: PCSCWatch
    let desk = Locked(Desk())
    /// Raised for the thread, and by it.
    let signal = Signal()
    let report = Signal()

    init(_ watch: PCSCWatch) { self.watch = watch }

    func ask(toOpen: Bool) {
      desk.withLock { desk in
        desk.isWanted = toOpen
        if !toOpen { (desk.isOpen, desk.cards, desk.failure) = (false, [], nil) }
      }
      signal.raise()
    }

    var hasAnswered: Bool { desk.withLock { $0.isOpen || $0.failure != nil } }

    /// What has come since the last call. The report is cleared in the same hold of the lock in which the thread raises it,
    /// so that the control thread is not woken again for what it has taken.
    func take() throws(LineError) -> [CardReading] {
      let (cards, failure) = desk.withLock { desk in
        report.clear()
        defer { desk.cards = [] }
        return (desk.cards, desk.failure)
      }
      if let failure { throw failure }
      return cards
    }

    func run(until stopping: WorkerThread.Flag) {
      WorkerThread.serve(signal, until: stopping) {
        while desk.withLock({ $0.isWanted && $0.failure == nil }) && !stopping.isRaised { step() }
        watch.close()
        desk.withLock { $0.isOpen = false }
      }
    }

    private func step() {
      do throws(LineError) {
        if desk.withLock({ $0.isOpen }) {
          guard let reading = try watch.next() else { return }
          tell { if $0.isOpen { $0.cards.append(reading) } }
        } else {
          try watch.open()
          tell { $0.isOpen = $0.isWanted }
        }
      } catch {
        // Nobody knows what lies on a reader that is gone.
        tell { ($0.isOpen, $0.failure, $0.cards) = (false, error, []) }
      }
    }

    private func tell(_ change: (inout Desk) -> Void) {
      desk.withLock {
        change(&$0)
        report.raise()
      }
    }
  }
}
