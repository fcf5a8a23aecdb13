import AudioEngine
import AudioSession
import Board
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
    let clock = MonotonicClock(startsNow: true)
    let deadline = opener.patience.map { clock.now + $0 }
    Poll.wait(for: [signal.pollDescriptor] + opener.pollDescriptors, until: deadline, clock)
  }
}
