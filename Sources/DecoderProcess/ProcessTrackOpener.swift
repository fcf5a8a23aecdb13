import Board
import Glibc
import TrackDecoding

/// Opens tracks that a process of its own decodes, which has nothing of this one but the files that it is handed: what a
/// file does to its decoder ends that process, and another takes its place.
///
/// The process is started when the first track is read. It does one piece of work at a time, for whichever track is
/// next. A piece that takes too long ends it. The track that it worked on is tried once more, at the same frame, unless
/// it was the processor's time that it took; all others go on in the next process. One thread at a time.
public final class ProcessTrackOpener: TrackOpener, @unchecked Sendable {
  /// The request that the process works on.
  private struct Pending {
    var track: ProcessTrack
    var number: UInt64
    var watch: Deadline
    /// Since when nobody waits for the answer.
    var unwantedSince: Duration?
  }

  private let program: String
  private let gain: ReplayGain
  private let limits: DecoderLimits
  private let onFault: @Sendable (DecoderFault) -> Void
  private let frames: SharedFrames?
  private(set) var worker: WorkerProcess?
  /// Counts the processes.
  private var generation = 0
  /// Processes that were ended and are not gone yet.
  private var ending: [WorkerProcess] = []
  private var pending: Pending?
  /// Tracks that want frames, in order.
  private var waiting: [ProcessTrack] = []
  private var freeSlots = Set(0..<SharedFrames.slots)
  private var requests: UInt64 = 0

  /// - Parameters:
  ///   - program: what to start, with `DecodeWorker.command` as its argument. Without one: this program itself, also
  ///     when its file has been replaced meanwhile.
  ///   - replayGain: which of a file's gains its samples are multiplied with.
  ///   - onFault: called when a decoder died or was ended while it worked on a file, on the thread that uses the opener.
  public init(
    program: String = "/proc/self/exe", replayGain: ReplayGain = .off, limits: DecoderLimits = DecoderLimits(),
    onFault: @escaping @Sendable (DecoderFault) -> Void = { _ in }
  ) {
    self.program = program
    gain = replayGain
    self.limits = limits
    self.onFault = onFault
    frames = SharedFrames()
  }

  deinit { worker?.end() }

  /// Opens the file and refuses what `FileTrackOpener` refuses without looking into it; the rest shows at the first read.
  public func open(path: String, rate: Int) throws(TrackError) -> any TrackSource {
    try makeTrack(path, rate: rate, isInspected: false)
  }

  /// Tags and exact length, as `FileTrackOpener.inspect`. Waits for the process.
  public func inspect(path: String) throws(TrackError) -> TrackInfo {
    let track = try makeTrack(path, rate: 1, isInspected: true)
    defer { track.close() }
    while !track.isReady() {
      wait()
      service()
    }
    return try track.result()
  }

  private func makeTrack(_ path: String, rate: Int, isInspected: Bool) throws(TrackError) -> ProcessTrack {
    let file = try OpenFile(path: path)
    guard let frames, let slot = freeSlots.popFirst() else {
      throw TrackError(operation: .open, path: path, reason: "no memory for another track")
    }
    return ProcessTrack(self, file, path: path, rate: rate, frames.slot(slot), slot: slot, isInspected: isInspected)
  }

  // MARK: - Waiting

  public var pollDescriptors: [PollDescriptor] {
    worker.map { [PollDescriptor(fileDescriptor: $0.socket, events: CShort(POLLIN))] } ?? []
  }

  public var patience: Duration? {
    guard let pending else { return nil }
    return max(.zero, timeLeft(pending))
  }

  private func timeLeft(_ pending: Pending) -> Duration {
    let left = pending.watch.left(worker?.processorTime)
    guard let since = pending.unwantedSince, !waiting.isEmpty else { return left }
    return min(left, since + limits.grace - Deadline.now)
  }

  private func wait() {
    guard let worker else { return }
    var polled = pollfd(fd: worker.socket, events: CShort(POLLIN), revents: 0)
    let left = (patience ?? .zero).components
    poll(&polled, 1, CInt(clamping: left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1))
  }

  public func service() {
    ending.removeAll { $0.hasEnded }
    receive()
    if let pending, timeLeft(pending) <= .zero { giveUp(pending) }
    sendNext()
  }

