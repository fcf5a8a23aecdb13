import CLinux
import Glibc

/// The body of the decode thread: decodes until the ring is full, sleeps until half of it is free.
enum DecodeThread {
  static func run(_ decoder: Decoder, signal: Signal, until stopping: WorkerThread.Flag) {
    var polled = pollfd(fd: signal.fileDescriptor, events: CShort(POLLIN), revents: 0)
    while !stopping.isRaised {
      signal.clear()
      while decoder.step() == .worked && !stopping.isRaised {}
      if !stopping.isRaised { ppoll(&polled, 1, nil, nil) }
    }
  }
}
