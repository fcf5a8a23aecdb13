import Files
import Jukebox
import Simulator
import Storage

/// Any bytes as a file of counters of an earlier version: they are taken over, or refused in one line; what is taken over
/// can be counted on.
enum SavedCounters {
  static func check(_ bytes: [UInt8]) throws {
    try checkFile(bytes)
    // Adds the right checksum, which a fuzzer would not guess.
    try checkFile(StateText.sealed(bytes + [UInt8(ascii: "\n")]))
  }

  private static func checkFile(_ bytes: [UInt8]) throws {
    let storage = MemoryStorage(keeping: .max)
    let file = try storage.create("counters.toml")
    try storage.writeAll(bytes, to: file, at: 0)
    let former = FormerFiles(folder: "", storage: storage).periods()
    for error in former.errors {
      try hold(!error.isEmpty && Wording.oneLine(error) == error, "reason: \(Wording.oneLine(error))")
    }
    let store = CountsStore(KeptDatabase(folder: "", storage: storage, system: StorageVFS(storage), pause: {}))
    let expected = Dictionary(former.periods.map { ($0.id, $0) }) { _, last in last }
    let found = try store.all()
    let unique = Dictionary(found.map { ($0.id, $0) }) { first, _ in first }
    try hold(unique == expected && unique.count == found.count, "\(expected) is taken over as \(found)")
    let moment = CountingMoment(instant: .powerOn, local: nil)
    var counts = ListeningCounts(after: try store.read(), seed: 1, at: moment)
    counts.count(.start("a"), at: moment)
    try hold(store.write(counts) == .saved, "the counters are not saved")
    let text = (counts.text + "\n" + counts.json).split(separator: "\n").map(String.init)
    try hold(counts.json.utf8.count < 16_000, "stats --json is longer than a reply")
    try hold(text.allSatisfy { Wording.oneLine($0) == $0 }, "the console shows control characters")
  }
}
