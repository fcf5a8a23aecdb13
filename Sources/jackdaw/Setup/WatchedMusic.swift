import AudioSession
import Board
import Files
import Firmware
import Glibc
import Jukebox
import Storage
import TrackDecoding

/// The music folders, and what has changed in them. One thread at a time: the main thread lists first, and then the
/// library thread.
final class WatchedMusic: MusicLister {
  /// A file that was changed so short a time ago may still be being written (X1). FAT keeps times of two seconds.
  private static let freshTime = 5_000_000_000
  /// A dying disk may name thousands of files that it does not give: so many of each folder are looked at in one look.
  private static let filesALook = 8

  private let folders: [MusicFolder]
  private let notices: Notices
  private let watch: FolderWatch
  private let silentFolders: SilentFolders
  /// nil: every start lists the music.
  private let store: ListingStore?
  /// What was listed before this start, until it is taken.
  private var known: KeptListing?
  private var hasSaidLimit = false
  /// How often what is missing was looked for.
  private var looks = 0

  init(
    _ folders: [MusicFolder], notices: Notices, store: ListingStore? = nil, known: KeptListing? = nil,
    watch: FolderWatch = FolderWatch(), silentFolders: SilentFolders = SilentFolders()
  ) {
    self.silentFolders = silentFolders
    self.folders = folders
    self.notices = notices
    self.store = store
    self.known = known
    self.watch = watch
  }

  var pollDescriptors: [PollDescriptor] { watch.pollDescriptors }

  func takeChanges() -> Bool { watch.takeChanges() }

  /// What was listed last, and the folders of which that is not known (X6). The thread lists everything soon afterwards.
  /// - Parameter silent: folders that do not answer.
  func first(without silent: Set<FileName> = []) -> Music {
    guard let known else { return list(without: silent) }
    self.known = nil
    return Music(found: folders, known: known, silent: silent)
  }

  /// Missing files of one folder take turns. What is in a folder that does not answer is not looked at: that would hang.
  func isBack(_ missing: [LibraryReport.Missing]) -> Bool {
    let silent = silentFolders.find(folders.map(\.path))
    let paths = missing.map(\.folder).filter { path in !silent.contains { Self.isPath(path, in: $0.text) } }
    defer { looks += 1 }
    return folders.contains { folder in
      let inside = paths.filter { Self.isPath($0, in: folder.path) }
      return (0..<min(Self.filesALook, inside.count)).contains {
        LibraryScan.isReadable(inside[(looks * Self.filesALook + $0) % inside.count])
      }
    }
  }

  /// Whether it is that of the folder, or of something in it.
  private static func isPath(_ path: String, in folder: String) -> Bool {
    FileName(path) == FileName(folder) || path.utf8.starts(with: FileAccess.join(folder, "").utf8)
  }

  /// Lists all that is there.
  func list(without silent: Set<FileName> = []) -> Music {
    watch.begin()
    let music = Music(found: folders, silent: silent) { [watch] in watch.add($0) }
    watch.end()
    noteLimit()
    return music
  }

  func list(after former: Library, takesAll: Bool) -> MusicListing {
    let music = list(without: silentFolders.find(folders.map(\.path)))
    let (tracks, isUnsettled) = takesAll ? (music.tracks, false) : Self.settled(music, after: former)
    // While files are copied, each listing would be another one to write.
    if !isUnsettled { store?.write(music.kept) }
    let library = tracks == former.tracks ? former : Library(tracks, after: former)
    return MusicListing(LibraryReport(library, missing: music.missing), isUnsettled: isUnsettled)
  }

  /// Leaves out the files that may still be being written; one that was there already stays what it was.
  private static func settled(_ music: Music, after former: Library) -> (tracks: TrackList, isUnsettled: Bool) {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    let now = time.tv_sec * 1_000_000_000 + time.tv_nsec
    let fresh = Set(music.modified.indices.filter { abs(now &- music.modified[$0]) < freshTime })
    guard !fresh.isEmpty else { return (music.tracks, false) }
    let paths = Set(fresh.map { FileName(music.tracks[$0].path) })
    var known: [FileName: Track] = [:]
    for track in former.tracks {
      let path = FileName(track.path)
      if paths.contains(path) && known[path] == nil { known[path] = track }
    }
    var (tracks, isUnsettled) = (TrackList(), false)
    for (index, track) in music.tracks.enumerated() {
      if !fresh.contains(index) || known[FileName(track.path)] == track {
        tracks.append(track)
      } else {
        isUnsettled = true
        if let former = known[FileName(track.path)] { tracks.append(former) }
      }
    }
    return (tracks, isUnsettled)
  }

  private func noteLimit() {
    defer { hasSaidLimit = watch.unwatched > 0 }
    guard watch.unwatched > 0, !hasSaidLimit else { return }
    notices.post(
      "\(watch.unwatched) folders of music are not watched (fs.inotify.max_user_watches, or more than "
        + "\(FolderWatch.most)): what changes there is found by `jackdaw ctl reload`")
  }
}
