import Board
import CALSA
import PacedPCM

@testable import ALSADevices

/// A device that plays when the test says so.
final class PacedDevice {
  private let raw: OpaquePointer

  init?() {
    guard let raw = paced_new() else { return nil }
    self.raw = raw
  }

  deinit { paced_free(raw) }

  /// What it can do from the next opening on.
  var traits: paced_traits {
    get { paced_traits_of(raw).pointee }
    set { paced_traits_of(raw).pointee = newValue }
  }

  /// Opens it as the adapter would a device of that format, behind the plug-in that `wrap` puts before it.
  func open(
    _ format: snd_pcm_format_t = SND_PCM_FORMAT_S16, channels: UInt32 = 2, rate: Int = 44_100,
    buffer: Duration = .milliseconds(200), wrap: (OpaquePointer) -> OpaquePointer? = { $0 }
  ) throws -> ALSAPlaybackPCM {
    let pcm = try make(SND_PCM_STREAM_PLAYBACK, format, channels)
    guard let outer = wrap(pcm) else { throw unusable(0) }
    return try .configure(PCMHandle(adopting: outer), device: "paced", rate: rate, buffer: buffer)
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
    var pcm: OpaquePointer?
    let result = paced_open(raw, &pcm, stream)
    guard result == 0, let pcm else { throw unusable(-result) }
    return pcm
  }

  private func unusable(_ code: CInt) -> PCMError {
    PCMError(operation: .open, device: "paced", code: code, message: "cannot make the test device")
  }

  /// It hears samples in its own format; answers how many frames it could hold.
  @discardableResult func hear<Sample>(_ samples: [Sample], channels: Int = 2) -> Int {
    let frames = samples.count / channels
    return samples.withUnsafeBytes { paced_hear(raw, $0.baseAddress, frames) }
  }

  @discardableResult func play(_ frames: Int) -> Int { paced_play(raw, frames) }

  /// A mishap, as Tests/PacedPCM/faults.c words it; whether it is one.
  @discardableResult func suffer(_ fault: String) -> Bool { paced_command(raw, fault) == 0 }

  func wake() { paced_wake(raw) }

  var counts: paced_counts { paced_counts_of(raw) }

  /// What was played, as samples of the device's format.
  func heard<Sample>(as type: Sample.Type = Int16.self) -> [Sample] {
    var bytes = 0
    guard let start = paced_heard(raw, &bytes) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: bytes).bindMemory(to: Sample.self))
  }
}
