import AudioSession

/// A file with a content: another size or time of change means another content.
package struct FileMark: Hashable, Sendable {
  /// Absolute, with links resolved.
  @NameOfFile package var path: String
  /// Bytes.
  package var size: Int
  /// Nanoseconds since 1970.
  package var modified: Int

  package init(path: String, size: Int, modified: Int) {
    self.path = path
    self.size = size
    self.modified = modified
  }
}

/// The files that did harm: those that did it twice are left out until they change.
package struct Quarantine: Hashable, Sendable {
  struct Entry: Hashable, Sendable {
    var mark: FileMark
    /// How often its decoder died or was stopped.
    var died = 0
    /// How often in a row the firmware ended while it was being opened.
    var unopened = 0
    /// How often in a row the firmware died of a fault while it was being played.
    var crashed = 0
    /// When the decoder last died on it.
    var reason = ""

    var isLeftOut: Bool { max(died, unopened, crashed) >= Quarantine.limit }
  }

  private static let limit = 2
  /// The most files that are remembered; those that did harm last.
  package static let mostFiles = 128

  private(set) var entries: [Entry] = []

  package init() {}

  init(_ entries: [Entry]) { self.entries = Array(entries.suffix(Self.mostFiles)) }

  /// The files that are left out.
  package var leftOut: [FileMark] { entries.filter(\.isLeftOut).map(\.mark) }

  /// Why a file is left out; nil where it may be opened.
  package func objection(to mark: FileMark) -> String? {
    guard let entry = entries.first(where: { $0.mark == mark }), entry.isLeftOut else { return nil }
    let cause =
      if entry.died >= Self.limit {
        "its decoder failed \(entry.died) times (\(entry.reason))"
      } else if entry.unopened >= Self.limit {
        "the firmware ended \(entry.unopened) times while it was being opened"
      } else {
        "the firmware died \(entry.crashed) times while it was being played"
      }
    return "left out until the file changes: \(cause)"
  }

  /// A decoder died of the file, or was stopped over it, for this reason.
  package mutating func died(_ mark: FileMark, reason: String) {
    change(mark) {
      $0.died += 1
      $0.reason = reason
    }
  }

  /// Adds what another one knows, which is newer.
  mutating func add(_ other: Quarantine) {
    for entry in other.entries {
      change(entry.mark) {
        $0.died += entry.died
        $0.unopened += entry.unopened
        $0.crashed += entry.crashed
        if entry.died > 0 { $0.reason = entry.reason }
      }
    }
  }

  /// The firmware ended while it opened the file.
  mutating func endedOpening(_ mark: FileMark) { change(mark) { $0.unopened += 1 } }

  /// The firmware died of a fault while it played the file.
  mutating func crashed(_ mark: FileMark) { change(mark) { $0.crashed += 1 } }

  /// The file was opened, and the firmware lives. Returns whether that changes anything.
  mutating func opened(_ mark: FileMark) -> Bool { forgive(mark, \.unopened) }

  /// The file is closed, and the firmware lives. Returns whether that changes anything.
  mutating func closed(_ mark: FileMark) -> Bool { forgive(mark, \.crashed) }

  /// The file was decoded to its end. A decoder that died of it once died of something else: of a power supply that was too
  /// weak for a moment, or of a damaged page of memory. Returns whether that changes anything.
  mutating func ended(_ mark: FileMark) -> Bool {
    if entries.contains(where: { $0.mark == mark && $0.died >= Self.limit }) { return false }
    return forgive(mark, \.died)
  }

  /// Whether `ended` might change anything.
  var remembersDeaths: Bool { entries.contains { (1..<Self.limit).contains($0.died) } }

  /// Whether `closed` would change anything.
  func remembersCrash(of mark: FileMark) -> Bool { entries.contains { $0.mark == mark && $0.crashed > 0 } }

  private mutating func forgive(_ mark: FileMark, _ count: WritableKeyPath<Entry, Int>) -> Bool {
    guard let index = entries.firstIndex(where: { $0.mark == mark && $0[keyPath: count] > 0 }) else { return false }
    entries[index][keyPath: count] = 0
    if entries[index].died + entries[index].unopened + entries[index].crashed == 0 { entries.remove(at: index) }
    return true
  }

  private mutating func change(_ mark: FileMark, _ body: (inout Entry) -> Void) {
    var entry = entries.first { $0.mark == mark } ?? Entry(mark: mark)
    body(&entry)
    // An entry about another content of this path no longer applies.
    self = Quarantine(entries.filter { FileName($0.mark.path) != FileName(mark.path) } + [entry])
  }
}
