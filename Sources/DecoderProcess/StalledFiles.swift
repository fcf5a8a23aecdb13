import AudioSession
import Files

/// Files for which a decoder has waited in vain without computing, and whether they are to blame or their storage (X7).
///
/// A file that has stalled is a suspect until it answers. It has stalled for itself when another file of its folder is
/// read next; where another one stalls next, it is their storage that does not answer. One that has stalled for itself
/// twice is left out for some time, and then tried once.
struct StalledFiles {
  private struct Entry {
    /// No other file of its folder has answered or stalled since.
    var isOpen = true
    /// How often it has stalled for itself.
    var count = 0
    /// The instant at which it is tried again.
    var until = Duration.zero
  }

  private static let limit = 2
  private static let rest = Duration.seconds(600)
  /// The most files that are remembered; a dead share with many would have each of them here.
  private static let mostFiles = 128

  private var entries: [FileName: Entry] = [:]

  /// Whether the file has stalled when it was tried last.
  func isSuspect(_ path: String) -> Bool { entries[FileName(path)] != nil }

  func isLeftOut(_ path: String) -> Bool { entries[FileName(path)].map { $0.count >= Self.limit } ?? false }

  /// Why the file is not opened now; nil where it is.
  func objection(to path: String, at now: Duration) -> String? {
    guard let entry = entries[FileName(path)], entry.count >= Self.limit, now < entry.until else { return nil }
    return "left out for a while: it was waited for in vain twice, while other files of its folder could be read"
  }

  mutating func stalled(_ path: String, at now: Duration) {
    let others = neighbours(of: path)
    for other in others { entries[other]?.isOpen = false }
    if entries[FileName(path)] == nil && entries.count >= Self.mostFiles { entries = [:] }
    var entry = entries[FileName(path)] ?? Entry()
    entry.isOpen = others.isEmpty
    entry.until = now + Self.rest
    entries[FileName(path)] = entry
  }

  /// The file was read, or is bad: either way its storage works.
  mutating func answered(_ path: String, at now: Duration) {
    if entries.isEmpty { return }
    entries[FileName(path)] = nil
    for other in neighbours(of: path) {
      entries[other]?.isOpen = false
      entries[other]?.count += 1
      entries[other]?.until = now + Self.rest
    }
  }

  /// Other files of the same folder of which it is not known yet why they have stalled.
  private func neighbours(of path: String) -> [FileName] {
    let folder = FileName(FileAccess.folder(of: path))
    return entries.filter { entry in
      entry.value.isOpen && entry.key != FileName(path) && FileName(FileAccess.folder(of: entry.key.text)) == folder
    }.map(\.key)
  }
}
