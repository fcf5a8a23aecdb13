import AudioSession
import Board
import Jukebox

/// The music folder of a simulated board: files that are removed and come back, and a folder that may be gone.
final class SimulatedMusic: TrackOpener {
  /// How long after a change it is listed, as in the firmware.
  static let quiet = Duration.seconds(2)
  /// As the settings would name it.
  private static let folder = "music"

  private let all: [Track]
  private let opener: any TrackOpener
  private var removed: Set<String> = []
  private var isGone = false
  /// As it was listed last.
  private(set) var library = Library()
  /// When it is listed again; nil: nothing has changed.
  private(set) var due: Instant?

  init(_ tracks: [Track], over opener: any TrackOpener) {
    all = tracks
    self.opener = opener
  }

  private var present: [Track] { isGone ? [] : all.filter { !removed.contains($0.path) } }

  private var missing: [LibraryReport.Missing] {
    isGone ? [LibraryReport.Missing(folder: Self.folder, reason: "no such file or folder")] : []
  }

  /// Returns why nothing can change; nil where it has.
  func apply(_ change: MusicChange, at now: Instant) -> String? {
    switch change {
    case .gone: isGone = true
    case .back: isGone = false
    case .remove(let name), .add(let name):
      do throws(TrackName.NotFound) {
        let path = all[try TrackName(name).find(in: all)].path
        if case .remove = change { removed.insert(path) } else { removed.remove(path) }
      } catch {
        return error.message
      }
    }
    due = now + Self.quiet
    return nil
  }

  /// Lists it for a firmware that starts.
  func listFirst() -> LibraryReport {
    due = nil
    library = Library(present)
    return LibraryReport(library, missing: missing)
  }

  func listAtOnce(_ now: Instant) { due = now }

  func list() -> LibraryReport {
    due = nil
    if present != library.tracks { library = Library(present, after: library) }
    return LibraryReport(library, missing: missing)
  }

  func open(path: String, rate: Int) throws(TrackError) -> any TrackSource {
    let isMissing = removed.contains(path) || isGone && all.contains { $0.path == path }
    if isMissing { throw TrackError(operation: .open, path: path, reason: "no such file") }
    return try opener.open(path: path, rate: rate)
  }

  var pollDescriptors: [PollDescriptor] { opener.pollDescriptors }
  var patience: Duration? { opener.patience }
  func service() { opener.service() }
}
