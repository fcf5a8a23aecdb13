import Board
import RealtimeAudio
import TrackDecoding

/// A track that is decoded by another process. It outlives the process: another one opens the same file at the next
/// frame. The thread of its opener only.
final class ProcessTrack: TrackSource {
  private(set) var info: TrackInfo
  let path: String
  /// The file, once it is open, for as long as the track is.
  private(set) var file: OpenFile?
  let rate: Int
  /// Where its frames are in the shared memory.
  let slot: Int
  /// What is asked of the file instead of its frames.
  let inspection: DecoderRequest.Work?
  /// The process in which it is open, by number.
  var openIn: Int?
  /// How often a process has ended while it worked on the next piece.
  var failures = 0
  /// How often a process has sent what nobody had asked for, this track being the last that it worked on.
  var strays = 0
  /// Whether the next piece was waited for in vain.
  var hasStalled = false
  /// Whether it is not to be inspected together with others, because one of those that were has ended the process.
  var isAlone = false
  private(set) var isClosed = false

  private unowned let opener: ProcessTrackOpener
  private let samples: UnsafeMutablePointer<Int16>
  /// The track's frame that `read` gives next.
  private var frame = 0
  /// Frames in the slot that were not read yet, and where they begin.
  private var ready = 0
  private var first = 0
  /// How many frames to ask for: few at first, so that the first are soon there.
  private var wanted = ProcessTrack.fewest
  /// Pieces of work that the process has done on its way to `frame`.
  private var pieces = 0
  /// Whether the process has been asked for the frames after those that it gave last.
  private var isSought = true
  private var isAtEnd = false
  private var failure: TrackError?

  private static let fewest = 4_096

  init(
    _ opener: ProcessTrackOpener, path: String, rate: Int, _ samples: UnsafeMutablePointer<Int16>,
    slot: Int, inspection: DecoderRequest.Work?
  ) {
    self.opener = opener
    self.path = path
    self.rate = rate
    self.slot = slot
    self.inspection = inspection
    info = TrackInfo(rate: rate, channels: 2, frames: nil)
    self.samples = samples
  }

  /// Whether there is nothing to ask of the process now.
  var isDone: Bool { failure != nil || ready > 0 || isAtEnd }

  func isReady() -> Bool {
    if isDone { return true }
    opener.want(self)
    return isDone
  }

  func read(into target: UnsafeMutablePointer<Int16>, frames: Int) throws(TrackError) -> Int {
    if ready == 0, let failure { throw failure }
    let count = min(frames, ready)
    copySamples(samples + 2 * first, to: target, count: 2 * count)
    first += count
    ready -= count
    frame += count
    return count
  }

  func seek(to frame: Int) throws(TrackError) {
    if isClosed { throw TrackError(operation: .seek, path: path, reason: "closed") }
    opener.forget(self)
    self.frame = max(0, frame)
    ready = 0
    isAtEnd = false
    // One whose file could not be opened stays so: nobody would be told that it is not.
    if file != nil { failure = nil }
    failures = 0
    pieces = 0
    isSought = true
    wanted = Self.fewest
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    failure = TrackError(operation: .read, path: path, reason: "closed")
    ready = 0
    file = nil
    opener.release(self)
  }

  // MARK: - For the opener

  /// What to ask of the process, in which it is open or not.
  func request(number: UInt64, isOpen: Bool, gain: ReplayGain) -> DecoderRequest {
    let work: DecoderRequest.Work = inspection ?? (!isOpen ? .open : isSought ? .seek : .read)
    return DecoderRequest(
      work, number: number, slot: slot, rate: rate, frame: frame, frames: min(wanted, SharedFrames.frames),
      size: file?.size ?? 0, gain: gain)
  }

  /// The process has done another piece on its way to the frame. Returns whether that can be true: a process that a file
  /// has taken over might never come there. The file's rate may be many times that of the track.
  func comesNearer() -> Bool {
    pieces += 1
    hasStalled = false
    return pieces <= 16 + 32 * (frame / DecodeWorker.approach)
  }

  /// Takes what is known of the track before its frames are there.
  func describe(_ info: TrackInfo) { self.info = info }

  /// Takes what the process has decoded.
  func take(frames: Int, _ info: TrackInfo?) {
    if let info { self.info = info }
    failures = 0
    pieces = 0
    hasStalled = false
    isSought = false
    first = 0
    ready = frames
    isAtEnd = frames == 0
    wanted = min(2 * wanted, max(Self.fewest, min(rate, SharedFrames.frames)))
  }

  /// Takes the file, or why it cannot be opened.
  func take(_ opened: Result<OpenFile, TrackError>) {
    guard !isClosed else { return }
    switch opened {
    case .success(let file): self.file = file
    case .failure(let error): failure = error
    }
  }

  func fail(_ reason: String, isStorage: Bool = false) {
    let operation: TrackError.Operation = openIn == nil ? .open : .read
    failure = TrackError(operation: operation, path: path, reason: reason, isStorage: isStorage)
  }

  /// What the process has found; throws why it has not.
  func result() throws(TrackError) -> TrackInfo {
    if let failure { throw failure }
    return info
  }
}
