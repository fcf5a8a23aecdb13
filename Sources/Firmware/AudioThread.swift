import AudioEngine
import AudioSession
import Board
import CLinux
import Glibc
import Threads

/// The body of the audio thread: sleeps until a device, a command or the clock wakes it for one of the engines.
enum AudioThread {
  /// More descriptors than the devices of all ports have.
  private static let maxDescriptors = 80

  /// - Parameters:
  ///   - engines: serviced in this order; all share the same signals.
  ///   - signal: the engines' signal for this thread.
  ///   - heartbeat: beaten whenever all engines were serviced.
  static func run(
    _ engines: [AudioEngine], signal: Signal, heartbeat: Heartbeat = Heartbeat(), clock: any BoardClock,
    until stopping: WorkerThread.Flag
  ) {
    touch_stack()
    let polled = UnsafeMutablePointer<pollfd>.allocate(capacity: maxDescriptors)
    let ready = UnsafeMutablePointer<CShort>.allocate(capacity: maxDescriptors)
    // How many of the descriptors are each engine's.
    let counts = UnsafeMutablePointer<Int>.allocate(capacity: engines.count)
    defer {
      polled.deallocate()
      ready.deallocate()
      counts.deallocate()
      for engine in engines { engine.shutDown() }
    }
    polled[0] = pollfd(fd: signal.fileDescriptor, events: CShort(POLLIN), revents: 0)
    while !stopping.isRaised {
      var count = 1
      var deadline: Instant?
      for (index, engine) in engines.enumerated() {
        let first = count
        switch engine.service(at: clock.now) {
        case .signal: break
        case .until(let instant): deadline = min(deadline ?? instant, instant)
        case .device(let instant):
          deadline = min(deadline ?? instant, instant)
          for descriptor in engine.pollDescriptors where count < maxDescriptors {
            polled[count] = pollfd(fd: descriptor.fileDescriptor, events: descriptor.events, revents: 0)
            count += 1
          }
        }
        counts[index] = count - first
      }
      heartbeat.beat()
      Poll.wait(polled, count, until: deadline, clock)
      if polled[0].revents != 0 { signal.clear() }
      var first = 1
      for (index, engine) in engines.enumerated() where counts[index] > 0 {
        for offset in 0..<counts[index] { ready[offset] = polled[first + offset].revents }
        first += counts[index]
        // Plug-ins need to see their descriptors after every wake-up, ready or not.
        engine.deviceWoke(UnsafeBufferPointer(start: ready, count: counts[index]))
      }
    }
  }
}
