import CLinux
import Glibc
import Testing

@testable import JukeboxRuntime

@Suite struct WorkerThreadTests {
  private func wait(for signal: Signal) {
    var polled = pollfd(fd: signal.fileDescriptor, events: CShort(POLLIN), revents: 0)
    ppoll(&polled, 1, nil, nil)
  }

  @Test("a thread that ends when it is asked to is waited for")
  func ends() {
    let signal = Signal()
    let thread = WorkerThread(name: "test", signal: signal) { stopping in
      while !stopping.isRaised {
        wait(for: signal)
        signal.clear()
      }
    }
    #expect(thread.stop())
  }

  @Test("a thread that a dead disk holds does not hold the end of the process")
  func held() {
    let (signal, disk, end) = (Signal(), Signal(), Signal())
    let thread = WorkerThread(name: "test", signal: signal) { _ in
      wait(for: disk)
      end.raise()
    }
    #expect(!thread.stop(within: .milliseconds(20)))
    disk.raise()
    wait(for: end)
  }
}
