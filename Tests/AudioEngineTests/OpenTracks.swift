import Board
import Testing

@testable import KioskTestSupport

/// Counting tracks that count how many are open, and at what rate the last was.
final class OpenTracks: TrackOpener {
  private let tracks: CountingTracks
  private(set) var open: [String] = []
  /// How often one was opened.
  private(set) var opened = 0
  private(set) var rate = 0
  /// Frames are there only after somebody has waited for them.
  var isSlow = false
  var isGone = false

  init(_ tracks: CountingTracks) { self.tracks = tracks }

  func open(path: String, rate: Int) throws(TrackError) -> any TrackSource {
    self.rate = rate
    let source = try tracks.open(path: isGone ? "" : path, rate: rate)
    open.append(path)
    opened += 1
    return Source(source, path, in: self)
  }

  private final class Source: TrackSource {
    private let source: any TrackSource
    private let path: String
    private unowned let tracks: OpenTracks
    private var isAwaited = false

    init(_ source: any TrackSource, _ path: String, in tracks: OpenTracks) {
      (self.source, self.path, self.tracks) = (source, path, tracks)
    }

    var info: TrackInfo { source.info }

    func isReady() -> Bool {
      defer { isAwaited = true }
      return isAwaited || !tracks.isSlow
    }

    func read(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(TrackError) -> Int {
      #expect(isAwaited, "read before it was ready")
      isAwaited = false
      return try source.read(into: samples, frames: frames)
    }

    func seek(to frame: Int) throws(TrackError) { try source.seek(to: frame) }

    func close() {
      if let index = tracks.open.firstIndex(of: path) { tracks.open.remove(at: index) }
    }
  }
}
