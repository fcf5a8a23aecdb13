import AudioSession
import Board
import CALSA
import Glibc

/// A playback device of libasound. After opening, the audio thread calls; `write`, `status`, `rewind`, `start` and
/// `stop` allocate nothing unless they fail.
///
/// What may block: opening, negotiating and freeing the hardware's parameters, and preparing it, in which drivers load
/// firmware, wait for clocks, switch USB interfaces (5 s for each request that is not answered) and wait for what is on
/// its way. These are `open`, `recover` and `close`, for the device's thread. What does not: the device is opened in
/// nonblocking mode, so `write` copies what there is room for; `status` and `rewind` read positions; `start` and `stop`
/// start and stop the transfer and do not wait for its end. A plug-in may wait for a program in `start` and `stop`, as that of
/// bluez-alsa does for a reply: where that program hangs, only the watchdog helps.
///
/// The PCMs `null` and `file` on `null` are not devices in time: they are never full, never run dry, always have 0
/// frames queued and no descriptor to poll. Whoever plays to them counts the frames that are due by the clock.
public final class ALSAPlaybackPCM: PCM {
  /// The name it was opened by.
  public let device: String
  public let format: PCMFormat
  /// The device's layout, to which `write` converts stereo S16.
  public let layout: SampleLayout
  public var pollDescriptors: [PollDescriptor] { pollSet.descriptors }

  /// The kernel's monotonic clock at power on, from which `status` counts.
  var origin = Duration.zero
  /// The kernel's monotonic clock.
  var clock: () -> Instant = monotonicNow

  private var handle: PCMHandle
  private let isKernelDevice: Bool
  public private(set) var cardClass: CardClass
  /// Whether it was seen to rewind while it ran: if it runs dry at a later try, too much was asked of it.
  private var hasTakenBack = false
  public let margin: Int
  private var position: SteppedPosition
  /// Frames written and not rewound since the device was last prepared.
  private var written = 0
  private let pollSet: PollSet
  private let statusMemory: UnsafeMutableRawPointer
  /// One buffer in the device's layout; empty when that is stereo S16.
  private let scratch: UnsafeMutableRawBufferPointer

  /// Opens the playback PCM `device` and configures it as near to `rate` (Hz) and `buffer` as it can. Does not wait for
  /// a busy device, only for its driver.
  ///
  /// - Parameter known: what the driver is not asked for. Otherwise silence is used to try whether it can be rewound.
  ///
  /// Throws `.open` (no such device, or another program has it) or `.configure`, naming what was asked and what the
  /// device offers.
  public static func open(
    _ device: String, rate: Int, buffer: Duration = .milliseconds(200), known: KnownCard = KnownCard()
  ) throws(PCMError) -> ALSAPlaybackPCM {
    try configure(PCMHandle.open(device), device: device, rate: rate, buffer: buffer, known: known)
  }

  /// Configures a PCM that is open; closes it when that fails.
  static func configure(
    _ handle: consuming PCMHandle, device: String, rate: Int, buffer: Duration, known: KnownCard = KnownCard()
  ) throws(PCMError) -> ALSAPlaybackPCM {
    guard let pcm = handle.pointer else { throw PCMError.closed(.configure, device) }
    var request = StreamRequest(device: device, rate: rate, buffer: buffer, isShallow: known.takesBack == false)
    var stream = try negotiate(pcm, request)
    let result = known.takesBack.map { $0 ? .takesBack : .refuses } ?? TakeBack.probe(pcm, stream)
    if result != .takesBack && !request.isShallow {
      request.isShallow = true
      try PCMError.check(snd_pcm_drop(pcm), .configure, device, asked: "drop")
      try PCMError.check(snd_pcm_hw_free(pcm), .configure, device, asked: "another period")
      stream = try negotiate(pcm, request)
    }
    // A driver that counts periods or transfers says so (SNDRV_PCM_INFO_BATCH). The plug-ins of sound servers say nothing,
    // and move whole periods out of the buffer, as do those that resample.
    let isExact = stream.isExact && result != .keepsPeriods
    let step = known.positionStep?.frames(rate: stream.format.rate) ?? (isExact ? 0 : stream.periodFrames)
    let interpolates = known.positionStep == nil && interpolatesDelay(pcm)
    return ALSAPlaybackPCM(
      adopting: handle, of: pcm, device: device, stream, result, step: step, interpolates: interpolates)
  }

