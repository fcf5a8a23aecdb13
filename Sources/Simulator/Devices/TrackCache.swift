import AudioSession
import Board

/// Opens tracks and keeps those that were read from beginning to end, so that a long simulation decodes each only once.
/// One thread at a time.
public final class TrackCache: TrackOpener {
  private let opener: any TrackOpener
  private var kept: [Name: CachedTrack.Content] = [:]
  /// Frames that may still be kept.
  private var room: Int

  fileprivate struct Name: Hashable {
    @NameOfFile var path: String
    var rate: Int
  }

  /// - Parameter frames: the most frames to keep, of four bytes each.
  public init(over opener: any TrackOpener, frames: Int = 64 << 20) {
    self.opener = opener
    room = frames
  }

  public func open(path: String, rate: Int) throws(TrackError) -> any TrackSource {
    let name = Name(path: path, rate: rate)
    if let content = kept[name] { return CachedTrack(content) }
    let source = try opener.open(path: path, rate: rate)
    // A seek in a resampled track does not give identical samples, so a copy would sound different.
    return source.info.rate == rate ? CachingTrack(source, name, in: self) : source
  }

  fileprivate func keep(_ name: Name, _ content: CachedTrack.Content) {
    guard kept[name] == nil, content.samples.count / 2 <= room else { return }
    room -= content.samples.count / 2
    kept[name] = content
  }

  fileprivate func hasRoom(for frames: Int) -> Bool { frames <= room }
}

/// A track in memory.
private final class CachedTrack: TrackSource {
  struct Content {
    var info: TrackInfo
    /// Interleaved, stereo.
    var samples: [Int16]
  }

  private let content: Content
  private var next = 0

  init(_ content: Content) { self.content = content }

  var info: TrackInfo { content.info }

  func read(into samples: UnsafeMutablePointer<Int16>, frames: Int) -> Int {
    let count = min(frames, content.samples.count / 2 - next)
    content.samples.withUnsafeBufferPointer { all in
      guard let base = all.baseAddress else { return }
      samples.update(from: base + next * 2, count: count * 2)
    }
    next += count
    return count
  }

  func seek(to frame: Int) { next = max(0, min(frame, content.samples.count / 2)) }

  func close() {}
}

/// A track that copies its frames as they are read, until a seek.
private final class CachingTrack: TrackSource {
  private let source: any TrackSource
  private let name: TrackCache.Name
  private let memory: TrackCache
  /// All samples since the beginning; nil once the track cannot be kept.
  private var samples: [Int16]? = []

  init(_ source: any TrackSource, _ name: TrackCache.Name, in memory: TrackCache) {
    self.source = source
    self.name = name
    self.memory = memory
  }

  var info: TrackInfo { source.info }

  func read(into buffer: UnsafeMutablePointer<Int16>, frames: Int) throws(TrackError) -> Int {
    do throws(TrackError) {
      let count = try source.read(into: buffer, frames: frames)
      copy(UnsafeBufferPointer(start: buffer, count: count * 2))
      return count
    } catch {
      samples = nil
      throw error
    }
  }

  private func copy(_ more: UnsafeBufferPointer<Int16>) {
    if more.isEmpty, let samples {
      memory.keep(name, CachedTrack.Content(info: info, samples: samples))
      self.samples = nil
    }
    samples?.append(contentsOf: more)
    if let count = samples?.count, !memory.hasRoom(for: count / 2) { samples = nil }
  }

  func seek(to frame: Int) throws(TrackError) {
    samples = nil
    try source.seek(to: frame)
  }

  func close() { source.close() }
}
