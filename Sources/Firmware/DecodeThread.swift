import AudioEngine
import Board
import CLinux
import Glibc
import Threads

/// The body of a decode thread: decodes until the rings are full, sleeps until half of one is free.
enum DecodeThread {
  /// - Parameter opener: of all the decoders' tracks; used by this thread only.
  static func run(
    _ decoders: [Decoder], _ opener: any TrackOpener, signal: Signal, until stopping: WorkerThread.Flag
  ) {
    while !stopping.isRaised {
      signal.clear()
      opener.service()
      var isBusy = true
      while isBusy && !stopping.isRaised {
        isBusy = false
        // The decoders take turns, so that none starves another.
        for decoder in decoders where decoder.step() == .worked { isBusy = true }
      }
      if !stopping.isRaised { sleep(opener, signal) }
    }
  }

  private static func sleep(_ opener: any TrackOpener, _ signal: Signal) {
    var polled = [pollfd(fd: signal.fileDescriptor, events: CShort(POLLIN), revents: 0)]
    for descriptor in opener.pollDescriptors {
      polled.append(pollfd(fd: descriptor.fileDescriptor, events: descriptor.events, revents: 0))
    }
    guard let patience = opener.patience else {
      ppoll(&polled, nfds_t(polled.count), nil, nil)
      return
    }
    let (seconds, fraction) = patience.components
    var time = timespec(tv_sec: Int(seconds), tv_nsec: Int(fraction / 1_000_000_000))
    ppoll(&polled, nfds_t(polled.count), &time, nil)
  }
}
