import AudioSession
import Board
import Jukebox
import RealtimeAudio
import Threads

/// What the player asks of a decoder.
enum DecoderCommand: Sendable {
  /// The tracks that later commands name by their ids. What is open stays so.
  case library(Library)
  /// `frame` counts at the board's rate; `rate` is the rate to decode at, in Hz.
  case load(stream: UInt8, number: Int, track: TrackID, frame: Int, rate: Int)
  case follow(stream: UInt8, track: TrackID?)
  /// Closes the open track and forgets the ones that were to follow.
  case close
}

/// Keeps a voice's ring full: opens tracks early and writes them one after the other, so that they join without a gap.
///
/// Commands come from the control thread; `step` belongs to the decode thread (in the simulator, to its only thread).
package final class Decoder: @unchecked Sendable {
  package enum Progress {
    /// Frames were written or a track was opened: step again.
    case worked
    /// The ring is full, or there is nothing to do until a command comes.
    case waiting
  }

  private enum State {
    case idle
    /// This track is to be opened at this frame.
    case opening(track: TrackID, frame: Int)
    /// It is open, and its first frames are awaited.
    case beginning(any TrackSource, track: TrackID, frame: Int)
    case reading(any TrackSource, track: TrackID, frame: Int)
    /// A track has broken off: the fade-out after its last frame waits in `chunk` for room. With a place, the storage has
    /// failed there.
    case fading((Position, TrackError)?)
    /// A track has ended and the next one is not known yet.
    case awaitingNext
    /// The storage has failed, and nothing follows: the stream ends once there is room for its boundary.
    case ending
  }

  private static let chunkFrames = 4_096

  private let streamBuffer: StreamBuffer
  private let boardRate: Int
  private let opener: any TrackOpener
  /// What is opened; belongs to the decode thread.
  private var library: Library
  private let commands = Mailbox<DecoderCommand>()
  private let reports = Mailbox<AudioReport>()

  private var state = State.idle
  private var stream: UInt8 = 0
  /// The number of the load that started the stream.
  private var number = 0
  private var rate: Int
  /// The tracks to play after the current one, as far as commands have named them; nil ends the stream.
  private var nextTracks: [TrackID?] = []
  private let chunk: UnsafeMutablePointer<Int16>
  /// The length of the open track that was reported last.
  private var length: Int?
  /// Where the track that was decoded to its end last has ended: a file need not say how long it is.
  private var ended: Position?
  /// Frames decoded into `chunk` that the ring has no room for yet.
  private var pending = 0
  /// The frame that was decoded last.
  private var last: (left: Int16, right: Int16) = (0, 0)

  /// - Parameters:
  ///   - rate: the board's rate in Hz; all positions count at it.
  ///   - library: the tracks or the cues.
  init(streamBuffer: StreamBuffer, rate: Int, opener: any TrackOpener, library: Library) {
    self.streamBuffer = streamBuffer
    self.rate = rate
    boardRate = rate
    self.opener = opener
    self.library = library
    chunk = .allocate(capacity: Self.chunkFrames * 2)
    chunk.initialize(repeating: 0, count: Self.chunkFrames * 2)
  }

  deinit { chunk.deallocate() }

  /// May be called from any thread.
  func post(_ command: DecoderCommand) {
    commands.post(command)
    streamBuffer.decode.raise()
  }

  /// Returns the reports since the last call. May be called from any thread.
  func takeReports() -> [AudioReport] {
    reports.takeAll()
  }

  /// Does one bounded piece of work. Decode thread.
  package func step() -> Progress {
    for command in commands.takeAll() { obey(command) }
    switch state {
    case .idle: return .waiting
    case .opening(let track, let frame): return open(track, at: frame)
    case .beginning(let source, let track, let frame): return begin(source, track, at: frame)
    case .reading(let source, let track, let frame): return read(source, track, frame)
    case .fading(let failure): return fade(failure)
    case .awaitingNext: return openNext()
    case .ending: return endStream()
    }
  }

  private func obey(_ command: DecoderCommand) {
    switch command {
    case .library(let library):
      self.library = library
      ended = nil
    case .load(let id, let number, let track, let frame, let rate):
      closeSource()
      stream = id
      self.number = number
      self.rate = rate
      nextTracks.removeAll()
      pending = 0
      state = .opening(track: track, frame: Rates.convert(frame, from: boardRate, to: rate))
    case .follow(let id, let track):
      // Nobody asks for the next tracks of a stream that has ended.
      if id == stream { nextTracks.follow(track) }
    case .close:
      closeSource()
      nextTracks.removeAll()
      pending = 0
    }
  }

  private func closeSource() {
    switch state {
    case .beginning(let source, _, _), .reading(let source, _, _): source.close()
    case .idle, .opening, .fading, .awaitingNext, .ending: break
    }
    state = .idle
  }

  private func open(_ track: TrackID, at frame: Int) -> Progress {
    guard !streamBuffer.boundaries.isFull else { return .waiting }
    do throws(TrackError) {
      guard let path = library[track]?.path else {
        throw TrackError(operation: .open, path: "", reason: "it is gone from the music")
      }
      let source = try opener.open(path: path, rate: rate)
      state = .beginning(source, track: track, frame: frame)
      if frame > 0 { try source.seek(to: frame) }
      return begin(source, track, at: frame)
    } catch {
      return fail(track, at: frame, error)
    }
  }

  /// Reads the first chunk. The track counts as opened when its first frames are decoded: only then is it certain that
  /// it can be heard.
  private func begin(_ source: any TrackSource, _ track: TrackID, at frame: Int) -> Progress {
    guard source.isReady() else { return .waiting }
    do throws(TrackError) {
      pending = try source.read(into: chunk, frames: Self.chunkFrames)
      guard pending > 0 || isEnd(of: source, track, frame) else { return try beginAgain(source, track, after: frame) }
      noteLast(of: chunk, pending)
    } catch {
      return fail(track, at: frame, error)
    }
    state = .reading(source, track: track, frame: frame)
    pushBoundary(track: track, frame: frame)
    let info = source.info
    length = info.frames
    let tags = TrackTags(title: info.title, artist: info.artist, frames: info.frames.map(boardFrame))
    report(.opened(stream: stream, track: track, tags))
    return .worked
  }

  /// Whether the place is just after the track's last frame, where a page may have held it: nothing of the track is
  /// left.
  private func isEnd(of source: any TrackSource, _ track: TrackID, _ frame: Int) -> Bool {
    // At the board's rate, at which places are kept.
    let found = ended.flatMap { $0.track == track ? $0.frame : nil }
    guard frame > 0, let length = source.info.frames.map(boardFrame) ?? found else { return false }
    return boardFrame(frame) <= length
  }

  /// A track that is shorter than `frame`, which happens when the file changed after its position was saved, begins at 0.
  private func beginAgain(_ source: any TrackSource, _ track: TrackID, after frame: Int) throws(TrackError) -> Progress
  {
    guard frame > 0 else {
      throw TrackError(operation: .read, path: library[track]?.path ?? "", reason: "no audio in it")
    }
    state = .beginning(source, track: track, frame: 0)
    try source.seek(to: 0)
    return begin(source, track, at: 0)
  }

  private func fail(_ track: TrackID, at frame: Int, _ error: TrackError) -> Progress {
    closeSource()
    state = .awaitingNext
    if error.isStorage { return end(Position(track: track, frame: boardFrame(frame)), error) }
    report(.failed(stream: stream, track: track, reason: error.reason, isMissing: error.isMissing))
    return .worked
  }

  /// The storage cannot be read: the stream ends before this frame, and whoever loads another goes on there (X4).
  private func end(_ position: Position, _ error: TrackError) -> Progress {
    state = .ending
    nextTracks.removeAll()
    report(.storageFailed(stream: stream, position, reason: error.reason))
    return .worked
  }

  /// What was decoded ends anywhere, which would be a click (P12): the last frame is repeated and fades to silence. It
  /// fades as slowly as the volume does: a skip or an unplug at the same moment fades over it, and the two steps add
  /// up.
  private func prepareFade() {
    let last = (left: Int(last.left), right: Int(last.right))
    // Not longer than it is heard, because of silence there is nothing to fade, and no more than there is room for.
    let length = min(Self.chunkFrames, Timing().volumeRamp.frames(rate: rate), max(abs(last.left), abs(last.right)))
    for frame in 0..<length {
      chunk[frame * 2] = Int16(last.left * (length - 1 - frame) / length)
      chunk[frame * 2 + 1] = Int16(last.right * (length - 1 - frame) / length)
    }
    pending = length
  }

  private func fade(_ failure: (position: Position, error: TrackError)?) -> Progress {
    guard streamBuffer.ring.writable >= pending else { return .waiting }
    streamBuffer.ring.write(chunk, frames: pending)
    pending = 0
    streamBuffer.framesWritten()
    if let failure { return end(failure.position, failure.error) }
    state = .awaitingNext
    return .worked
  }

  private func read(_ source: any TrackSource, _ track: TrackID, _ frame: Int) -> Progress {
    if pending > 0 {
      let room = min(pending, streamBuffer.ring.writable)
      guard room == pending else { return .waiting }
      streamBuffer.ring.write(chunk, frames: pending)
      state = .reading(source, track: track, frame: frame + pending)
      pending = 0
      streamBuffer.framesWritten()
      return .worked
    }
    guard source.isReady() else { return .waiting }
    do throws(TrackError) {
      let count = try readChunk(source)
      reportLength(of: source, track)
      if count > 0 {
        if pending == 0 { state = .reading(source, track: track, frame: frame + count) }
        return .worked
      }
      ended = Position(track: track, frame: boardFrame(frame))
      closeSource()
      state = .awaitingNext
    } catch {
      let position = Position(track: track, frame: boardFrame(frame))
      closeSource()
      prepareFade()
      state = .fading(error.isStorage ? (position, error) : nil)
      if !error.isStorage { report(.brokeOff(stream: stream, position, reason: error.reason)) }
    }
    return .worked
  }

  /// Reads a chunk into the ring where it has room for a whole one in one piece, else into `chunk`, where it is `pending`.
  private func readChunk(_ source: any TrackSource) throws(TrackError) -> Int {
    guard let space = streamBuffer.ring.space(for: Self.chunkFrames) else {
      pending = try source.read(into: chunk, frames: Self.chunkFrames)
      noteLast(of: chunk, pending)
      return pending
    }
    let count = try source.read(into: space, frames: Self.chunkFrames)
    if count > 0 {
      noteLast(of: space, count)
      streamBuffer.ring.publish(count)
      streamBuffer.framesWritten()
    }
    return count
  }

  private func noteLast(of samples: UnsafePointer<Int16>, _ frames: Int) {
    if frames > 0 { last = (samples[frames * 2 - 2], samples[frames * 2 - 1]) }
  }

  private func reportLength(of source: any TrackSource, _ track: TrackID) {
    let found = source.info.frames
    guard found != length else { return }
    length = found
    report(.measured(stream: stream, track: track, frames: found.map(boardFrame)))
  }

  private func openNext() -> Progress {
    guard !nextTracks.isEmpty, !streamBuffer.boundaries.isFull else { return .waiting }
    guard let track = nextTracks.removeFirst() else { return endStream() }
    state = .opening(track: track, frame: 0)
    return .worked
  }

  private func endStream() -> Progress {
    guard !streamBuffer.boundaries.isFull else { return .waiting }
    state = .idle
    pushBoundary(track: nil, frame: 0)
    return .worked
  }

  private func boardFrame(_ frame: Int) -> Int { Rates.convert(frame, from: rate, to: boardRate) }

  private func pushBoundary(track: TrackID?, frame: Int) {
    _ = streamBuffer.boundaries.push(
      TrackBoundary(load: number, track: track, frame: frame, index: streamBuffer.ring.written))
    streamBuffer.signals.audio.raise()
  }

  private func report(_ report: AudioReport) {
    reports.post(report)
    streamBuffer.signals.report.raise()
  }
}
