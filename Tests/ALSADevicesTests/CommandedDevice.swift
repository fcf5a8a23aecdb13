import Board
import CALSA
import CommandedPCM

@testable import ALSADevices

/// A device that plays when the test says so.
final class CommandedDevice {
  private let raw: OpaquePointer

  init?() {
    guard let raw = commanded_new() else { return nil }
    self.raw = raw
  }

  deinit { commanded_free(raw) }

  /// Opens it as the adapter would a device of that format, behind the plug-in that `wrap` puts before it.
  func open(
    _ format: snd_pcm_format_t = SND_PCM_FORMAT_S16, channels: UInt32 = 2, rate: Int = 44_100,
    buffer: Duration = .milliseconds(200), wrap: (OpaquePointer) -> OpaquePointer? = { $0 }
  ) throws -> ALSAPlaybackPCM {
    let pcm = try make(SND_PCM_STREAM_PLAYBACK, format, channels)
    guard let outer = wrap(pcm) else { throw unusable(0) }
    return try .configure(PCMHandle(adopting: outer), device: "commanded", rate: rate, buffer: buffer)
  }

  /// The same for a device that captures.
  func openCapture(
    _ format: snd_pcm_format_t = SND_PCM_FORMAT_S16, channels: UInt32 = 2, rate: Int = 44_100,
    buffer: Duration = .milliseconds(200)
  ) throws -> ALSACapturePCM {
    let pcm = try make(SND_PCM_STREAM_CAPTURE, format, channels)
    return try .configure(PCMHandle(adopting: pcm), device: "commanded", rate: rate, buffer: buffer)
  }

  private func make(
    _ stream: snd_pcm_stream_t, _ format: snd_pcm_format_t, _ channels: UInt32
  ) throws -> OpaquePointer {
    var pcm: OpaquePointer?
    let result = commanded_open(raw, &pcm, stream, format, channels)
    guard result == 0, let pcm else { throw unusable(-result) }
    return pcm
  }

  private func unusable(_ code: CInt) -> PCMError {
    PCMError(operation: .open, device: "commanded", code: code, message: "cannot make the test device")
  }

  /// It hears samples in its own format; answers how many frames it could hold.
  @discardableResult func hear<Sample>(_ samples: [Sample], channels: Int = 2) -> Int {
    let frames = samples.count / channels
    return samples.withUnsafeBytes { commanded_capture(raw, $0.baseAddress, frames) }
  }

  @discardableResult func play(_ frames: Int) -> Int { commanded_play(raw, frames) }

  func become(_ state: snd_pcm_state_t) { commanded_set_state(raw, state) }

  func wake() { commanded_wake(raw) }

  var closings: Int { Int(commanded_closings(raw)) }

  var resumptions: Int { Int(commanded_resumptions(raw)) }

  /// What was played, as samples of the device's format.
  func heard<Sample>(as type: Sample.Type = Int16.self) -> [Sample] {
    var bytes = 0
    guard let start = commanded_heard(raw, &bytes) else { return [] }
    return Array(UnsafeRawBufferPointer(start: start, count: bytes).bindMemory(to: Sample.self))
  }
}
