import AudioSession
import Board

/// Opens ALSA playback devices. Audio thread, except for the first opening at start.
public final class ALSAOpener: PCMOpener {
  public init() {}

  /// Opens the PCM `name` of the ALSA configuration (`default`, `hw:0,0`, `plughw:CARD=Dock`, …); `port` plays no part.
  public func open(port: Port, name: String, rate: Int, buffer: Duration) throws(PCMError) -> any PCM {
    try ALSAPlaybackPCM.open(name, rate: rate, buffer: buffer)
  }
}
