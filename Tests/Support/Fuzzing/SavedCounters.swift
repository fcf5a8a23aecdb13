import Files
import Jukebox
import Storage
import TestSupport

/// Any bytes as a file of counters: they are read, or refused in one line; what is read is the same after it is saved
/// again, and can be counted on.
enum SavedCounters {
  static func check(_ bytes: [UInt8]) throws {
    try checkFile(bytes)
    // Adds the right checksum, which a fuzzer would not guess.
    try checkFile(StateText.sealed(bytes + [UInt8(ascii: "\n")]))
  }

  private static func checkFile(_ bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    for name in CountsStore.names { folder.write(name, bytes) }
    let found = CountsStore(folder: folder.path).readAll()
    try checkReason(of: found.current)
    try checkReason(of: found.past)
    for period in CountedHistory.all(current: found.current.content?.current, past: found.past.content) {
      let again = try ListeningCounts.Saved(ListeningCounts.Saved(period).bytes, file: "again").current
      try hold(again == period, "\(period) comes back as \(again)")
    }
    let moment = CountingMoment(instant: .powerOn, local: nil)
    var counts = ListeningCounts(after: found.current.content, seed: 1, at: moment)
    counts.count(.start("a"), at: moment)
    let text = (counts.text + "\n" + counts.json).split(separator: "\n").map(String.init)
    try hold(counts.json.utf8.count < 16_000, "stats --json is longer than a reply")
    try hold(text.allSatisfy { Wording.oneLine($0) == $0 }, "the console shows control characters")
  }

  private static func checkReason<Content>(of found: StoredGeneration<Content>) throws {
    switch found {
    case .nothing, .older: throw BrokenPromise("a file that is there counts as none or as older")
    case .newest: break
    case .unreadable(let reason):
      try hold(!reason.isEmpty && Wording.oneLine(reason) == reason, "reason: \(Wording.oneLine(reason))")
    }
  }
}
