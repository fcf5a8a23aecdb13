import AudioEngine
import AudioSession
import Board
import CLinux
import Glibc
import Threads

/// The body of the audio thread: sleeps until a device, a command or the clock wakes it for one of the engines.
enum AudioThread {
  /// - Parameters:
  ///   - engines: serviced in this order; all share the same signals.
  ///   - signal: the engines' signal for this thread.
  ///   - heartbeat: beaten whenever all engines were serviced.
  static func run(
    _ engines: [AudioEngine], signal: Signal, heartbeat: Heartbeat = Heartbeat(), clock: any BoardClock,
    until stopping: WorkerThread.Flag
  ) {
    touch_stack()
    var polls = EnginePolls(engines: engines.count, signal: signal)
    defer { for engine in engines { engine.shutDown() } }
    while !stopping.isRaised {
      let deadline = polls.service(engines, clock)
      heartbeat.beat()
      polls.wait(until: deadline, clock)
      if polls.isSignalled { signal.clear() }
      polls.passResults(to: engines)
    }
  }
}

/// What the audio thread polls: the signal, then the descriptors of each engine that waits for its device. The memory
/// is allocated before the first round, because the audio thread must not allocate.
private struct EnginePolls: ~Copyable {
  /// The devices of all ports have fewer descriptors than this.
  private static let maxDescriptors = 80

  private let polled = UnsafeMutablePointer<pollfd>.allocate(capacity: maxDescriptors)
  private let ready = UnsafeMutablePointer<CShort>.allocate(capacity: maxDescriptors)
  /// How many of the descriptors are each engine's.
  private let counts: UnsafeMutablePointer<Int>
  private var count = 1

  init(engines: Int, signal: Signal) {
    counts = .allocate(capacity: engines)
    polled[0] = pollfd(fd: signal.fileDescriptor, events: CShort(POLLIN), revents: 0)
  }

  deinit {
    polled.deallocate()
    ready.deallocate()
    counts.deallocate()
  }

  var isSignalled: Bool { polled[0].revents != 0 }

  /// Lets every engine do what is due, collects the descriptors that they wait for, and returns the moment up to which
  /// to wait.
  mutating func service(_ engines: [AudioEngine], _ clock: any BoardClock) -> Instant? {
    count = 1
    var deadline: Instant?
    for (index, engine) in engines.enumerated() {
      let first = count
      switch engine.service(at: clock.now) {
      case .signal: break
      case .until(let instant): deadline = min(deadline ?? instant, instant)
      case .device(let instant):
        deadline = min(deadline ?? instant, instant)
        for descriptor in engine.pollDescriptors where count < Self.maxDescriptors {
          polled[count] = pollfd(fd: descriptor.fileDescriptor, events: descriptor.events, revents: 0)
          count += 1
        }
      }
      counts[index] = count - first
    }
    return deadline
  }

  func wait(until deadline: Instant?, _ clock: any BoardClock) { Poll.wait(polled, count, until: deadline, clock) }

  /// Plug-ins need to see their descriptors after every wake-up, ready or not.
  func passResults(to engines: [AudioEngine]) {
    var first = 1
    for (index, engine) in engines.enumerated() where counts[index] > 0 {
      for offset in 0..<counts[index] { ready[offset] = polled[first + offset].revents }
      first += counts[index]
      engine.deviceWoke(UnsafeBufferPointer(start: ready, count: counts[index]))
    }
  }
}
