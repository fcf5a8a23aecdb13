import CLinux
import Glibc
import Testing

@testable import Threads

@Suite struct WorkerThreadTests {
  private func wait(for signal: Signal) {
    var polled = pollfd(fd: signal.fileDescriptor, events: CShort(POLLIN), revents: 0)
    ppoll(&polled, 1, nil, nil)
  }

  @Test("a thread that ends when it is asked to is waited for")
  func ends() {
    let signal = Signal()
    let wasAsked = Locked(false)
    let thread = WorkerThread(name: "test", signal: signal) { stopping in
      // It sleeps until it is woken, however early it is asked.
      wait(for: signal)
      wasAsked.withLock { $0 = stopping.isRaised }
    }
    #expect(thread.stop())
    #expect(wasAsked.withLock { $0 })
  }

  @Test("a thread runs at the priority that it asks for, or reports why not")
  func priority() {
    let priority: CInt = 60
    let (signal, read) = (Signal(), Signal())
    let found = Locked<CInt>(-1)
    let thread = WorkerThread(name: "test", signal: signal, priority: priority) { _ in
      var (policy, parameters): (CInt, sched_param) = (0, sched_param())
      pthread_getschedparam(pthread_self(), &policy, &parameters)
      found.withLock { $0 = policy == SCHED_FIFO ? parameters.sched_priority : 0 }
      read.raise()
    }
    wait(for: read)
    #expect(found.withLock { $0 } == (thread.refusal == nil ? priority : 0))
    #expect(thread.stop())
  }

  @Test("the signals that end the process are not for a thread")
  func mask() {
    let ending = [SIGTERM, SIGINT, SIGHUP, SIGWINCH]
    @Sendable func blocked() -> [CInt] {
      var mask = sigset_t()
      pthread_sigmask(SIG_BLOCK, nil, &mask)
      return ending.filter { sigismember(&mask, $0) == 1 }
    }
    // As the main thread has it; the threads that run tests may block everything.
    var (mask, before) = (sigset_t(), sigset_t())
    sigemptyset(&mask)
    for signal in ending { sigaddset(&mask, signal) }
    pthread_sigmask(SIG_UNBLOCK, &mask, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    let (signal, read) = (Signal(), Signal())
    let found = Locked<[CInt]>([])
    let thread = WorkerThread(name: "test", signal: signal) { _ in
      found.withLock { $0 = blocked() }
      read.raise()
    }
    wait(for: read)
    #expect(found.withLock { $0 } == ending)
    #expect(blocked() == [])
    #expect(thread.stop())
  }

  @Test("a thread whose priority is refused runs all the same")
  func refused() {
    let (signal, hasRun) = (Signal(), Signal())
    // There is none above 99.
    let thread = WorkerThread(name: "test", signal: signal, priority: 1_000) { _ in hasRun.raise() }
    wait(for: hasRun)
    #expect(thread.refusal == "priority 1000: Invalid argument")
    #expect(thread.stop())
  }

  @Test("a thread that a dead disk blocks does not block the end of the process")
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