  // MARK: - For its tracks

  /// Puts the track at the end of those that want frames.
  func want(_ track: ProcessTrack) {
    guard pending?.track !== track || pending?.unwantedSince != nil, !waiting.contains(where: { $0 === track }) else {
      return
    }
    waiting.append(track)
    sendNext()
  }

  /// The track no longer wants what it has asked for.
  func forget(_ track: ProcessTrack) {
    waiting.removeAll { $0 === track }
    if pending?.track === track && pending?.unwantedSince == nil { pending?.unwantedSince = Deadline.now }
  }

  func release(_ track: ProcessTrack) {
    forget(track)
    freeSlots.insert(track.slot)
    // A process that does not take it is about to be ended anyway; and the next track of this slot replaces the one there.
    if isOpen(track) { _ = worker?.send(DecoderRequest(.close, number: 0, slot: track.slot)) }
  }

  private func isOpen(_ track: ProcessTrack) -> Bool { worker != nil && track.openIn == generation }

  // MARK: - Requests and answers

  private func sendNext() {
    while pending == nil, !waiting.isEmpty {
      let track = waiting.removeFirst()
      do throws(WorkerFailure) {
        let worker = try startedWorker()
        send(track, to: worker)
      } catch {
        track.fail(error.reason)
      }
    }
  }

  private func startedWorker() throws(WorkerFailure) -> WorkerProcess {
    if let worker { return worker }
    guard let frames else { throw WorkerFailure("no memory for a decoder") }
    let started = try WorkerProcess.start(program, frames)
    worker = started
    generation += 1
    return started
  }

  private func send(_ track: ProcessTrack, to worker: WorkerProcess) {
    requests += 1
    let request = track.request(number: requests, isOpen: isOpen(track), gain: gain)
    let brings = request.work == .open || request.work == .inspect
    pending = Pending(
      track: track, number: requests,
      watch: Deadline(limits.allowance(for: request.work, size: track.file.size), worker.processorTime))
    track.openIn = generation
    if !worker.send(request, file: brings ? track.file.descriptor : -1) { lose(worker.endReason(), isCertain: false) }
  }

  private func receive() {
    while let worker {
      switch worker.receive() {
      case .none: return
      case .closed: lose(worker.endReason(), isCertain: false)
      case .answer(let answer): take(answer)
      }
    }
  }

  private func take(_ answer: DecoderAnswer) {
    guard let former = pending, answer.number == former.number else { return }
    pending = nil
    guard former.unwantedSince == nil else { return }
    guard answer.failed == 0 else {
      return former.track.fail(frames?.text(at: 0, count: answer.texts.0) ?? "damaged")
    }
    let isValid =
      (0...Int64(SharedFrames.frames)).contains(answer.frames) && (0...1_000_000).contains(answer.rate)
      && (0...1_000).contains(answer.channels) && (-1...Int64(1) << 48).contains(answer.length)
    guard isValid, let frames else {
      pending = former
      return lose("the decoder sent an answer that makes no sense", isCertain: false)
    }
    former.track.take(frames: Int(answer.frames), answer.rate > 0 ? frames.info(answer) : nil)
  }

  // MARK: - Processes that end

  private func giveUp(_ pending: Pending) {
    if let since = pending.unwantedSince, !waiting.isEmpty, Deadline.now >= since + limits.grace,
      pending.watch.excess(worker?.processorTime) == nil
    {
      // The file is not to blame: it had no time.
      return end()
    }
    let excess = pending.watch.excess(worker?.processorTime)
    lose(excess?.reason ?? "the decoder was too slow", isCertain: excess?.isWork ?? false)
  }

  /// The process has ended or must end. The track that it worked on is tried once more, unless that is certain to fail.
  private func lose(_ reason: String, isCertain: Bool) {
    let former = pending
    end()
    guard let former else { return }
    onFault(DecoderFault(path: former.track.path, reason: reason))
    guard former.unwantedSince == nil else { return }
    former.track.failures += 1
    if isCertain || former.track.failures > 1 { former.track.fail(reason) } else { waiting.insert(former.track, at: 0) }
  }

  private func end() {
    pending = nil
    guard let worker else { return }
    worker.end()
    if !worker.hasEnded { ending.append(worker) }
    self.worker = nil
  }
}
