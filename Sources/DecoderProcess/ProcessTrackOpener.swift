import Board
import Glibc
import TrackDecoding

/// Opens tracks that another process decodes. That process has nothing of this one but the files that it is handed, so that
/// a file that breaks its decoder ends only that process, and a new one takes its place.
///
/// The process is started when the first track is read, unless `startAhead` was called. It does one piece of work at a
/// time, for whichever track is next. A piece that takes too long ends it. The track that it worked on is tried once more,
/// at the same frame, unless it was the processor's time that it took; all others go on in the next process. One
/// thread at a time may use it.
public final class ProcessTrackOpener: TrackOpener, @unchecked Sendable {
  private let start: (SharedFrames, DecoderLibraries) throws(WorkerFailure) -> WorkerProcess
  private let gain: ReplayGain
  /// The time since any instant that stays the same.
  let now: () -> Duration
  let limits: DecoderLimits
  let onFault: @Sendable (DecoderFault) -> Void
  let onEnd: @Sendable (String) -> Void
  let frames: SharedFrames?
  var files: FileQueue
  var worker: WorkerProcess?
  /// What the next process loads before it may no longer open files.
  var libraries: DecoderLibraries = []
  /// Counts the processes.
  private var generation = 0
  /// Processes that were ended at these times, while they worked on these files, and are not gone yet.
  var ending: [(worker: WorkerProcess, since: Duration, path: String)] = []
  private static let timeToDie = Duration.seconds(1)
  var pending: PendingRequest?
  /// Tracks that want frames, in order.
  var waiting: [ProcessTrack] = []
  /// The track that the process has worked on last.
  var last: ProcessTrack?
  /// Files on which it has waited in vain.
  var stalls = StalledFiles()
  private var freeSlots = Set(0..<SharedFrames.slots)
  private var requests: UInt64 = 0

  /// - Parameters:
  ///   - program: what to start, with `DecodeWorker.command` as its argument; nil: this program.
  ///   - replayGain: which of a file's gains its samples are multiplied with.
  ///   - openFile: opens a file, on a thread of its own.
  ///   - onFault: called when a decoder died or was ended while it worked on a file, on the thread that uses the opener.
  ///   - onEnd: called with the path of a file that was decoded to its end, on the same thread.
  public init(
    program: String? = nil, replayGain: ReplayGain = .off,
    limits: DecoderLimits = DecoderLimits(),
    openFile: @escaping @Sendable (String) throws(TrackError) -> OpenFile = { path throws(TrackError) in
      try OpenFile(path: path)
    },
    onFault: @escaping @Sendable (DecoderFault) -> Void = { _ in },
    onEnd: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    start = { frames, libraries throws(WorkerFailure) in
      try WorkerProcess.start(program ?? WorkerProcess.ownProgram, frames, loading: libraries)
    }
    gain = replayGain
    now = Deadline.clock
    self.limits = limits
    (self.onFault, self.onEnd) = (onFault, onEnd)
    frames = SharedFrames()
    files = FileQueue(limit: limits.storage) { path in
      do throws(TrackError) { return .success(try openFile(path)) } catch { return .failure(error) }
    }
  }

  /// Without processes, so that a test can send any answers, at any time: it has the other end of each socket that `connect`
  /// returns.
  package init(
    limits: DecoderLimits = DecoderLimits(), now: (() -> Duration)? = nil,
    connect: @escaping () -> CInt,
    openFile: @escaping @Sendable (String) -> Result<OpenFile, TrackError>,
    onFault: @escaping @Sendable (DecoderFault) -> Void = { _ in }
  ) {
    start = { _, _ in WorkerProcess(nil, socket: connect()) }
    gain = .off
    self.now = now ?? Deadline.clock
    self.limits = limits
    (self.onFault, onEnd) = (onFault, { _ in })
    frames = SharedFrames()
    files = FileQueue(limit: limits.storage, openFile: openFile)
  }

  /// A process without work ends by itself when its socket closes.
  deinit { if pending != nil { worker?.end() } }

  /// Starts the process ahead of the first read, for a file like the one at `path`. If it cannot be started, that read
  /// fails with the reason.
  public func startAhead(for path: String) { _ = try? startedWorker(for: [path]) }

  /// Throws only for a lack of memory. A file that cannot be opened fails at the first read.
  public func open(path: String, rate: Int) throws(TrackError) -> any TrackSource {
    try makeTrack(path, rate: rate)
  }

  /// - Parameter inspection: nil: to be played.
  func makeTrack(
    _ path: String, rate: Int, inspection: DecoderRequest.Work? = nil
  ) throws(TrackError) -> ProcessTrack {
    guard let frames, let slot = freeSlots.popFirst() else {
      throw TrackError(operation: .open, path: path, reason: "no memory for another track")
    }
    let track = ProcessTrack(self, path: path, rate: rate, frames.slot(slot), slot: slot, inspection: inspection)
    if let reason = stalls.objection(to: path, at: now()) { track.fail(reason) } else { files.open(track, at: now()) }
    return track
  }

  // MARK: - Waiting

  public var pollDescriptors: [PollDescriptor] {
    // While somebody waits for the process, a file that is open has to wait for it, too.
    let isBusy = pending.map { $0.unwantedSince == nil } ?? false
    return [worker?.socket, isBusy ? nil : files.fileDescriptor].compactMap { descriptor in
      descriptor.map { PollDescriptor(fileDescriptor: $0, events: CShort(POLLIN)) }
    }
  }

