import AudioSession
import Board
import CLinux
import Glibc
import Testing

@testable import Firmware
@testable import Threads

/// Lines of a device whose driver may hold any call.
@Suite struct LineDeviceThreadTests {
  /// A device with one line, whose opening waits for a gate.
  private final class FakeDevice: LineDevice, @unchecked Sendable {
    struct State {
      var level = false
      var isGone = false
      var isOpen = false
      var openings = 0
    }

    let name = "fake"
    let lines = ["jack"]
    let state = Locked(State())
    /// Readable while the driver returns.
    let gate = Signal()
    private let moved = Signal()

    func move(to level: Bool) {
      state.withLock { $0.level = level }
      moved.raise()
    }

    func pullOut() {
      state.withLock { $0.isGone = true }
      moved.raise()
    }

    var pollDescriptors: [PollDescriptor] {
      state.withLock { $0.isOpen }
        ? [PollDescriptor(fileDescriptor: moved.fileDescriptor, events: CShort(POLLIN))] : []
    }

    func open() throws(LineError) {
      var polled = pollfd(fd: gate.fileDescriptor, events: CShort(POLLIN), revents: 0)
      poll(&polled, 1, -1)
      state.withLock {
        $0.openings += 1
        $0.isOpen = true
      }
    }

    func levels() throws(LineError) -> [Bool] { [state.withLock { $0.level }] }

    func readEdges(into edges: inout [LineEdge]) throws(LineError) {
      var polled = pollfd(fd: moved.fileDescriptor, events: CShort(POLLIN), revents: 0)
      guard poll(&polled, 1, 0) > 0 else { return }
      moved.clear()
      if state.withLock({ $0.isGone }) {
        throw LineError(operation: .readEdges, subject: name, code: ENODEV, message: "gone")
      }
      edges.append(LineEdge(line: "jack", asserted: state.withLock { $0.level }, at: .powerOn))
    }

    func close() { state.withLock { $0.isOpen = false } }
  }

  private func wait(for thread: LineDeviceThread) {
    for descriptor in thread.pollDescriptors {
      var polled = pollfd(fd: descriptor.fileDescriptor, events: descriptor.events, revents: 0)
      #expect(poll(&polled, 1, 20_000) == 1, "not woken")
    }
  }

  private func failure(_ body: () throws(LineError) -> Void) -> LineError? {
    do throws(LineError) {
      try body()
      return nil
    } catch {
      return error
    }
  }

  /// Tries again until it works, as the retry timer does.
  private func reopen(_ thread: LineDeviceThread) -> Bool {
    let givesUp = ContinuousClock.now + .seconds(20)
    while ContinuousClock.now < givesUp {
      if failure({ () throws(LineError) in try thread.open() }) == nil { return true }
    }
    return false
  }

  @Test("R1: the level at the start is known when the device is open, and what moves later is an edge")
  func edges() throws {
    let device = FakeDevice()
    device.gate.raise()
    device.state.withLock { $0.level = true }
    let thread = LineDeviceThread(device)
    try thread.open()
    #expect(try thread.levels() == [true])
    var edges: [LineEdge] = []
    for level in [true, false, true] {
      device.move(to: level)
      // The opening wakes, too.
      let count = edges.count
      for _ in 0..<2 where edges.count == count {
        wait(for: thread)
        try thread.readEdges(into: &edges)
      }
      #expect(edges.last?.asserted == level)
    }
    #expect(edges.count == 3)
    #expect(try thread.levels() == [true])
  }

  @Test("I15: a device that does not answer is missing, holds nobody, and is there once it answers")
  func hangs() throws {
    let device = FakeDevice()
    let thread = LineDeviceThread(device)
    for _ in 0..<3 {
      let error = failure { () throws(LineError) in try thread.open() }
      #expect(error?.description == "open device fake: does not answer")
      thread.close()
      #expect(thread.pollDescriptors.isEmpty)
    }
    device.move(to: true)
    device.gate.raise()
    #expect(reopen(thread))
    #expect(try thread.levels() == [true])
    #expect(device.state.withLock { $0.openings } == 1)
  }

  @Test("I15: a device that is gone throws once, is closed, and can be opened again")
  func gone() throws {
    let device = FakeDevice()
    device.gate.raise()
    let thread = LineDeviceThread(device)
    try thread.open()
    device.pullOut()
    var edges: [LineEdge] = []
    var error: LineError?
    // The opening may have been reported once more than it was waited for.
    for _ in 0..<2 where error == nil {
      wait(for: thread)
      error = failure { () throws(LineError) in try thread.readEdges(into: &edges) }
    }
    #expect(error?.code == ENODEV)
    thread.close()
    #expect(thread.pollDescriptors.isEmpty)
    device.state.withLock { $0.isGone = false }
    #expect(reopen(thread))
    #expect(device.state.withLock { $0.openings } == 2)
  }

  @Test("the end closes the device")
  func ends() throws {
    let device = FakeDevice()
    device.gate.raise()
    var thread: LineDeviceThread? = LineDeviceThread(device)
    try thread?.open()
    thread = nil
    #expect(!device.state.withLock { $0.isOpen })
  }
}
