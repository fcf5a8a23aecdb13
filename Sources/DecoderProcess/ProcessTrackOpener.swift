import Board
import Glibc
import TrackDecoding

/// Opens tracks that a process of its own decodes, which has nothing of this one but the files that it is handed: what a
/// file does to its decoder ends that process, and another takes its place.
///
/// The process is started when the first track is read, unless `startAhead` was called. It does one piece of work at a
/// time, for whichever track is next. A piece that takes too long ends it. The track that it worked on is tried once more,
/// at the same frame, unless it was the processor's time that it took; all others go on in the next process. One thread at
/// a time.
public final class ProcessTrackOpener: TrackOpener, @unchecked Sendable {
  private let program: String
  private let gain: ReplayGain
  private let limits: DecoderLimits
  private let onFault: @Sendable (DecoderFault) -> Void
  private let frames: SharedFrames?
  var files: FileQueue
  private(set) var worker: WorkerProcess?
  /// What the next process loads before it may open no file any more.
  private(set) var libraries: DecoderLibraries = []
  /// Counts the processes.
  private var generation = 0
  /// Processes that were ended and are not gone yet.
  private var ending: [WorkerProcess] = []
  private var pending: PendingRequest?
  /// Tracks that want frames, in order.
  private var waiting: [ProcessTrack] = []
  /// The track that was answered for last, for as long as it is open.
  private weak var answered: ProcessTrack?
  private var freeSlots = Set(0..<SharedFrames.slots)
  private var requests: UInt64 = 0

  /// - Parameters:
  ///   - program: what to start, with `DecodeWorker.command` as its argument.
  ///   - replayGain: which of a file's gains its samples are multiplied with.
  ///   - openFile: opens a file, on a thread of its own.
  ///   - onFault: called when a decoder died or was ended while it worked on a file, on the thread that uses the opener.
  public init(
    program: String = ProcessTrackOpener.ownProgram, replayGain: ReplayGain = .off,
    limits: DecoderLimits = DecoderLimits(),
    openFile: @escaping @Sendable (String) throws(TrackError) -> OpenFile = { path throws(TrackError) in
      try OpenFile(path: path)
    },
    onFault: @escaping @Sendable (DecoderFault) -> Void = { _ in }
  ) {
    self.program = program
    gain = replayGain
    self.limits = limits
    self.onFault = onFault
    frames = SharedFrames()
    files = FileQueue(limit: limits.storage) { path in
      do throws(TrackError) { return .success(try openFile(path)) } catch { return .failure(error) }
    }
  }

  /// A process without work ends by itself when its socket closes.
  deinit { if pending != nil { worker?.end() } }

  /// Starts the process before the first track is read, as one like the file at `path` soon will be. What refuses it shows
  /// at that read.
  public func startAhead(for path: String) { _ = try? startedWorker(for: [path]) }