  private static func negotiate(_ pcm: OpaquePointer, _ request: StreamRequest) throws(PCMError) -> NegotiatedStream {
    let stream = try HardwareParameters(of: pcm, for: request).negotiate()
    let frames = stream.format.bufferFrames
    // Short periods would wake us as soon as half is free; three quarters leave as much time as a period of a quarter
    // does after half.
    try setSoftwareParameters(of: pcm, device: request.device, bufferFrames: frames, wakeFrames: frames * 3 / 4)
    return stream
  }

  private init(
    adopting handle: consuming PCMHandle, of pcm: OpaquePointer, device: String, _ stream: NegotiatedStream,
    _ result: TakeBack, step: Int, interpolates: Bool
  ) {
    self.handle = handle
    self.device = device
    layout = stream.layout
    format = stream.format
    // The steps of a position that is interpolated only concern what may have been fetched for a rewind.
    let takesBack = result == .takesBack
    cardClass = CardClass(
      takesBack: takesBack, step: interpolates && !takesBack ? 0 : step, rate: stream.format.rate)
    position = SteppedPosition(step: interpolates ? 0 : cardClass.step)
    margin =
      switch result {
      case .takesBack: Self.margin(at: stream.format.rate)
      case .refuses: 0
      case .keepsPeriods: stream.periodFrames
      }
    isKernelDevice = snd_pcm_type(pcm) == SND_PCM_TYPE_HW
    pollSet = PollSet(of: pcm)
    let size = snd_pcm_status_sizeof()
    statusMemory = .allocate(byteCount: size, alignment: 16)
    statusMemory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    scratch = layout.scratch(frames: format.bufferFrames)
  }

  deinit {
    statusMemory.deallocate()
    scratch.deallocate()
  }

  public func close() { handle.close() }

  public func isReady(_ revents: UnsafeBufferPointer<CShort>) -> Bool {
    guard let pcm = handle.pointer else { return false }
    return pollSet.isReady(revents, of: pcm)
  }

  public func status() throws(PCMError) -> PCMStatus {
    let pcm = try handle.pointer(for: .status, of: device)
    let raw = OpaquePointer(statusMemory)
    let result = snd_pcm_status(pcm, raw)
    let now = clock()
    if let state = PCMStatus.State(failure: result) { return PCMStatus(state: state, queued: 0, at: now - origin) }
    try PCMError.check(result, .status, device, asked: "state and delay")

    let state = PCMStatus.State(snd_pcm_status_get_state(raw))
    let queued = queued(raw, in: state)
    let at = stamp(raw, readBefore: now)
    guard state == .running else { return PCMStatus(state: state, queued: queued, at: at - origin) }
    var status = position.status(at: written - queued, queued: queued, at, rate: format.rate)
    status.at = at - origin
    return status
  }

  /// When the delay was true: at the moment at which the driver was asked. The other time stamp is that of the position,
  /// and stands while the position does, also where the driver interpolates the delay in between.
  private func stamp(_ raw: OpaquePointer, readBefore now: Instant) -> Instant {
    var stamp = snd_htimestamp_t()
    snd_pcm_status_get_driver_htstamp(raw, &stamp)
    if stamp.tv_sec == 0 && stamp.tv_nsec == 0 { snd_pcm_status_get_htstamp(raw, &stamp) }
    return Instant(stamp: stamp, readBefore: now)
  }

  /// Writes at most one buffer per call. Returns 0 also when the device stopped, which the next `status()` reports.
  public func write(_ samples: UnsafePointer<Int16>, frames: Int) throws(PCMError) -> Int {
    let pcm = try handle.pointer(for: .write, of: device)
    // Plug-ins take nothing at all of more frames than there is room for, while less than the wake-up level is free.
    let room = snd_pcm_avail_update(pcm)
    let count = min(frames, room < 0 ? format.bufferFrames : min(room, format.bufferFrames))
    guard count > 0 else { return 0 }
    var source = UnsafeRawPointer(samples)
    if let memory = scratch.baseAddress, !layout.isOurs {
      layout.convert(samples, frames: count, into: memory)
      source = UnsafeRawPointer(memory)
    }
    let written = snd_pcm_writei(pcm, source, snd_pcm_uframes_t(count))
    if written >= 0 {
      self.written += written
      return written
    }
    switch CInt(written) {
    case -EAGAIN, -EINTR, -EPIPE, -ESTRPIPE, -EBADFD: return 0
    default: throw PCMError(.write, device, CInt(written), asked: "\(count) frames")
    }
  }

