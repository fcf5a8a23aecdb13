import CLinux
import Threads

/// Says that a file is open, for as long as it lives.
public final class FileUse: Sendable {
  private let mark: FileMark
  private let store: QuarantineStore

  init(_ mark: FileMark, in store: QuarantineStore) {
    self.mark = mark
    self.store = store
    store.changePlaying { $0.append(mark) }
  }

  deinit {
    store.changePlaying { [mark] playing in
      if let index = playing.firstIndex(of: mark) { playing.remove(at: index) }
    }
    store.reportClosed(mark)
  }
}

/// Files during which the firmware dies. Only a fault of its own counts (`CrashNote.c`), and only while something of the
/// file was decoded within the last seconds: between power on and power off a file may be open for years, and whoever kills
/// the firmware, or cuts the power, has nothing against the file.
extension QuarantineStore {
  /// Counts the files that the last firmware played when it died, and has those noted at `path` that are played when this
  /// one does. Call it once, before other threads start and before `takeKept`, which saves it.
  public func watchCrashes(at path: String) {
    if let left = try? Self.read(path, storage) {
      change { quarantine in for entry in left.entries { quarantine.crashed(entry.mark) } }
    }
    // If that cannot be noted, nothing is left out for it.
    _ = crash_note_begin(path)
  }

  /// Changes what is open. Any thread may call it; it returns at once.
  fileprivate func changePlaying(_ body: @Sendable (inout [FileMark]) -> Void) {
    playing.withLock { playing in
      body(&playing)
      let text = QuarantineText.encode(Quarantine(playing.map { Quarantine.Entry(mark: $0) }))
      text.withUnsafeBytes { crash_note_set($0.baseAddress, UInt($0.count)) }
    }
  }

  /// Any thread may call it, also the one that decodes, because it does not wait for the storage.
  fileprivate func reportClosed(_ mark: FileMark) { if remembersCrash(of: mark) { post(.closed(mark)) } }

  func noteClosed(_ mark: FileMark) { changeToSave { $0.closed(mark) } }
}