  /// That the file cannot be opened shows at the first read; only a lack of memory shows at once.
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
    files.open(track)
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
    [files.patience, pending.map { max(.zero, timeLeft($0)) }].compactMap { $0 }.min()
  }

  private func timeLeft(_ pending: PendingRequest) -> Duration {
    let left = pending.watch.left { worker?.processorTime }
    guard let since = pending.unwantedSince, !waiting.isEmpty else { return left }
    return min(left, since + limits.grace - Deadline.now)
  }

  public func service() {
    ending.removeAll { $0.hasEnded }
    files.service()
    receive()
    if let pending, timeLeft(pending) <= .zero { giveUp(pending) }
    sendNext()
  }

  // MARK: - For its tracks

  /// Puts the track at the end of those that want frames.
  func want(_ track: ProcessTrack) { want([track]) }

  /// The same for several, which are sent together as far as they can be.
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
    if pending?.track === track && pending?.unwantedSince == nil { pending?.unwantedSince = Deadline.now }
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
      let tracks = takeNext()
      do throws(WorkerFailure) {
        let worker = try startedWorker(for: tracks.map(\.path))
        send(tracks, to: worker)
      } catch {
        for track in tracks { track.fail(error.reason) }
      }
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
    let started = try WorkerProcess.start(program, frames, loading: libraries)
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
    pending = PendingRequest(
      track: last.track, number: last.number, others: asked.dropLast().map { ($0.track, $0.number) },
      watch: Deadline(limits.allowance(for: last.request.work, size: size), worker.processorTime))
    for (track, _, request) in asked {
      let brings = request.work == .open || track.inspection != nil
      track.openIn = generation
      guard worker.send(request, file: brings ? track.file?.descriptor ?? -1 : -1) else { return lose(worker) }
    }
  }

  private func receive() {
    while let worker {
      switch worker.receive() {
      case .none: return
      case .closed: lose(worker)
      case .answer(let answer):
        guard pending != nil else { return loseToUnasked() }
        take(answer)
        // What it sends beyond, and that it has closed its end, shows in the next wait.
        if pending == nil { return }
      }
    }
  }

  private func take(_ answer: DecoderAnswer) {
    guard var former = pending else { return }
    if answer.failed == 3, answer.number == former.others.first?.number ?? former.number {
      return startAnew(former, loading: DecoderLibraries(rawValue: answer.libraries))
    }
    let place = former.taken
    guard let next = former.others.first else {
      guard answer.number == former.number else { return loseToNonsense() }
      pending = nil
      answered = former.track
      guard former.unwantedSince == nil, !accept(answer, for: former.track, place) else { return }
      pending = former
      return loseToNonsense()
    }
    // They come in the order of the requests.
    guard answer.number == next.number else { return loseToNonsense() }
    guard accept(answer, for: next.track, place) else { return loseToNonsense() }
    former.others.removeFirst()
    former.taken += 1
    pending = former
  }

  /// Gives the track its answer. Returns false if that makes no sense.
  private func accept(_ answer: DecoderAnswer, for track: ProcessTrack, _ place: Int) -> Bool {
    let texts = 3 * place
    guard answer.failed == 0 else {
      let reason = frames?.text(at: texts, count: answer.texts.0) ?? "damaged"
      track.fail(reason, isStorage: answer.failed == 2)
      return true
    }
    guard answer.isPlausible, let frames else { return false }
    track.take(frames: Int(answer.frames), answer.rate > 0 ? frames.info(answer, texts: texts) : nil)
    return true
  }

  /// Has another process do what this one lacks libraries for.
  private func startAnew(_ former: PendingRequest, loading missed: DecoderLibraries) {
    let missed = missed.intersection(.all).subtracting(libraries)
    guard !missed.isEmpty else { return loseToNonsense() }
    libraries.formUnion(missed)
    end()
    let last = former.unwantedSince == nil ? [former.track] : []
    waiting.insert(contentsOf: former.others.map(\.track) + last, at: 0)
  }

  private func loseToNonsense() {
    lose("the decoder sent an answer that makes no sense", isOfFile: true, isCertain: false)
  }

  /// Nobody has asked it for anything: it has been taken over, and would keep this process busy for ever.
  private func loseToUnasked() {
    end()
    guard let answered else { return }
    let reason = "the decoder sent an answer that nobody had asked for"
    onFault(DecoderFault(path: answered.path, reason: reason, isOfFile: true))
  }

  // MARK: - Processes that end

  private func giveUp(_ pending: PendingRequest) {
    guard let excess = pending.watch.excess(worker?.processorTime) else {
      // Something else waits, and nobody waits for this. The file is not to blame: it had no time.
      return end()
    }
    lose(excess.reason, isOfFile: excess.isWork, isCertain: excess.isWork)
  }

  /// The process has ended by itself, or somebody has ended it.
  private func lose(_ worker: WorkerProcess) {
    let end = worker.endReason()
    lose(end.text, isOfFile: end.isOfFile, isCertain: false)
  }

  /// The process has ended or must end. The track that it worked on is tried once more, unless that is certain to fail.
  private func lose(_ reason: String, isOfFile: Bool, isCertain: Bool) {
    let former = pending
    end()
    guard let former else { return }
    if !former.others.isEmpty {
      // Which of them it was shows when each is tried by itself.
      let tracks = former.others.map(\.track) + [former.track]
      for track in tracks { track.isAlone = true }
      return waiting.insert(contentsOf: tracks, at: 0)
    }
    former.track.isAlone = true
    onFault(DecoderFault(path: former.track.path, reason: reason, isOfFile: isOfFile))
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
