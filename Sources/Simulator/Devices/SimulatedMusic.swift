import AudioSession
import Board
import Jukebox

/// The music folder of a simulated board: files that are removed and come back, and a folder that may be gone.
final class SimulatedMusic: TrackOpener {
  /// How long after a change it is listed, and after a start, as in the firmware.
  static let quiet = Duration.seconds(2)
  static let first = Duration.seconds(3)
  /// As the settings would name it.
  private static let folder = "music"

  private let all: TrackList
  private let opener: any TrackOpener
  private var removed: Set<FileName> = []
  private var isGone = false
  /// Its storage cannot be read: files that are open break off, and none can be opened.
  fileprivate private(set) var isFailing = false
  /// As it was listed last.
  private(set) var library = Library()
  /// What a start may know of it (X6): as it was listed last while a firmware ran. The folder is like that of a FAT stick,
  /// by whose number and time no change below it shows.
  private var kept: TrackList?
  /// When it is listed again; nil: nothing has changed.
  private(set) var due: Instant?

  init(_ tracks: TrackList, over opener: any TrackOpener) {
    all = tracks
    self.opener = opener
  }

  private var present: TrackList {
    isGone ? [] : TrackList(all.lazy.filter { [removed] in !removed.contains(FileName($0.path)) })
  }

  private var missing: [LibraryReport.Missing] {
    isGone ? [LibraryReport.Missing(folder: Self.folder, reason: "no such file or folder")] : []
  }

  /// Returns why nothing can change; nil where it has.
  func apply(_ change: MusicChange, at now: Instant) -> String? {
    switch change {
    case .gone: isGone = true
    case .back: isGone = false
    case .fails, .works:
      // The folder is as it was: there is nothing to list.
      isFailing = change == .fails
      return nil
    case .remove(let name), .add(let name):
      do throws(TrackName.NotFound) {
        let path = FileName(all[try TrackName(name).find(in: all)].path)
        if case .remove = change {
          if !removed.insert(path).inserted { return "\(name) is removed already, expected `music add` before it" }
        } else if removed.remove(path) == nil {
          return "\(name) is there, expected `music remove` before it"
        }
      } catch {
        return error.message
      }
    }
    due = now + Self.quiet
    return nil
  }

  /// What a firmware that starts knows of it. It lists it soon afterwards.
  func first(at now: Instant) -> LibraryReport {
    due = now + Self.first
    let known = isGone ? nil : kept
    library = Library(known ?? present)
    return LibraryReport(library, missing: missing, isKept: known != nil)
  }

  func listAtOnce(_ now: Instant) { due = now }

  func list() -> LibraryReport {
    due = nil
    kept = isGone ? nil : present
    if present != library.tracks { library = Library(present, after: library) }
    return LibraryReport(library, missing: missing)
  }

  func open(path: String, rate: Int) throws(TrackError) -> any TrackSource {
    let name = FileName(path)
    guard all.contains(where: { FileName($0.path) == name }) else { return try opener.open(path: path, rate: rate) }
    if isFailing { throw Self.failure(.open, path) }
    let isMissing = removed.contains(name) || isGone
    if isMissing {
      throw TrackError(
        operation: .open, path: path, reason: "no such file", isStorage: isGone, isMissing: !isGone)
    }
    return StoredTrack(try opener.open(path: path, rate: rate), path, in: self)
  }

  fileprivate static func failure(_ operation: TrackError.Operation, _ path: String) -> TrackError {
    TrackError(operation: operation, path: path, reason: "the storage is gone", isStorage: true)
  }

  var pollDescriptors: [PollDescriptor] { opener.pollDescriptors }
  var patience: Duration? { opener.patience }
  func service() { opener.service() }
}

/// A track that breaks off where its storage fails.
private final class StoredTrack: TrackSource {
  private let source: any TrackSource
  private let path: String
  private unowned let music: SimulatedMusic

  init(_ source: any TrackSource, _ path: String, in music: SimulatedMusic) {
    self.source = source
    self.path = path
    self.music = music
  }

  var info: TrackInfo { source.info }

  func isReady() -> Bool { source.isReady() }

  func read(into samples: UnsafeMutablePointer<Int16>, frames: Int) throws(TrackError) -> Int {
    if music.isFailing { throw SimulatedMusic.failure(.read, path) }
    return try source.read(into: samples, frames: frames)
  }

  func seek(to frame: Int) throws(TrackError) {
    if music.isFailing { throw SimulatedMusic.failure(.seek, path) }
    try source.seek(to: frame)
  }

  func close() { source.close() }
}
