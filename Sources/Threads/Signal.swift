import Board
import CLinux
import Glibc

/// Wakes a thread that polls: raised by any thread, any number of times, seen once. Real-time safe.
public final class Signal: Sendable {
  package let fileDescriptor: CInt
  /// Ready where it was raised.
  package var pollDescriptor: PollDescriptor { PollDescriptor(fileDescriptor: fileDescriptor, events: CShort(POLLIN)) }

  public init() { fileDescriptor = eventfd(0, CInt(EFD_CLOEXEC) | CInt(EFD_NONBLOCK)) }

  deinit { close(fileDescriptor) }

  package func raise() {
    var one: UInt64 = 1
    _ = write(fileDescriptor, &one, 8)
  }

  package func clear() {
    var count: UInt64 = 0
    _ = read(fileDescriptor, &count, 8)
  }
}
