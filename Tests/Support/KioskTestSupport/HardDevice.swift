import AudioSession
import Board
import Glibc

/// A playback device with every fault that a real one may have.
final class HardDevice: PCM {
  struct Quirks {
    var rate: Int?
    var buffer: Duration?
    /// Frames taken at most in one call.
    var maxTaken = Int.max
    /// Takes no frames until then.
    var refusesUntil = Instant.powerOn
    /// How many thousandths of what could be rewound it rewinds.
    var rewinds = 1_000
    /// Takes nothing back: known when it is opened, or shown by an underrun at the first try.
    var takesBack = true
    var refuses = false
    /// The device's `margin`, frames.
    var margin = 0
    /// Frames that are past the buffer and not heard yet.
    var latency = 0
    /// It runs dry when this many frames are left by its position, as one that fetches ahead of it.
    var fetchesAhead = 0
    /// Frames by which its position moves at once.
    var positionStep = 1
    /// Frames that it passes on at once, with the time of the last as its stamp, as a loop-back card does by the kernel's
    /// tick. A stop loses those that it has not.
    var passesOn = 1
    /// How old its time stamps are.
    var stampAge = Duration.zero
    /// How much faster than the clock it plays, in millionths.
    var drift = 0
    /// Reports everything as played at once, as ALSA's `null` does.
    var isUnpaced = false
    /// Has a descriptor to poll.
    var polls = false
    /// No longer reports what is queued once it has stopped.
    var forgets = false
    /// Stops the moment it is started.
    var diesAtOnce = false
    /// `running` forever, without moving.
    var isStuck = false
    /// From then on it plays nothing, as a radio link that is silent, and reports that it does.
    var silentFrom: Instant?
  }

  let format: PCMFormat
  let port: Port
  var quirks: Quirks
  /// The operation that fails next, and at which call from now on (1 is the next).
  var failing: (operation: PCMError.Operation, call: Int)?
  private(set) var isClosed = false
  /// Frames that were offered and not taken.
  private(set) var refused = 0

  private let clock: any BoardClock
  private let tap: FrameRecorder
  /// Left and right of every frame in one word; bare memory, because tests run unoptimised.
  private let samples: UnsafeMutablePointer<UInt32>
  private let capacity: Int
  private var state = PCMStatus.State.prepared
  private var written = 0
  private var heard = 0
  private var startedAt = Instant.powerOn
  private var stepped = SteppedPosition(step: 0)

  init(_ quirks: Quirks, port: Port, rate: Int, buffer: Duration, clock: any BoardClock, tap: FrameRecorder) {
    self.port = port
    self.quirks = quirks
    self.clock = clock
    self.tap = tap
    format = PCMFormat(
      rate: quirks.rate ?? rate, bufferFrames: (quirks.buffer ?? buffer).frames(rate: quirks.rate ?? rate))
    capacity = format.bufferFrames + quirks.latency
    samples = .allocate(capacity: capacity)
    samples.initialize(repeating: 0, count: capacity)
  }

  deinit { samples.deallocate() }

  var pollDescriptors: [PollDescriptor] { quirks.polls ? [PollDescriptor(fileDescriptor: -1, events: 4)] : [] }

  /// Whether `poll(2)` would return.
  var isPollable: Bool {
    advance(to: clock.now)
    return state != .running || (written - fetched) * 2 <= format.bufferFrames
  }

  var margin: Int { quirks.margin }
  var cardClass: CardClass { CardClass(takesBack: quirks.takesBack, step: quirks.positionStep, rate: format.rate) }

  /// Frames that have left the buffer.
  private var fetched: Int { state == .running ? min(written, heard + quirks.latency) : heard }

  private func check(_ operation: PCMError.Operation) throws(PCMError) {
    guard let failing, failing.operation == operation else { return }
    self.failing = failing.call > 1 ? (operation, failing.call - 1) : nil
    if failing.call <= 1 { throw PCMError(operation: operation, device: "hard", code: EIO, message: "made to fail") }
  }