  public var patience: Duration? {
    [files.patience(at: now()), pending.map { max(.zero, timeLeft($0)) }].compactMap { $0 }.min()
  }

  private func timeLeft(_ pending: PendingRequest) -> Duration {
    let left = pending.watch.left({ worker?.processorTime }, at: now())
    guard let since = pending.unwantedSince, !waiting.isEmpty else { return left }
    return min(left, since + limits.grace - now())
  }

  public func service() {
    ending.removeAll { $0.worker.hasEnded }
    for path in files.service(at: now()) { stalls.stalled(path, at: now()) }
    receive()
    if let pending, timeLeft(pending) <= .zero { giveUp(pending) }
    sendNext()
  }

  // MARK: - For its tracks

  /// Puts the track at the end of those that want frames.
  func want(_ track: ProcessTrack) { want([track]) }

  /// Puts several tracks there; their requests are sent together as far as they can be.
  func want(_ tracks: [ProcessTrack]) {
    for track in tracks where needsRequest(track) { waiting.append(track) }
    sendNext()
  }

  private func needsRequest(_ track: ProcessTrack) -> Bool {
    guard track.file != nil, !track.isDone else { return false }
    if let pending {
      if pending.track === track && pending.unwantedSince == nil { return false }
      if pending.others.contains(where: { $0.track === track }) { return false }
    }
    return !waiting.contains { $0 === track }
  }

  /// The track no longer wants what it has asked for.
  func forget(_ track: ProcessTrack) {
    waiting.removeAll { $0 === track }
    if pending?.track === track && pending?.unwantedSince == nil { pending?.unwantedSince = now() }
  }

  func release(_ track: ProcessTrack) {
    forget(track)
    freeSlots.insert(track.slot)
    // A process that does not take it is about to be ended anyway; and the next track of this slot replaces the one there.
    if isOpen(track), track.inspection == nil { _ = worker?.send(DecoderRequest(.close, number: 0, slot: track.slot)) }
  }

  private func isOpen(_ track: ProcessTrack) -> Bool { worker != nil && track.openIn == generation }

  // MARK: - Requests and answers

  private func sendNext() {
    while pending == nil, !waiting.isEmpty {
      let tracks = withoutRefused(takeNext())
      if tracks.isEmpty { continue }
      do throws(WorkerFailure) {
        let worker = try startedWorker(for: tracks.map(\.path))
        send(tracks, to: worker)
      } catch {
        // Not the fault of a file: the program cannot be read, or there is no memory for a process.
        for track in tracks { track.fail(error.reason, isStorage: true) }
      }
    }
  }

  /// Storage that hangs holds each process that was killed until it answers, and the number of the service's processes is
  /// limited: a track of such storage that is not open yet fails at once.
  private func withoutRefused(_ tracks: [ProcessTrack]) -> [ProcessTrack] {
    ending.removeAll { $0.worker.hasEnded }
    let held = ending.filter { $0.since + Self.timeToDie <= now() }.map(\.path)
    return tracks.filter { track in
      let isRefused = !isOpen(track) && HeldStorage.isRefused(track.path, held)
      if isRefused { track.fail("the storage holds \(held.count) decoders that were killed", isStorage: true) }
      return !isRefused
    }
  }

  /// What is sent next: a track, or files to inspect, as far as none of them has ended a process.
  private func takeNext() -> [ProcessTrack] {
    let together = waiting.prefix { $0.inspection != nil && !$0.isAlone }.prefix(SharedFrames.answers)
    let tracks = together.isEmpty ? [waiting[0]] : Array(together)
    waiting.removeFirst(tracks.count)
    return tracks
  }

  private func startedWorker(for paths: [String]) throws(WorkerFailure) -> WorkerProcess {
    if let worker { return worker }
    guard let frames else { throw WorkerFailure("no memory for a decoder") }
    for path in paths { libraries.formUnion(.likely(at: path)) }
    let started = try start(frames, libraries)
    worker = started
    generation += 1
    return started
  }

  private func send(_ tracks: [ProcessTrack], to worker: WorkerProcess) {
    let asked = tracks.enumerated().map { place, track in
      requests += 1
      var request = track.request(number: requests, isOpen: isOpen(track), gain: gain)
      request.place = Int64(place)
      request.holdsAnswer = place < tracks.count - 1 ? 1 : 0
      return (track: track, number: requests, request: request)
    }
    guard let last = asked.last else { return }
    let size = tracks.reduce(0) { $0 + ($1.file?.size ?? 0) }
    let isAgain = tracks.contains { $0.hasStalled || stalls.isSuspect($0.path) }
    pending = PendingRequest(
      track: last.track, number: last.number, frames: last.request.frames,
      others: asked.dropLast().map { ($0.track, $0.number) },
      watch: Deadline(
        limits.allowance(for: last.request.work, size: size, isAgain: isAgain), worker.processorTime,
        at: now()))
    self.last = last.track
    for (track, _, request) in asked {
      let brings = request.work == .open || track.inspection != nil
      track.openIn = generation
      guard worker.send(request, file: brings ? track.file?.descriptor ?? -1 : -1) else { return lose(worker) }
    }
  }
}
