import AudioSession
import Board
import CLinux
import Glibc

/// The body of the audio thread: sleeps until the device, a command or the clock wants the engine.
enum AudioThread {
  /// More descriptors than any ALSA device has.
  private static let mostDescriptors = 16

  static func run(_ engine: AudioEngine, clock: any BoardClock, until stopping: WorkerThread.Flag) {
    let polled = UnsafeMutablePointer<pollfd>.allocate(capacity: mostDescriptors)
    let ready = UnsafeMutablePointer<CShort>.allocate(capacity: mostDescriptors)
    defer {
      polled.deallocate()
      ready.deallocate()
      engine.shutDown()
    }
    polled[0] = pollfd(fd: engine.signals.audio.fileDescriptor, events: CShort(POLLIN), revents: 0)
    while !stopping.isRaised {
      let wait = engine.service(at: clock.now)
      var count = 1
      var deadline: Instant?
      switch wait {
      case .signal: break
      case .until(let instant): deadline = instant
      case .device(let instant):
        deadline = instant
        for descriptor in engine.pollDescriptors where count < mostDescriptors {
          polled[count] = pollfd(fd: descriptor.fileDescriptor, events: descriptor.events, revents: 0)
          count += 1
        }
      }
      Poll.wait(polled, count, until: deadline, clock)
      if polled[0].revents != 0 { engine.signals.audio.clear() }
      for index in 1..<max(count, 1) { ready[index - 1] = polled[index].revents }
      // Plug-ins want to see their descriptors after every wake-up, ready or not.
      if count > 1 { engine.deviceWoke(UnsafeBufferPointer(start: ready, count: count - 1)) }
    }
  }
}

/// `poll(2)` up to a moment of a board's clock.
enum Poll {
  /// Returns when a descriptor is ready, the moment has come, or a signal came in between.
  static func wait(
    _ descriptors: UnsafeMutablePointer<pollfd>, _ count: Int, until deadline: Instant?, _ clock: any BoardClock
  ) {
    guard let deadline else {
      ppoll(descriptors, nfds_t(count), nil, nil)
      return
    }
    let left = max(0, (deadline - clock.now).wholeNanoseconds)
    var time = timespec(tv_sec: Int(left / 1_000_000_000), tv_nsec: Int(left % 1_000_000_000))
    ppoll(descriptors, nfds_t(count), &time, nil)
  }
}