  func status() throws(PCMError) -> PCMStatus {
    try check(.status)
    let now = clock.now
    advance(to: now)
    guard state == .running else {
      return PCMStatus(state: state, queued: quirks.forgets || quirks.isUnpaced ? 0 : written - heard, at: now)
    }
    let sincePassed = (now.frame(rate: format.rate) - startedAt.frame(rate: format.rate)) % quirks.passesOn
    let at = max(startedAt, now - quirks.stampAge - .covering(frames: sincePassed, rate: format.rate))
    let position = quirks.isStuck ? heard : min(due(at: at), written - quirks.latency * (isSilent(at: now) ? 1 : 0))
    // What has left the buffer moves in steps, from the start on.
    let queued = written - (position - (position + quirks.latency) % quirks.positionStep)
    guard !quirks.isUnpaced else { return PCMStatus(state: state, queued: 0, at: at) }
    return stepped.status(at: written - queued, queued: queued, at, rate: format.rate)
  }

  func write(_ input: UnsafePointer<Int16>, frames: Int) throws(PCMError) -> Int {
    try check(.write)
    advance(to: clock.now)
    guard state == .prepared || state == .running, clock.now >= quirks.refusesUntil else { return 0 }
    let room = format.bufferFrames - (written - fetched)
    let taken = quirks.isUnpaced ? frames : max(0, min(frames, min(room, quirks.maxTaken)))
    if quirks.isUnpaced {
      tap.record(input, frames: taken, at: clock.now.frame(rate: format.rate))
    } else {
      let input32 = UnsafeRawPointer(input).assumingMemoryBound(to: UInt32.self)
      let offset = written % capacity
      let first = min(taken, capacity - offset)
      (samples + offset).update(from: input32, count: first)
      samples.update(from: input32 + first, count: taken - first)
    }
    written += taken
    refused += frames - taken
    return taken
  }

  func rewind(_ frames: Int, isUrgent: Bool) -> Int {
    advance(to: clock.now)
    let most = min(frames, written - fetched)
    if quirks.refuses && quirks.takesBack {
      quirks.takesBack = false
      state = .underrun
      return 0
    }
    guard !quirks.isUnpaced, state == .running || state == .prepared, most > 0 else { return 0 }
    let taken = most * quirks.rewinds / 1_000
    written -= taken
    return taken
  }

  func start() throws(PCMError) {
    try check(.start)
    guard state == .prepared else { return }
    state = quirks.diesAtOnce ? .underrun : .running
    startedAt = clock.now
    stepped = SteppedPosition(step: cardClass.step)
    stepped.begin(at: startedAt)
  }

  func stop() throws(PCMError) {
    try check(.stop)
    advance(to: clock.now)
    prepare()
    if state == .prepared { state = .underrun }
  }

  func recover() throws(PCMError) {
    try check(.recover)
    prepare()
  }

  func close() {
    advance(to: clock.now)
    isClosed = true
    prepare()
  }

  /// Records what is due by now.
  func catchUp() { advance(to: clock.now) }

  func stop(as mishap: PCMStatus.State) {
    advance(to: clock.now)
    state = mishap
  }

  private func prepare() {
    written = 0
    heard = 0
    if state != .disconnected { state = .prepared }
  }

  /// Frames that have left the speaker by `now`, if there were that many; negative while the first is on its way.
  private func due(at now: Instant) -> Int {
    let time = now.frame(rate: format.rate) - startedAt.frame(rate: format.rate)
    let passed = time - max(0, time) % quirks.passesOn
    return passed + passed * quirks.drift / 1_000_000 - quirks.latency
  }

  private func isSilent(at now: Instant) -> Bool { quirks.silentFrom.map { now > $0 } ?? false }

  /// The clock's frame at which the `index`th frame written is heard.
  private func moment(of index: Int) -> Int {
    let time = index + quirks.latency
    return startedAt.frame(rate: format.rate) + time - time * quirks.drift / 1_000_000
  }

  /// Plays the frames that are due by `now`.
  private func advance(to now: Instant) {
    guard state == .running, !quirks.isUnpaced, !quirks.isStuck, !isClosed else { return }
    let due = due(at: min(now, quirks.silentFrom ?? now))
    // It stops when its buffer is empty: what is on its way then is not heard.
    let end = min(due, written - quirks.latency)
    while heard < end {
      let offset = heard % capacity
      let frames = min(end - heard, capacity - offset)
      let frameData = UnsafeRawPointer(samples + offset).assumingMemoryBound(to: Int16.self)
      tap.record(frameData, frames: frames, at: moment(of: heard))
      heard += frames
    }
    if due + quirks.latency + quirks.fetchesAhead > written { state = .underrun }
  }
}
