import AudioEngine
import AudioSession
import Board
import Glibc
import Threads

/// Moves the volume controls of sound cards, on a thread of its own: a USB device that does not respond holds a call
/// for seconds, and neither the next unplug nor the sound can wait for it.
final class MixerThread: VolumeControls, @unchecked Sendable {
  private let opener: any MixerOpener
  private let mixers: [Port: MixerDescription]
  /// Raised for the control thread: a report waits.
  private let reportSignal: Signal
  private let signal = Signal()
  private let wanted = Locked<[Port: Int]>([:])
  private let reports = Mailbox<VolumeReport>()
  private var thread: WorkerThread?
  // Used by the thread only.
  private var controls: [Port: PortMixer] = [:]

  var ports: Set<Port> { Set(mixers.keys) }

  init(_ mixers: [Port: MixerDescription], opener: any MixerOpener, reportSignal: Signal) {
    self.mixers = mixers
    self.opener = opener
    self.reportSignal = reportSignal
  }

  func start() {
    thread = WorkerThread(name: "mixer", signal: signal) { [self] in run(until: $0) }
  }

  /// Control thread.
  func set(_ port: Port, to volume: Int) {
    wanted.withLock { $0[port] = volume }
    signal.raise()
  }

  /// Control thread.
  func takeReports() -> [VolumeReport] { reports.takeAll() }

  /// Waits no longer than a second for a card that does not respond.
  func stop() {
    thread?.stop(within: .seconds(1))
    thread = nil
  }

  private func run(until stopping: WorkerThread.Flag) {
    let clock = MonotonicClock(startsNow: true)
    for (port, mixer) in mixers { controls[port] = PortMixer(mixer, opener) }
    while !stopping.isRaised {
      signal.clear()
      let newVolumes = wanted.withLock { wanted in
        defer { wanted = [:] }
        return wanted
      }
      for (port, control) in controls {
        for outcome in control.work(toward: newVolumes[port], at: clock.now) { post(outcome, of: port) }
      }
      let descriptors = [signal.pollDescriptor] + controls.values.flatMap(\.pollDescriptors)
      Poll.wait(for: descriptors, until: controls.values.compactMap(\.nextTry).min(), clock)
    }
    controls = [:]
  }

  private func post(_ outcome: PortMixer.Outcome, of port: Port) {
    switch outcome {
    case .set(let volume, let rest): reports.post(.set(port, volume: volume, rest: rest))
    case .failed(let reason): reports.post(.failed(port, reason: reason))
    }
    reportSignal.raise()
  }
}
