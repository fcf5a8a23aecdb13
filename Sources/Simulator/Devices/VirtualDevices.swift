import AudioSession
import Board
import Glibc

/// The playback devices of a simulated board: one for each port, each with a tap.
public final class VirtualDevices: PCMOpener {
  public let answersAtOnce: Bool
  private let clock: any BoardClock
  private let taps: [Port: PortTap]
  /// The device that was opened last for each port.
  private var open: [Port: VirtualPCM] = [:]
  private var cards: [Port: SimulatedCard] = [:]
  private var openings: [Port: Duration] = [:]
  /// Headsets whose PCM is not offered.
  private var withdrawn: Set<Port> = []
  /// Headsets whose radio link is silent.
  private var silent: Set<Port> = []
  private var isFailing = false
  /// The rate of every device, Hz; nil where devices run at the rate they are opened with.
  private var rate: Int?

  /// - Parameters:
  ///   - taps: the tap of each port; ports may share one.
  ///   - answersAtOnce: whether nobody waits for the time that devices take to be opened.
  public init(clock: any BoardClock, taps: [Port: PortTap], answersAtOnce: Bool = true) {
    self.clock = clock
    self.taps = taps
    self.answersAtOnce = answersAtOnce
  }

  private func card(of port: Port) -> SimulatedCard { cards[port] ?? (port == .bluetooth ? .headset : .usual) }

  /// How long the port's device takes to be opened.
  func opening(of port: Port) -> Duration { openings[port] ?? card(of: port).opening }

  public func open(port: Port, name: String, rate: Int, buffer: Duration) throws(PCMError) -> any PCM {
    guard !isFailing, !withdrawn.contains(port), let tap = taps[port] else {
      throw PCMError(operation: .open, device: name, code: ENODEV, message: "no such device")
    }
    let rate = self.rate ?? rate
    let format = PCMFormat(rate: rate, bufferFrames: buffer.frames(rate: rate))
    let pcm = VirtualPCM(format: format, clock: clock, tap: tap, card: card(of: port))
    if silent.contains(port) { pcm.setLink(isSilent: true) }
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

  func setOpening(_ time: Duration, of port: Port) { openings[port] = time }

  /// The headset's link falls silent, or is heard again.
  func setLink(of port: Port, isSilent: Bool) {
    if isSilent { silent.insert(port) } else { silent.remove(port) }
    open[port]?.setLink(isSilent: isSilent)
  }

  /// A headset's PCM is offered or withdrawn; an open one is lost with it.
  func offer(_ port: Port, _ isOffered: Bool) {
    if isOffered {
      withdrawn.remove(port)
    } else if withdrawn.insert(port).inserted {
      open[port]?.disconnect()
    }
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
