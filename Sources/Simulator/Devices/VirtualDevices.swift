import AudioSession
import Board
import Glibc

/// The playback devices of a simulated board: one a port, each with an tap.
public final class VirtualDevices: PCMOpener {
  private let clock: any BoardClock
  private let taps: [Port: PortTap]
  /// What was opened last for each port.
  private var open: [Port: VirtualPCM] = [:]
  private var isFailing = false
  /// What every device runs at, whatever it is asked for; nil: as it is asked.
  private var rate: Int?

  /// - Parameter taps: who hears which port; ports may share one.
  public init(clock: any BoardClock, taps: [Port: PortTap]) {
    self.clock = clock
    self.taps = taps
  }

  public func open(port: Port, name: String, rate: Int, buffer: Duration) throws(PCMError) -> any PCM {
    guard !isFailing, let tap = taps[port] else {
      throw PCMError(operation: .open, device: name, code: ENODEV, message: "no such device")
    }
    let rate = self.rate ?? rate
    let format = PCMFormat(rate: rate, bufferFrames: buffer.frames(rate: rate))
    let pcm = VirtualPCM(format: format, clock: clock, tap: tap)
    open[port] = pcm
    return pcm
  }

  /// False where it found nothing to befall.
  public func apply(_ fault: OutputFault) -> Bool {
    switch fault {
    case .underrun: return open.values.filter { $0.underrun() }.count > 0
    case .fail:
      isFailing = true
      for pcm in open.values { pcm.disconnect() }
    case .restore: isFailing = false
    }
    return true
  }

  /// From now on devices run at `rate` Hz: those that are open have to be opened anew (R12).
  public func setRate(_ rate: Int) {
    self.rate = rate
    for pcm in open.values { pcm.disconnect() }
  }

  /// The system sleeps: what was queued is never heard.
  public func suspend() {
    for pcm in open.values { pcm.suspend() }
  }

  /// Power is cut: what was queued is never heard.
  public func cutPower() {
    for pcm in open.values { pcm.close() }
    open = [:]
  }

  /// Lets the devices play what time has passed for.
  public func catchUp() { for pcm in open.values { _ = pcm.status() } }
}
