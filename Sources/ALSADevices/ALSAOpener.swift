import AudioSession
import Board

/// Opens ALSA playback devices. The threads of the devices.
public final class ALSAOpener: PCMOpener, Sendable {
  private let origin: Duration
  private let known: [String: KnownCard]

  /// - Parameters:
  ///   - origin: the kernel's monotonic clock at the board's power on; zero on a real board.
  ///   - known: what is known of a PCM beforehand, by its name.
  public init(origin: Duration = .zero, known: [String: KnownCard] = [:]) {
    self.origin = origin
    self.known = known
  }

  /// Opens the PCM `name` of the ALSA configuration (`default`, `hw:0,0`, `plughw:CARD=Dock`, …); `port` is not used.
  public func open(port: Port, name: String, rate: Int, buffer: Duration) throws(PCMError) -> any PCM {
    let pcm = try ALSAPlaybackPCM.open(name, rate: rate, buffer: buffer, known: known[name] ?? KnownCard())
    pcm.origin = origin
    return pcm
  }
}

/// Opens ALSA capture devices. The recorder's thread.
public final class ALSACaptureOpener: CaptureOpener, Sendable {
  public init() {}

  /// Opens the PCM `name` of the ALSA configuration; `input` is not used.
  public func open(
    input: InputPort, name: String, rate: Int, buffer: Duration
  ) throws(PCMError) -> any CapturePCM {
    try ALSACapturePCM.open(name, rate: rate, buffer: buffer)
  }
}
