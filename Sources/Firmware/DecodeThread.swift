import AudioEngine
import CLinux
import Glibc
import Threads

/// The body of the decode thread: decodes until the rings are full, sleeps until half of one is free.
enum DecodeThread {
  static func run(_ decoders: [Decoder], signal: Signal, until stopping: WorkerThread.Flag) {
    var polled = pollfd(fd: signal.fileDescriptor, events: CShort(POLLIN), revents: 0)
    while !stopping.isRaised {
      signal.clear()
      var isBusy = true
      while isBusy && !stopping.isRaised {
        isBusy = false
        // In turns, so that none starves another.
        for decoder in decoders where decoder.step() == .worked { isBusy = true }
      }
      if !stopping.isRaised { ppoll(&polled, 1, nil, nil) }
    }
  }
}
