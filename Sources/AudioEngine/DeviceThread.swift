import Threads

/// The thread on which one device is opened, recovered and closed, for all engines that use it.
///
/// A driver that never returns from a call costs this thread and nothing else: the device counts as lost, which is
/// reported once, and whoever asks for it again waits for the same call.
package final class DeviceThread: Sendable {
  /// How long the end of the firmware waits for a device that does not answer. It then ends without the thread.
  private static let patience = Duration.milliseconds(500)

  private enum Hang {
    case none
    case found
    case reported
    /// The device has answered after all.
    case over
  }

  let signal = Signal()
  package let device: String
  private let signals: EngineSignals
  private let slots = Locked<[DeviceSlot]>([])
  private let hang = Locked(Hang.none)
  private let thread = Locked<WorkerThread?>(nil)

  init(device: String, signals: EngineSignals) {
    self.device = device
    self.signals = signals
  }

  func add(_ slot: DeviceSlot) { slots.withLock { $0.append(slot) } }

  /// Call it once all engines are created.
  package func start() {
    let worker = WorkerThread(name: "device", signal: signal) { [self] in run(until: $0) }
    thread.withLock { $0 = worker }
  }

  /// Closes what is to be closed and ends the thread, unless the device does not answer.
  package func stop() {
    _ = thread.withLock { $0?.stop(within: Self.patience) }
    slots.withLock { $0 = [] }
  }

  /// The body of the thread.
  func run(until stopping: WorkerThread.Flag) {
    WorkerThread.serve(signal, until: stopping) { work { stopping.isRaised } }
  }

  /// What is asked of the device and not begun.
  package enum Request { case opening, other }

  package var request: Request? {
    let slots = slots.withLock { $0 }
    let isInUse = slots.contains(where: \.isInUse)
    return slots.compactMap(\.request).first { $0 == .other || !isInUse }
  }

  /// Does all that was asked for; if it `isEnding`, it closes only. Tests and simulations call it in place of the thread.
  package func work(isEnding: () -> Bool = { false }) {
    DeviceSlot.work(slots.withLock { $0 }, thread: self, isEnding: isEnding)
  }

  // MARK: - Reports

  /// Audio thread: the device has not answered in time.
  func reportHang() { hang.withLock { if $0 != .reported { $0 = .found } } }

  /// The device's thread: a call has returned.
  func endHang() {
    let isOver = hang.withLock { hang in
      switch hang {
      case .none, .found: hang = .none
      case .reported, .over: hang = .over
      }
      return hang == .over
    }
    if isOver { signals.report.raise() }
  }

  /// What the operator has to know, once for every hang. Control thread.
  package func takeNotice() -> String? {
    hang.withLock { hang in
      switch hang {
      case .none, .reported: return nil
      case .found:
        hang = .reported
        return "\(device) does not answer; a thread waits for its driver"
      case .over:
        hang = .none
        return "\(device) answers again"
      }
    }
  }
}
