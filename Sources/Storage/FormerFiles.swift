import Files
import Glibc
import Jukebox

/// The files in which earlier versions kept what the database holds. They are read once, and kept under another name.
package struct FormerFiles {
  private static let counters = "counters.toml"
  private static let past = "counters-past.toml"
  private static let quarantine = "quarantine.toml"
  /// All of them; the last one is only what the next listing finds again.
  package static let names = [counters, past].flatMap { [$0, $0 + ".old"] } + [quarantine, "music.list"]
  private static let mostBytes = 1 << 25

  private let folder: String
  private let storage: any Storage
  /// Waits before a file that could not be read is read again.
  private let pause: () -> Void

  package init(
    folder: String, storage: any Storage = DiskStorage(), pause: @escaping () -> Void = { _ = poll(nil, 0, 200) }
  ) {
    (self.folder, self.storage, self.pause) = (folder, storage, pause)
  }

  /// All that they hold.
  struct Content {
    var periods: [CountedPeriod]
    var quarantine = Quarantine()
    /// Why some of it cannot be read.
    var reasons: [String]
    /// The names of the files that the storage does not give.
    var unread: Set<String>

    func put(_ database: DatabaseConnection) throws(DatabaseError) {
      for period in periods { try CountsStore.put(period, database) }
      try QuarantineStore.put(quarantine, database)
    }
  }

  func read() -> Content {
    let counted = periods()
    var content = Content(periods: counted.periods, reasons: counted.errors, unread: counted.unread)
    do throws(FileError) {
      content.quarantine = try quarantine(&content.unread)
    } catch {
      content.reasons.append(error.description)
    }
    return content
  }

  /// What was counted, the newest period last, and why some of it cannot be read.
  package struct Counted {
    package var periods: [CountedPeriod] = []
    /// The periods that were over last, which a file keeps apart.
    var recent: [CountedPeriod] = []
    package var errors: [String] = []
    /// Neither a file nor the one before it can be read.
    package var isIncomplete = false
    /// The names of the files that the storage does not give.
    var unread: Set<String> = []
  }

  package func periods() -> Counted {
    var (current, past) = (newest(Self.counters), newest(Self.past))
    past.periods += past.recent
    // The periods before the current one are in the history, where they may be counted together with others.
    if past.periods.isEmpty { current.periods = current.recent + current.periods }
    // A period that was over last is in both.
    let known = Set(current.periods.map(\.id))
    return Counted(
      periods: past.periods.filter { !known.contains($0.id) } + current.periods, errors: past.errors + current.errors,
      isIncomplete: past.isIncomplete || current.isIncomplete, unread: past.unread.union(current.unread))
  }

  private func newest(_ name: String) -> Counted {
    var found = Counted()
    for name in [name, name + ".old"] {
      do throws(FileError) {
        if let bytes = try read(name, &found.unread) {
          (found.periods, found.recent) = try CountsText.decode(bytes, file: FileAccess.join(folder, name))
          return found
        }
      } catch {
        found.errors.append(error.description)
      }
    }
    found.isIncomplete = !found.errors.isEmpty
    return found
  }

  package func quarantine() throws(FileError) -> Quarantine {
    var unread: Set<String> = []
    return try quarantine(&unread)
  }

  private func quarantine(_ unread: inout Set<String>) throws(FileError) -> Quarantine {
    guard let bytes = try read(Self.quarantine, &unread) else { return Quarantine() }
    return try QuarantineText.decode(bytes, file: FileAccess.join(folder, Self.quarantine))
  }

  private func read(_ name: String, _ unread: inout Set<String>) throws(FileError) -> [UInt8]? {
    let path = FileAccess.join(folder, name)
    do throws(StorageError) {
      return try storage.readPatiently(path, atMost: Self.mostBytes, pause: pause)
    } catch {
      if error.code == ENOENT { return nil }
      unread.insert(name)
      throw FileError(file: path, message: String(cString: strerror(error.code)))
    }
  }

  /// Renames what was read, or is damaged. Whatever has the new name already stays what it is.
  func keepAside(but unread: Set<String>) {
    let taken = Set(storage.names(in: folder.isEmpty ? "." : folder))
    for name in Self.names where taken.contains(name) && !unread.contains(name) {
      let kept = UnusableFile.names(for: name, "imported").first { !taken.contains($0) }
      guard let kept else { continue }
      try? storage.rename(FileAccess.join(folder, name), to: FileAccess.join(folder, kept))
    }
  }
}
