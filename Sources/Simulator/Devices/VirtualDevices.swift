import AudioSession
import Board
import Glibc

/// The playback devices of a simulated board: one for each port, each with a tap.
public final class VirtualDevices: PCMOpener {
  public var answersAtOnce: Bool { true }
  private let clock: any BoardClock
  private let taps: [Port: PortTap]
  /// The device that was opened last for each port.
  private var open: [Port: VirtualPCM] = [:]
  private var cards: [Port: SimulatedCard] = [:]
  private var isFailing = false
  /// The rate of every device, Hz; nil where devices run at the rate they are opened with.
  private var rate: Int?

  /// - Parameter taps: the tap of each port; ports may share one.
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
    let pcm = VirtualPCM(format: format, clock: clock, tap: tap, card: cards[port] ?? .usual)
    open[port] = pcm
    return pcm
  }

  /// Applies a fault. Returns false for an underrun while no device plays.
  public func apply(_ fault: OutputFault) -> Bool {
    switch fault {
    case .underrun: return open.values.filter { $0.forceUnderrun() }.count > 0
    case .fail:
      isFailing = true
      for pcm in open.values { pcm.disconnect() }
    case .restore: isFailing = false
    }
    return true
  }

  /// Makes devices run at `rate` Hz from now on: open ones are lost and have to be reopened (R12).
  public func setRate(_ rate: Int) {
    self.rate = rate
    for pcm in open.values { pcm.disconnect() }
  }

  /// Puts another card at a port: an open one is lost and has to be reopened.
  public func setCard(_ card: SimulatedCard, of port: Port) {
    cards[port] = card
    open[port]?.disconnect()
  }

  /// Puts the devices to sleep with the system: queued sound is lost.
  public func suspend() {
    for pcm in open.values { pcm.suspend() }
  }

  /// Closes all devices at a power cut: queued sound is lost.
  public func cutPower() {
    for pcm in open.values { pcm.close() }
    open = [:]
  }

  /// Lets the devices play up to the present instant.
  public func catchUp() { for pcm in open.values { _ = pcm.status() } }
}
