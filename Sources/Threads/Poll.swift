import AudioSession
import Board
import CLinux
import Glibc

/// `poll(2)` up to a moment of a board's clock.
package enum Poll {
  /// Returns when a descriptor is ready, the moment has come, or a signal came in between.
  package static func wait(
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

  /// The same for these; returns what has come of each, as `revents`.
  @discardableResult
  package static func wait(
    for descriptors: [PollDescriptor], until deadline: Instant? = nil, _ clock: any BoardClock
  ) -> [CShort] {
    var polled = descriptors.map { pollfd(fd: $0.fileDescriptor, events: $0.events, revents: 0) }
    wait(&polled, polled.count, until: deadline, clock)
    return polled.map(\.revents)
  }
}
