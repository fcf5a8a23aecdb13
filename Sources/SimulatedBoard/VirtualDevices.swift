import AudioSession
import Board

/// The playback devices of a simulated board: one a port, each with an ear.
public final class VirtualDevices: PCMOpener {
  private let clock: any BoardClock
  private let ears: [Port: PortEar]
  private var current: VirtualPCM?
  private var isFailing = false
  /// What devices run at; nil: what they are asked for.
  private var rate: Int?

  /// - Parameter ears: who hears which port; ports may share one.
  public init(clock: any BoardClock, ears: [Port: PortEar]) {
    self.clock = clock
    self.ears = ears
  }

  public func open(port: Port, name: String, rate: Int, buffer: Duration) throws(PCMError) -> any PCM {
    guard !isFailing, let ear = ears[port] else {
      throw PCMError(operation: .open, device: name, code: 19, message: "no such device")
    }
    let rate = self.rate ?? rate
    let format = PCMFormat(rate: rate, bufferFrames: buffer.frames(rate: rate))
    let pcm = VirtualPCM(format: format, clock: clock, ear: ear)
    current = pcm
    return pcm
  }

  public func apply(_ fault: OutputFault) {
    switch fault {
    case .underrun: current?.underrun()
    case .fail:
      isFailing = true
      current?.disconnect()
    case .restore: isFailing = false
    }
  }

  /// The device goes away and comes back at this rate, whatever is asked for.
  public func setRate(_ rate: Int) {
    self.rate = rate
    current?.disconnect()
  }

  /// The system sleeps: what was queued is never heard.
  public func suspend() { current?.suspend() }

  /// Power is cut: what was queued is never heard.
  public func cutPower() {
    current?.close()
    current = nil
  }

  /// Lets the devices play what time has passed for.
  public func catchUp() { _ = current?.status() }
}
