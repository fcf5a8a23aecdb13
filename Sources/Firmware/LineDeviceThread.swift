import AudioSession
import Board
import CLinux
import Glibc
import Threads

/// Lines of a device whose driver may hold any call, such as the jacks of a USB sound card: a thread of its own opens
/// and reads it. The control thread's calls return at once, except that the first `open` waits a little, so that what
/// is plugged in at power on is known at the start (R1).
///
/// A driver that never returns costs the thread: the device counts as missing, and `open` throws until it answers.
public final class LineDeviceThread: LineDevice {
  /// How long the first opening may take.
  private static let patience = Duration.milliseconds(500)

  public var name: String { state.device.name }
  public var lines: [String] { state.device.lines }

  private let state: State
  private let thread: WorkerThread
  private var isFirst = true
  private var isOpen = false

  public init(_ device: any LineDevice) {
    let state = State(device)
    self.state = state
    thread = WorkerThread(name: "lines", signal: state.signal, priority: RealTime.controlPriority) {
      state.run(until: $0)
    }
  }

  deinit { thread.stop(within: Self.patience) }

  public var pollDescriptors: [PollDescriptor] {
    isOpen ? [state.report.pollDescriptor] : []
  }

  public func open() throws(LineError) {
    state.ask(toOpen: true)
    if isFirst { waitForAnswer() }
    isFirst = false
    let found = state.desk.withLock { desk in
      defer { desk.failure = nil }
      return (levels: desk.levels, failure: desk.failure)
    }
    if let failure = found.failure {
      state.ask(toOpen: false)
      throw failure
    }
    guard found.levels != nil else {
      throw LineError(operation: .openDevice, subject: name, code: ETIMEDOUT, message: "does not answer")
    }
    isOpen = true
  }

  private func waitForAnswer() {
    let clock = MonotonicClock(startsNow: true)
    while clock.now < .powerOn + Self.patience, !state.hasAnswered {
      Poll.wait(for: [state.report.pollDescriptor], until: .powerOn + Self.patience, clock)
      state.report.clear()
    }
  }

  /// The levels as they were last read; those that move later are edges.
  public func levels() throws(LineError) -> [Bool] {
    state.desk.withLock { $0.levels } ?? lines.map { _ in false }
  }

  public func readEdges(into edges: inout [LineEdge]) throws(LineError) {
    state.report.clear()
    let (found, failure) = state.desk.withLock { desk in
      defer { desk.edges = [] }
      return (desk.edges, desk.failure)
    }
    edges += found
    if let failure { throw failure }
  }

  /// A device that has not answered yet goes on being opened, for the next `open`.
  public func close() {
    guard isOpen else { return }
    isOpen = false
    state.ask(toOpen: false)
  }
}

extension LineDeviceThread {
  /// What the two threads share.
  private final class State: @unchecked Sendable {
    struct Desk {
      var isWanted = false
      /// nil while the device is not open.
      var levels: [Bool]?
      var edges: [LineEdge] = []
      /// Why it was not opened, or is gone.
      var failure: LineError?
    }

    /// The thread calls it, and everybody reads its name and the names of its lines, which never change.
    let device: any LineDevice
    let desk = Locked(Desk())
    /// Raised for the thread, and by it.
    let signal = Signal()
    let report = Signal()

    init(_ device: any LineDevice) { self.device = device }

    func ask(toOpen: Bool) {
      desk.withLock { desk in
        desk.isWanted = toOpen
        if !toOpen { desk.failure = nil }
      }
      signal.raise()
    }

    var hasAnswered: Bool { desk.withLock { $0.levels != nil || $0.failure != nil } }

    func run(until stopping: WorkerThread.Flag) {
      defer { device.close() }
      while !stopping.isRaised {
        signal.clear()
        let (isWanted, isOpen, hasFailed) = desk.withLock { ($0.isWanted, $0.levels != nil, $0.failure != nil) }
        if isWanted && !hasFailed {
          if isOpen { read() } else { open() }
        } else if isOpen {
          device.close()
          desk.withLock { $0.levels = nil }
        }
        wait()
      }
    }

    private func open() {
      do throws(LineError) {
        try device.open()
        let levels = try device.levels()
        desk.withLock { $0.levels = levels }
      } catch {
        fail(error)
      }
      report.raise()
    }

    private func read() {
      var found: [LineEdge] = []
      do throws(LineError) {
        try device.readEdges(into: &found)
        let levels = found.isEmpty ? nil : try device.levels()
        desk.withLock { desk in
          desk.edges += found
          desk.levels = levels ?? desk.levels
        }
      } catch {
        fail(error)
      }
      if !found.isEmpty || hasFailed { report.raise() }
    }

    private var hasFailed: Bool { desk.withLock { $0.failure != nil } }

    private func fail(_ error: LineError) {
      device.close()
      desk.withLock { desk in
        desk.levels = nil
        desk.failure = error
      }
    }

    private func wait() {
      Poll.wait(for: [signal.pollDescriptor] + device.pollDescriptors, MonotonicClock(startsNow: false))
    }
  }
}
