import Files
import Jukebox

extension ListeningCounts.Saved: StoredContent {
  /// Four periods of two thousand names, and long ones.
  package static var mostBytes: Int { 1 << 25 }

  package var bytes: [UInt8] { CountsText.encode([current], recent: earlier) }

  package init(_ bytes: [UInt8], file: String) throws(FileError) {
    let found = try CountsText.decode(bytes, file: file)
    guard let current = found.periods.first else {
      throw FileError(file: file, field: "periods", message: "missing, expected the current period")
    }
    self.init(current, earlier: found.recent)
  }

  package static func isOfNewerVersion(_ bytes: [UInt8]) -> Bool { CountsText.isOfNewerVersion(bytes) }
}

extension CountedHistory: StoredContent {
  package static var mostBytes: Int { 1 << 25 }

  package var bytes: [UInt8] { CountsText.encode(periods, recent: recent) }

  package init(_ bytes: [UInt8], file: String) throws(FileError) {
    let found = try CountsText.decode(bytes, file: file)
    self.init(found.periods, recent: found.recent)
  }

  package static func isOfNewerVersion(_ bytes: [UInt8]) -> Bool { CountsText.isOfNewerVersion(bytes) }
}

/// Keeps the counters beside the state, in two files: one for the current period and those before it, written at
/// every save, and one for the history, written when a period ends.
///
/// A period goes into the history before its file is used for the next one. Where the power is cut in between, it stands
/// in both, and its id says so (`CountedHistory.recent`): nothing is counted twice. One thread at a time may use it; every
/// call blocks as long as the storage does.
package final class CountsStore {
  private let current: GenerationStore<ListeningCounts.Saved>
  private let past: GenerationStore<CountedHistory>
  /// Periods that are in the history.
  private var added: Set<Int> = []

  /// The two files in the folder of the state.
  package static let names = ["counters.toml", "counters-past.toml"]

  package init(folder: String, storage: any Storage = DiskStorage()) {
    current = GenerationStore(path: FileAccess.join(folder, Self.names[0]), storage: storage)
    past = GenerationStore(path: FileAccess.join(folder, Self.names[1]), storage: storage)
  }

  /// Reads what was counted last, and why it could not be read. Call it before the first `write`.
  package func read() -> StoredGeneration<ListeningCounts.Saved> { current.readNewest() }

  /// Reads everything that was counted, for a report. Nothing may be written afterwards.
  package func readAll() -> (current: StoredGeneration<ListeningCounts.Saved>, past: StoredGeneration<CountedHistory>) {
    (current.readNewest(), past.readNewest())
  }

  /// Saves the counters. Once this returns `saved` or `unchanged`, they survive a power cut.
  package func write(_ counts: ListeningCounts) -> StorageReport {
    let new = counts.finished.filter { !added.contains($0.id) }
    if !new.isEmpty {
      var history = past.readNewest().content ?? CountedHistory()
      history.add(new)
      let report = past.write(history)
      if case .failed = report { return report }
      added = Set(counts.finished.map(\.id))
    }
    return current.write(counts.saved)
  }

  /// The periods that need not be given to `write` any more.
  package var forgettable: Set<Int> { added }
}

extension StorageReport {
  /// What became of two files that are saved together.
  package func and(_ other: StorageReport) -> StorageReport {
    switch (self, other) {
    case (.failed, _), (_, .unchanged): self
    case (_, .failed), (.unchanged, _), (_, .saved): other
    }
  }
}
