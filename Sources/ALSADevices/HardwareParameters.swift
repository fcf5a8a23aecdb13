import AudioSession
import Board
import CALSA

/// What is asked of a device; errors quote it.
struct StreamRequest {
  var device: String
  var rate: Int
  var buffer: Duration
  /// Whether only a small part of the buffer is to be filled.
  var isShallow = false
  /// How often the device should update its position. A driver that counts periods is up to one of them further than it
  /// says, so that no change can be heard sooner: 10 ms, and less in a shallow queue, of which a step must be a small
  /// part. The interrupts wake nobody before the buffer has room enough. With fewer than four periods, a buffer filled
  /// between them would be reported as half empty when next to nothing is left.
  var period: Duration { min(buffer / 4, isShallow ? .microseconds(2_500) : .milliseconds(10)) }

  var description: String { "\(rate) Hz, buffer of \(buffer.wholeNanoseconds / 1_000_000) ms" }
}

/// What a device was configured with.
struct NegotiatedStream {
  var layout: SampleLayout
  var format: PCMFormat
  var periodFrames: Int
  /// Whether the driver says that its position is true to the sample.
  var isExact: Bool
}

/// Owns an `snd_pcm_hw_params_t`: the configurations that a device can take, narrowed down step by step.
struct HardwareParameters: ~Copyable {
  private let memory: UnsafeMutableRawPointer
  private let pcm: OpaquePointer
  private let request: StreamRequest
  private var raw: OpaquePointer { OpaquePointer(memory) }

  /// `pcm` must outlive this.
  init(of pcm: OpaquePointer, for request: StreamRequest) {
    let size = snd_pcm_hw_params_sizeof()
    memory = .allocate(byteCount: size, alignment: 16)
    memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    self.pcm = pcm
    self.request = request
  }

  deinit { memory.deallocate() }

  /// Chooses layout, rate, buffer and period, and configures the device with them.
  borrowing func negotiate() throws(PCMError) -> NegotiatedStream {
    calsa_clear_message()
    try check(snd_pcm_hw_params_any(pcm, raw), asked: "any configuration")
    // Only plug-ins can resample. A plain device refuses this call, and gets its nearest rate below.
    _ = snd_pcm_hw_params_set_rate_resample(pcm, raw, 1)
    try check(
      snd_pcm_hw_params_set_access(pcm, raw, SND_PCM_ACCESS_RW_INTERLEAVED), asked: "interleaved read/write access")
    let layout = SampleLayout(encoding: try chooseEncoding(), channels: try chooseChannels())
    try chooseTimes()
    try check(snd_pcm_hw_params(pcm, raw), asked: "\(layout), \(request.description)")

    var rate: CUnsignedInt = 0
    var frames: snd_pcm_uframes_t = 0
    try check(snd_pcm_hw_params_get_rate(raw, &rate, nil), asked: "the rate it runs at")
    try check(snd_pcm_hw_params_get_buffer_size(raw, &frames), asked: "the size of its buffer")
    var period: snd_pcm_uframes_t = 0
    try check(snd_pcm_hw_params_get_period_size(raw, &period, nil), asked: "the size of its period")
    return NegotiatedStream(
      layout: layout, format: PCMFormat(rate: Int(rate), bufferFrames: Int(frames)), periodFrames: Int(period),
      isExact: snd_pcm_hw_params_can_mmap_sample_resolution(raw) != 0 && snd_pcm_hw_params_is_batch(raw) == 0)
  }

  private borrowing func chooseEncoding() throws(PCMError) -> SampleEncoding {
    for encoding in SampleEncoding.allCases
    where snd_pcm_hw_params_test_format(pcm, raw, encoding.alsaFormat) == 0 {
      try check(snd_pcm_hw_params_set_format(pcm, raw, encoding.alsaFormat), asked: "format \(encoding.rawValue)")
      return encoding
    }
    let known = SampleEncoding.allCases.map(\.rawValue).joined(separator: ", ")
    throw failure(-EINVAL, asked: "one of the formats \(known)")
  }

  private borrowing func chooseChannels() throws(PCMError) -> Int {
    let count: CUnsignedInt = snd_pcm_hw_params_test_channels(pcm, raw, 2) == 0 ? 2 : 1
    try check(snd_pcm_hw_params_set_channels(pcm, raw, count), asked: "2 channels or 1")
    return Int(count)
  }

  private borrowing func chooseTimes() throws(PCMError) {
    var rate = CUnsignedInt(clamping: request.rate)
    try check(snd_pcm_hw_params_set_rate_near(pcm, raw, &rate, nil), asked: "\(request.rate) Hz")
    var buffer = CUnsignedInt(clamping: request.buffer.wholeNanoseconds / 1_000)
    var period = CUnsignedInt(clamping: request.period.wholeNanoseconds / 1_000)
    try check(snd_pcm_hw_params_set_buffer_time_near(pcm, raw, &buffer, nil), asked: request.description)
    try check(snd_pcm_hw_params_set_period_time_near(pcm, raw, &period, nil), asked: "period of \(period) us")
  }

  private borrowing func check(_ result: CInt, asked: String) throws(PCMError) {
    if result < 0 { throw failure(result, asked: asked) }
  }

  private borrowing func failure(_ result: CInt, asked: String) -> PCMError {
    var error = PCMError(.configure, request.device, result, asked: asked)
    error.message += "; offers \(offer())"
    return error
  }

  /// The formats, channels and rates that the device can take.
  private borrowing func offer() -> String {
    guard snd_pcm_hw_params_any(pcm, raw) >= 0 else { return "nothing" }
    var formats: [String] = []
    for value in 0...SND_PCM_FORMAT_LAST.rawValue {
      let format = snd_pcm_format_t(rawValue: value)
      if snd_pcm_hw_params_test_format(pcm, raw, format) == 0, let name = snd_pcm_format_name(format) {
        formats.append(String(cString: name))
      }
    }
    var (fewest, most): (CUnsignedInt, CUnsignedInt) = (0, 0)
    var (lowest, highest): (CUnsignedInt, CUnsignedInt) = (0, 0)
    _ = snd_pcm_hw_params_get_channels_min(raw, &fewest)
    _ = snd_pcm_hw_params_get_channels_max(raw, &most)
    _ = snd_pcm_hw_params_get_rate_min(raw, &lowest, nil)
    _ = snd_pcm_hw_params_get_rate_max(raw, &highest, nil)
    return "\(formats.joined(separator: " ")), \(fewest) to \(most) channels, \(lowest) to \(highest) Hz"
  }
}
