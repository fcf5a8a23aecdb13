import AudioSession
import Board
import CLinux
import Glibc
import Jukebox
import Storage
import Threads

/// Runs the recorder on a thread of its own: neither a slow card nor an input that makes trouble delays anything else.
final class RecorderThread: @unchecked Sendable {
  private let signal = Signal()
  /// Used by the thread only, once it runs.
  private let recorder: Recorder
  private let clock: any BoardClock
  private let commands = Mailbox<RecorderCommand>()
  let reports = Reports<RecorderReport>()
  private var thread: WorkerThread?

  init(_ recorder: Recorder, clock: any BoardClock) {
    self.recorder = recorder
    self.clock = clock
  }

  /// Starts the thread, which first recovers what a power cut has left.
  func start() {
    thread = WorkerThread(name: "recorder", signal: signal) { [self] in run(until: $0) }
  }

  /// Control thread.
  func post(_ command: RecorderCommand) {
    commands.post(command)
    signal.raise()
  }

  /// Obeys what was posted, ends the recording that runs, and then the thread. Returns false if the storage hangs.
  @discardableResult
  func stop(within patience: Duration = .seconds(10)) -> Bool {
    thread.take()?.stop(within: patience) ?? true
  }

  private func run(until stopping: WorkerThread.Flag) {
    recorder.recover(at: clock.now)
    while true {
      signal.clear()
      // Read before the work: what is posted just before the end is obeyed, too.
      let isLast = stopping.isRaised
      for command in commands.takeAll() { recorder.post(command) }
      let wait = recorder.service(at: clock.now)
      if isLast { recorder.stop(at: clock.now) }
      for report in recorder.takeReports() { reports.post(report) }
      if isLast { return }
      sleep(wait)
    }
  }

  private func sleep(_ wait: RecorderWait) {
    let (deadline, device): (Instant?, [PollDescriptor]) =
      switch wait {
      case .command: (nil, [])
      case .until(let instant): (instant, [])
      case .device(let instant): (instant, recorder.pollDescriptors)
      }
    // Plug-ins need to see their descriptors after every wake-up, ready or not.
    let revents = Array(Poll.wait(for: [signal.pollDescriptor] + device, until: deadline, clock).dropFirst())
    if !revents.isEmpty { revents.withUnsafeBufferPointer { recorder.deviceWoke($0) } }
  }
}