  /// Rewinds no more than is safe: while the device runs, a step of its position and the safeguard stay. The device may
  /// be a step further than it says or fetch that much at once, the position is old by the time that new frames replace
  /// those that were rewound, and DMA engines fetch ahead of it. Nor is a device's claim trusted: `null` offers a whole
  /// buffer of frames that nobody wrote.
  public func rewind(_ frames: Int, isUrgent: Bool) -> Int {
    guard frames > 0, takesBack, let pcm = handle.pointer, let status = try? self.status() else { return 0 }
    // The next call works on a position that libasound remembers. If the kernel's own cannot be mapped, as on ARM,
    // `status()` does not refresh it, and an old one would have all rewound, up to an underrun.
    guard snd_pcm_hwsync(pcm) >= 0 else { return 0 }
    let rewindable = snd_pcm_rewindable(pcm)
    var limit = rewindable
    switch status.state {
    case .prepared: break
    case .running: limit -= format.kept(isUrgent: isUrgent) + cardClass.step
    case .underrun, .suspended, .disconnected: return 0
    }
    let count = min(frames, limit, status.queued + status.lag)
    guard count > 0 else {
      // Handed over at once to a sound server, which has much more than a card has on its way.
      let isHandedOver = rewindable <= format.rate / 500 && status.queued > format.rate / 20
      if status.state == .running && isHandedOver { refuse() }
      return 0
    }
    let taken = snd_pcm_rewind(pcm, snd_pcm_uframes_t(count))
    guard taken >= 0 else {
      if !hasTakenBack { refuse() }
      return 0
    }
    written -= taken
    if status.state == .running && taken > 0 {
      guard hasTaken(taken, of: status, pcm) else {
        refuse()
        written += max(0, snd_pcm_forward(pcm, snd_pcm_uframes_t(taken)))
        return 0
      }
      hasTakenBack = true
    }
    return taken
  }

  /// Called when rewinding proves impossible: from now on none is tried.
  private func refuse() { cardClass = .noRewind(step: cardClass.step) }

  /// Whether the frames were really rewound. Plug-ins of sound servers hand over at once what is written and still
  /// report it as rewound, also through other plug-ins; but their delay, which the server reports, stays the same.
  private func hasTaken(_ taken: Int, of before: PCMStatus, _ pcm: OpaquePointer) -> Bool {
    guard !isKernelDevice, let after = try? status() else { return true }
    guard after.state == .running else { return hasTakenBack || after.state != .underrun }
    return before.queued + before.lag - after.queued - after.lag > taken / 2
  }

  public func start() throws(PCMError) {
    position.begin(at: clock())
    try PCMError.check(snd_pcm_start(try handle.pointer(for: .start, of: device)), .start, device, asked: "start")
  }

  public func stop() throws(PCMError) {
    try PCMError.check(snd_pcm_drop(try handle.pointer(for: .stop, of: device)), .stop, device, asked: "drop")
  }

  public func recover() throws(PCMError) {
    let pcm = try handle.pointer(for: .recover, of: device)
    // Resuming wakes some drivers' hardware, where preparing alone does not. It may fail because
    // the driver cannot (ENOSYS) or not yet (EAGAIN). The device has to be empty in any case, so preparing follows.
    if snd_pcm_state(pcm) == SND_PCM_STATE_SUSPENDED, snd_pcm_resume(pcm) >= 0 {
      try PCMError.check(snd_pcm_drop(pcm), .recover, device, asked: "drop")
    }
    try PCMError.check(snd_pcm_prepare(pcm), .recover, device, asked: "prepare")
    written = 0
  }

  private func queued(_ raw: OpaquePointer, in state: PCMStatus.State) -> Int {
    switch state {
    case .running: max(0, snd_pcm_status_get_delay(raw))
    // The kernel has a delay for a running device only. For one that stopped by itself, the free space shows how far it
    // came.
    case .prepared, .underrun, .suspended, .disconnected:
      max(0, format.bufferFrames - Int(snd_pcm_status_get_avail(raw)))
    }
  }
}
