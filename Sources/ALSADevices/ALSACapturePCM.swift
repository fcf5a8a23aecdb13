import AudioSession
import Board
import CALSA
import Glibc

/// A capture device of libasound. The recorder's thread calls.
///
/// The PCMs `null` and `file` on `null` are not devices in time: they always have frames and no descriptor to poll.
/// Whoever records from them counts the frames that are due by the clock.
public final class ALSACapturePCM: CapturePCM {
  /// The name it was opened by.
  public let device: String
  public let format: PCMFormat
  /// The device's layout; `read` converts it to stereo S16.
  public let layout: SampleLayout
  public var pollDescriptors: [PollDescriptor] { pollSet.descriptors }
  public private(set) var lostFrames = 0

  /// How much sound makes it worth a wake-up.
  private static let wake = Duration.milliseconds(100)

  private var handle: PCMHandle
  private let pollSet: PollSet
  /// One buffer in the device's layout; empty when that is stereo S16.
  private let scratch: UnsafeMutableRawBufferPointer
  /// When it was last read (nil: it was not started), and the frames that were left in the buffer then.
  private var lastRead: (at: Instant, left: Int)?

  /// Opens the capture PCM `device` and configures it as near to `rate` (Hz) and `buffer` as it can. Never waits.
  ///
  /// Throws `.open` (no such device, or another program has it) or `.configure`, naming what was asked and what the
  /// device offers.
  public static func open(
    _ device: String, rate: Int, buffer: Duration = .seconds(2)
  ) throws(PCMError) -> ALSACapturePCM {
    try configure(PCMHandle.open(device, for: SND_PCM_STREAM_CAPTURE), device: device, rate: rate, buffer: buffer)
  }

  /// Configures a PCM that is open; closes it when that fails.
  static func configure(
    _ handle: consuming PCMHandle, device: String, rate: Int, buffer: Duration
  ) throws(PCMError) -> ALSACapturePCM {
    guard let pcm = handle.pointer else { throw PCMError.closed(.configure, device) }
    let request = StreamRequest(device: device, rate: rate, buffer: buffer)
    let stream = try HardwareParameters(of: pcm, for: request).negotiate()
    let format = stream.format
    let wakeFrames = max(1, min(wake.frames(rate: format.rate), format.bufferFrames / 2))
    try setSoftwareParameters(
      of: pcm, device: device, bufferFrames: format.bufferFrames, wakeFrames: wakeFrames)
    return ALSACapturePCM(adopting: handle, of: pcm, device: device, layout: stream.layout, format: format)
  }

  private init(
    adopting handle: consuming PCMHandle, of pcm: OpaquePointer, device: String, layout: SampleLayout,
    format: PCMFormat
  ) {
    self.handle = handle
    self.device = device
    self.layout = layout
    self.format = format
    pollSet = PollSet(of: pcm)
    scratch = layout.scratch(frames: format.bufferFrames)
  }

  deinit { scratch.deallocate() }

  public func close() { handle.close() }

  public func isReady(_ revents: UnsafeBufferPointer<CShort>) -> Bool {
    guard let pcm = handle.pointer else { return false }
    return pollSet.isReady(revents, of: pcm)
  }

  public func start() throws(PCMError) {
    let pcm = try handle.pointer(for: .start, of: device)
    try PCMError.check(snd_pcm_start(pcm), .start, device, asked: "start")
    lastRead = (monotonicNow(), 0)
  }

  /// Reads at most one buffer per call.
  public func read(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(PCMError) -> Int {
    let pcm = try handle.pointer(for: .read, of: device)
    let count = min(frames, format.bufferFrames)
    guard count > 0, let lastRead else { return 0 }
    let target = scratch.baseAddress.flatMap { layout.isOurs ? nil : $0 } ?? UnsafeMutableRawPointer(samples)
    let result = snd_pcm_readi(pcm, target, snd_pcm_uframes_t(count))
    if result >= 0 {
      if !layout.isOurs { layout.convert(target, frames: result, into: samples) }
      // Less than was asked for is all that there was.
      self.lastRead = (monotonicNow(), result < count ? 0 : max(0, snd_pcm_avail_update(pcm)))
      return result
    }
    switch CInt(result) {
    case -EAGAIN:
      self.lastRead = (monotonicNow(), 0)
      return 0
    case -EINTR: return 0
    // An overrun, sleep, or a stop by somebody else. The frames in the buffer are lost with it.
    case -EPIPE, -ESTRPIPE, -EBADFD:
      try restart(pcm, since: lastRead)
      return 0
    default: throw PCMError(.read, device, CInt(result), asked: "\(count) frames")
    }
  }

  private func restart(_ pcm: OpaquePointer, since lastRead: (at: Instant, left: Int)) throws(PCMError) {
    // Some drivers need this call to wake the hardware; it may fail (`ALSAPlaybackPCM.recover`).
    if snd_pcm_state(pcm) == SND_PCM_STATE_SUSPENDED, snd_pcm_resume(pcm) >= 0 {
      try PCMError.check(snd_pcm_drop(pcm), .recover, device, asked: "drop")
    }
    // Sound has gone on while nobody read; the clock knows for how long, and stands still while the system sleeps. It is
    // not that of the card: over hours they drift apart.
    lostFrames += max(0, lastRead.left + (monotonicNow() - lastRead.at).frames(rate: format.rate))
    try PCMError.check(snd_pcm_prepare(pcm), .recover, device, asked: "prepare")
    try start()
  }
}
