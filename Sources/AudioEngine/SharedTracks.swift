import Board
import Synchronization

/// Decodes a track once for all ports of a multi-route: whoever opens a track that another port is playing reads the frames
/// that were decoded for that one, as long as the two are near each other. Ports that are further apart, or need another
/// rate, have a decoder of their own until their next track.
///
/// Stands before the opener of the files; the decoders of the ports know nothing of it. Decode thread.
final class SharedTracks: TrackOpener {
  /// Whether several ports are to play the same; until then every file goes straight to its decoder. Any thread.
  let isWanted = Atomic<Bool>(false)
  /// How many frames are kept of each track that is open: a port which joins in begins at the frame that is heard, behind
  /// what the others have decoded ahead. To be set before the first track is opened.
  var frames = 0
  private let opener: any TrackOpener
  private var decodings: [Decoding] = []
  /// How often the music was listed.
  private let listing = Atomic<Int>(0)

  init(over opener: any TrackOpener) { self.opener = opener }

  /// The music was listed again, and another file may have the path of one that is being decoded. Any thread.
  func noteListing() { listing.add(1, ordering: .relaxed) }

  func open(path: String, rate: Int) throws(TrackError) -> any TrackSource {
    guard isWanted.load(ordering: .relaxed) else { return try opener.open(path: path, rate: rate) }
    // Which frame is wanted shows only later.
    if let decoding = find(path, rate) { return SharedTrack(decoding, in: self) }
    return SharedTrack(try begin(path, rate), in: self)
  }

  /// One that still has this frame, or any.
  fileprivate func find(_ path: String, _ rate: Int, with frame: Int? = nil) -> Decoding? {
    let listing = listing.load(ordering: .relaxed)
    return decodings.first { decoding in
      decoding.path == path && decoding.rate == rate && decoding.listing == listing && !decoding.hasFailed
        && (frame.map(decoding.kept.contains) ?? true)
    }
  }

  fileprivate func begin(_ path: String, _ rate: Int) throws(TrackError) -> Decoding {
    let listing = listing.load(ordering: .relaxed)
    let new = Decoding(try opener.open(path: path, rate: rate), path, rate: rate, listing: listing, keeping: frames)
    decodings.append(new)
    return new
  }

  fileprivate func end(_ decoding: Decoding) {
    decoding.source.close()
    decodings.removeAll { $0 === decoding }
  }

  var pollDescriptors: [PollDescriptor] { opener.pollDescriptors }
  var patience: Duration? { opener.patience }
  func service() { opener.service() }
}

/// A file that is being decoded, and its last frames.
private final class Decoding {
  let source: any TrackSource
  let path: String
  let rate: Int
  /// As it was when the file was opened.
  let listing: Int
  var readers = 0
  /// Frames that can be read, or decoded next: the one behind the last is the next to be decoded.
  private(set) var kept = 0...0
  private let samples: UnsafeMutablePointer<Int16>
  private let capacity: Int
  private var failure: TrackError?

  init(_ source: any TrackSource, _ path: String, rate: Int, listing: Int, keeping frames: Int) {
    (self.source, self.path, self.rate, self.listing, capacity) = (source, path, rate, listing, frames)
    samples = .allocate(capacity: frames * 2)
  }

  deinit { samples.deallocate() }

  /// Nobody can read further in it.
  var hasFailed: Bool { failure != nil }

  func isReady(at frame: Int) -> Bool { frame < kept.upperBound || hasFailed || source.isReady() }

  func seek(to frame: Int) throws(TrackError) {
    try source.seek(to: frame)
    (kept, failure) = (frame...frame, nil)
  }

  func read(_ frame: Int, into target: UnsafeMutablePointer<Int16>, frames: Int) throws(TrackError) -> Int {
    if frame == kept.upperBound { try decode(frames) }
    let start = frame % capacity
    let count = min(frames, kept.upperBound - frame, capacity - start)
    target.update(from: samples + 2 * start, count: 2 * count)
    return count
  }

  private func decode(_ frames: Int) throws(TrackError) {
    if let failure { throw failure }
    let start = kept.upperBound % capacity
    do throws(TrackError) {
      let end = kept.upperBound + (try source.read(into: samples + 2 * start, frames: min(frames, capacity - start)))
      kept = max(kept.lowerBound, end - capacity)...end
    } catch {
      failure = error
      throw error
    }
  }
}

/// What one port reads.
private final class SharedTrack: TrackSource {
  private let tracks: SharedTracks
  private var decoding: Decoding
  private var frame = 0
  private var failure: TrackError?
  private var isClosed = false

  init(_ decoding: Decoding, in tracks: SharedTracks) {
    (self.tracks, self.decoding) = (tracks, decoding)
    decoding.readers += 1
  }

  var info: TrackInfo { decoding.source.info }

  func isReady() -> Bool {
    do throws(TrackError) {
      try place()
      return decoding.isReady(at: frame)
    } catch {
      failure = error
      return true
    }
  }

  func read(into target: UnsafeMutablePointer<Int16>, frames: Int) throws(TrackError) -> Int {
    if let failure { throw failure }
    let count = try decoding.read(frame, into: target, frames: frames)
    frame += count
    return count
  }

  func seek(to frame: Int) throws(TrackError) {
    self.frame = max(0, frame)
    failure = nil
    try place()
  }

  func close() {
    guard !isClosed else { return }
    isClosed = true
    leave()
  }

  /// Goes where the frame is: to another port that has it, or to a decoder of its own.
  private func place() throws(TrackError) {
    guard !decoding.kept.contains(frame) else { return }
    if let other = tracks.find(decoding.path, decoding.rate, with: frame) { return join(other) }
    if decoding.readers > 1 { join(try tracks.begin(decoding.path, decoding.rate)) }
    if !decoding.kept.contains(frame) { try decoding.seek(to: frame) }
  }

  private func join(_ other: Decoding) {
    other.readers += 1
    leave()
    decoding = other
  }

  private func leave() {
    decoding.readers -= 1
    if decoding.readers == 0 { tracks.end(decoding) }
  }
}
