import Board
import Threads

/// An engine's access to one device: opens, recovers and closes it. The driver of a device that does not answer holds
/// these calls for seconds or forever, so a `DeviceThread` makes them; without one they are made in place, as in
/// virtual time.
///
/// The audio thread asks and takes answers, which neither blocks nor allocates; the device's thread works.
final class DeviceSlot: @unchecked Sendable {
  /// What is asked of the device's thread.
  enum Task {
    case open
    case recover(any PCM)
  }

  enum Answer {
    case opened(any PCM)
    case recovered
    case failed(PCMError)
  }

  /// What the two threads exchange.
  private struct Desk: @unchecked Sendable {
    var task: Task?
    /// The number of the task; an answer to another one is no longer wanted.
    var number = 0
    /// Whether the device's thread has begun the task.
    var isBegun = false
    var answer: Answer?
    /// Whether the opening was given up as it took too long: what it opens is for the next try, unless another engine
    /// wants the device before.
    var isLate = false
    /// The device to close. An engine has one at most, and nothing is opened before it is closed.
    var closing: (any PCM)?
    /// A device that was opened for this engine is not closed yet.
    var isOpen = false

    /// Asks for this instead of whatever was asked for before.
    mutating func replaceTask(_ next: Task?) {
      task = next
      number &+= 1
      isBegun = false
      isLate = false
      answer = nil
    }

    /// The device is wanted again. One that has failed late is asked again.
    mutating func resumeOpening() {
      if isLate, case .failed = answer { answer = nil }
      isLate = false
    }
  }

  private let desk = Locked(Desk())
  private let output: AudioEngine.Output
  private let rate: Int
  private let buffer: Duration
  private let opener: any PCMOpener
  private let thread: DeviceThread?
  private let signals: EngineSignals

  /// - Parameter rate: the board's rate in Hz, which is requested from the device.
  init(
    _ output: AudioEngine.Output, opener: any PCMOpener, rate: Int, buffer: Duration, thread: DeviceThread?,
    signals: EngineSignals
  ) {
    self.output = output
    self.opener = opener
    self.rate = rate
    self.buffer = buffer
    self.thread = thread
    self.signals = signals
    thread?.add(self)
  }

  // MARK: - Audio thread

  /// Asks for the task, unless it is an opening that was asked for already. Returns the answer if there is one; else
  /// the audio signal is raised when it comes.
  func ask(for task: Task) -> Answer? {
    desk.withLock { desk in
      desk.resumeOpening()
      // A device that opened late is as good as a new one.
      if case .open = task, desk.task != nil { return }
      if case .open = task, case .opened = desk.answer { return }
      desk.replaceTask(task)
    }
    wakeThread()
    return takeAnswer()
  }

  /// Has the device opened while another one plays. Returns whether it has answered; `ask` gets what it has opened.
  func askAhead() -> Bool {
    let isAsked = desk.withLock { desk in
      desk.resumeOpening()
      guard desk.task == nil, desk.answer == nil else { return false }
      desk.replaceTask(.open)
      return true
    }
    if isAsked { wakeThread() }
    return desk.withLock { $0.answer != nil }
  }

  func takeAnswer() -> Answer? {
    desk.withLock { $0.answer.take() }
  }

  /// Closes `pcm`, or takes back the request to open a device.
  func close(_ pcm: consuming (any PCM)?) {
    var pcm = consume pcm
    desk.withLock { desk in
      desk.closing = pcm.take() ?? desk.closing
      if case .opened(let unused) = desk.answer { desk.closing = unused }
      desk.replaceTask(nil)
    }
    wakeThread()
  }

  /// The device's answer did not come in time.
  func reportHang() {
    desk.withLock { desk in if case .open = desk.task { desk.isLate = true } }
    thread?.reportHang()
  }

  private func wakeThread() {
    if let thread { thread.signal.raise() } else { DeviceSlot.work([self]) }
  }

  // MARK: - The device's thread

  /// Does all that is asked of the slots of one device. An opening waits until the engine that has the device has closed
  /// it, which may still fade out there.
  static func work(_ slots: [DeviceSlot], thread: DeviceThread? = nil, isEnding: () -> Bool = { false }) {
    while true {
      let isEnding = isEnding()
      if !isEnding, let wanting = slots.first(where: { $0.request == .opening }) {
        for slot in slots where slot !== wanting { slot.giveUpLate() }
      }
      for slot in slots { slot.closeDevice() }
      guard !isEnding, let (slot, task, number) = begin(slots) else { return }
      slot.answer(slot.perform(task), to: number)
      thread?.endHang()
    }
  }

  /// What is asked of the device and not begun: an opening first, because that may take its time.
  var request: DeviceThread.Request? {
    desk.withLock { desk in
      if !desk.isBegun, case .open = desk.task { return .opening }
      return (desk.task != nil && !desk.isBegun) || desk.closing != nil ? .other : nil
    }
  }

  /// Whether the engine has the device, and has not asked for it to be closed. What has opened late goes to whoever asks.
  var isInUse: Bool { desk.withLock { $0.isOpen && $0.closing == nil && !$0.isLate } }

  private static func begin(_ slots: [DeviceSlot]) -> (DeviceSlot, Task, number: Int)? {
    let isOpen = slots.contains { $0.desk.withLock(\.isOpen) }
    for slot in slots {
      let begun: (Task, Int)? = slot.desk.withLock { desk in
        guard let task = desk.task, !desk.isBegun else { return nil }
        if isOpen, case .open = task { return nil }
        desk.isBegun = true
        return (task, desk.number)
      }
      if let (task, number) = begun { return (slot, task, number) }
    }
    return nil
  }

  private func perform(_ task: Task) -> Answer {
    do throws(PCMError) {
      switch task {
      case .open:
        return .opened(try opener.open(port: output.port, name: output.device, rate: rate, buffer: buffer))
      case .recover(let pcm):
        try pcm.recover()
        return .recovered
      }
    } catch {
      return .failed(error)
    }
  }

  private func answer(_ answer: Answer, to number: Int) {
    let isWanted = desk.withLock { desk in
      guard desk.number == number else { return false }
      desk.task = nil
      desk.answer = answer
      if case .opened = answer { desk.isOpen = true }
      return true
    }
    if !isWanted {
      if case .opened(let pcm) = answer { pcm.close() }
    } else if thread != nil {
      signals.audio.raise()
    }
  }

  /// Another engine wants the device that was opened late for this one.
  private func giveUpLate() {
    desk.withLock { desk in
      guard desk.isLate, case .opened(let pcm) = desk.answer else { return }
      desk.closing = pcm
      desk.answer = nil
      desk.isLate = false
    }
  }

  private func closeDevice() {
    guard let pcm = desk.withLock({ $0.closing.take() }) else { return }
    pcm.close()
    desk.withLock { $0.isOpen = false }
  }
}
