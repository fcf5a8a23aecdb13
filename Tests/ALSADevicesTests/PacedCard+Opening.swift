import Board
import CALSA
import PacedCards
import PacedPCM
import Testing

@testable import ALSADevices

extension PacedCard {
  /// A card with these faults or traits, and what the adapter has open on it.
  static func opened(_ faults: String...) throws -> (device: PacedCard, pcm: ALSAPlaybackPCM) {
    let device = try #require(PacedCard())
    for fault in faults { #expect(device.suffer(fault)) }
    return (device, try device.open())
  }

  /// Opens the card as the adapter opens a device of that format, behind the plug-in that `wrap` makes.
  func open(
    _ format: snd_pcm_format_t = SND_PCM_FORMAT_S16, channels: UInt32 = 2, rate: Int = 44_100,
    buffer: Duration = .milliseconds(200), known: KnownCard = KnownCard(),
    wrap: (OpaquePointer) -> OpaquePointer? = { $0 }
  ) throws -> ALSAPlaybackPCM {
    let pcm = try make(SND_PCM_STREAM_PLAYBACK, format, channels)
    guard let outer = wrap(pcm) else { throw unusable(0) }
    return try .configure(PCMHandle(adopting: outer), device: "paced", rate: rate, buffer: buffer, known: known)
  }

  /// The same for a device that captures.
  func openCapture(
    _ format: snd_pcm_format_t = SND_PCM_FORMAT_S16, channels: UInt32 = 2, rate: Int = 44_100,
    buffer: Duration = .milliseconds(200)
  ) throws -> ALSACapturePCM {
    let pcm = try make(SND_PCM_STREAM_CAPTURE, format, channels)
    return try .configure(PCMHandle(adopting: pcm), device: "paced", rate: rate, buffer: buffer)
  }

  private func make(
    _ stream: snd_pcm_stream_t, _ format: snd_pcm_format_t, _ channels: UInt32
  ) throws -> OpaquePointer {
    traits.format = format
    traits.most_channels = channels
    let (pcm, code) = open(stream)
    guard let pcm else { throw unusable(code) }
    return pcm
  }

  private func unusable(_ code: CInt) -> PCMError {
    PCMError(operation: .open, device: "paced", code: code, message: "cannot make the test device")
  }
}
