/// Folders that a PC, a phone or a file server makes on a stick or a share by itself. What lies in them was deleted, or is
/// nobody's music. Those that begin with a dot are hidden anyway.
enum SystemFolder {
  /// In lower case, as FAT keeps none.
  private static let names: Set<String> = [
    // Windows: what was deleted, by its age; and what it keeps for itself.
    "$recycle.bin", "recycler", "recycled", "system volume information",
    // File servers of Synology, QNAP and Buffalo.
    "#recycle", "#snapshot", "@eadir", "@recycle", "@recently-snapshot", "trashbox",
    // macOS, on shares and in archives.
    "network trash folder", "temporary items", "__macosx",
    // What a check of a file system, or Android's, has found.
    "lost+found", "lost.dir",
  ]

  /// Whether an entry of this name, in whatever case, is such a folder.
  static func isName(_ name: String) -> Bool {
    let name = name.lowercased()
    // chkdsk numbers what it has found: FOUND.000.
    return names.contains(name) || (name.hasPrefix("found.") && name.utf8.count == 9 && Int(name.suffix(3)) != nil)
  }
}
