import AudioSession
import Board

/// The playback devices of a simulated board: one a port, each with an ear.
public final class VirtualDevices: PCMOpener {
  private let clock: any BoardClock
  private let ears: [Port: PortEar]
  private var current: VirtualPCM?
  private var isFailing = false

  public init(clock: any BoardClock, ears: [PortEar]) {
    self.clock = clock
    self.ears = Dictionary(ears.map { ($0.port, $0) }) { first, _ in first }
  }

  public func open(port: Port, name: String, rate: Int, buffer: Duration) throws(PCMError) -> any PCM {
    guard !isFailing, let ear = ears[port] else {
      throw PCMError(operation: .open, device: name, code: 19, message: "no such device")
    }
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

  /// Power is cut: what was queued is never heard.
  public func cutPower() {
    current?.close()
    current = nil
  }

  /// Lets the devices play what time has passed for.
  public func catchUp() { _ = current?.status() }
}
