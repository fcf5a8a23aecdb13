import CGPIOD
import Glibc

@testable import GPIOLines

/// A line whose edges come from a test. Its descriptor is a real one, so that `poll` works with it.
final class FakeLine: OpenLine {
  let name: String
  let chip: String
  let descriptor: CInt?
  var asserted = false
  var failure: SystemFailure?
  /// That of reading its level alone.
  var levelFailure: SystemFailure?
  /// What libgpiod 1.6 gives in one call, which is all that the kernel's first interface keeps; nil for more.
  var mostAtOnce: Int?
  /// Runs during the next read, before it returns, for something that happens elsewhere meanwhile.
  var duringNextRead: (() -> Void)?
  /// Runs whenever its level is read or set, before that returns.
  var duringCall: (() -> Void)?
  /// One byte in the pipe stands for one edge in the kernel's queue.
  private let trigger: CInt
  private var queued: [cgpiod_edge] = []

  init(input name: String, chip: String = "gpiochip0") {
    self.name = name
    self.chip = chip
    var ends: [CInt] = [-1, -1]
    descriptor = pipe(&ends) == 0 ? ends[0] : nil
    trigger = ends[1]
  }

  init(output name: String, chip: String = "gpiochip0") {
    self.name = name
    self.chip = chip
    descriptor = nil
    trigger = -1
  }

  deinit {
    if let descriptor { close(descriptor) }
    if trigger >= 0 { close(trigger) }
  }

  func edge(at nanoseconds: UInt64, asserted: Bool = true, sequence: UInt32 = 0) {
    queued.append(cgpiod_edge(nanoseconds: nanoseconds, sequence: sequence, asserted: asserted))
    var byte: UInt8 = 1
    write(trigger, &byte, 1)
  }

  func level() throws(SystemFailure) -> Bool {
    duringCall?()
    if let failure = failure ?? levelFailure { throw failure }
    return asserted
  }

  func set(asserted: Bool) throws(SystemFailure) {
    duringCall?()
    if let failure { throw failure }
    self.asserted = asserted
  }

  func readEdges(into edges: inout [cgpiod_edge]) throws(SystemFailure) -> Int {
    duringNextRead?()
    duringNextRead = nil
    if let failure { throw failure }
    let count = min(queued.count, edges.count, mostAtOnce ?? .max)
    for index in 0..<count {
      edges[index] = queued[index]
      var byte: UInt8 = 0
      if let descriptor { read(descriptor, &byte, 1) }
    }
    queued.removeFirst(count)
    return count
  }
}
