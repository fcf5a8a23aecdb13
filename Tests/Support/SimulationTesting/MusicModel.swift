import AudioSession
import Jukebox
import Simulator

/// The music as it is on the storage, and as the kiosk has listed it (X1, X4).
struct MusicModel {
  /// A place whose file is gone: it is gone back to where nobody has gone elsewhere.
  struct Sought {
    /// nil: it was saved before power on.
    var file: String?
    var frame = 0
    /// Nobody has done anything since.
    var isCertain: Bool
  }

  /// How long after a change it is listed, and after power on; and some more for the instant itself.
  private static let quiet = Duration.milliseconds(2_001)
  private static let first = Duration.milliseconds(3_001)

  /// The names of all files that there ever are.
  let all: [String]
  private(set) var present: Set<String>
  private(set) var listed: Set<String>
  /// What came when it was listed last, before or after what went with it.
  private(set) var added: Set<String> = []
  /// When a file that came or went is to be listed at the latest; nil: none did that was not listed since.
  private var due: Instant?
  private(set) var listedAt = Instant.powerOn
  /// As it was listed last while the power was on, which is what power on knows (X6); nil: it was not.
  private var kept: Set<String>?
  /// The list is the one that power on knew (X6), and no listing, logged or not, has replaced it yet.
  private(set) var isGuess = false
  /// The files that power on knew and that are not there; and those that it knew until the music was listed last.
  private(set) var doubtful: Set<String> = []
  private(set) var disproved: Set<String> = []
  /// What somebody has chosen of a guess, or beyond it, and does not hear: it is chosen again when it is listed.
  var awaited: String?
  private(set) var isFailing = false
  /// When it began or ceased to fail last.
  private(set) var turnedAt: Instant?
  /// Since when nothing is heard of what was decoded before the failure.
  var ranDryAt: Instant?
  var sought: Sought?
  /// The position of playback that was logged last, and when.
  var stands: (frame: Int, at: Instant)?

  init(_ library: [Track]) {
    all = library.map(\.name)
    present = Set(all)
    listed = present
  }

  mutating func apply(_ change: MusicChange, at now: Instant) {
    switch change {
    // What is gone or there already changes nothing.
    case .remove(let name):
      guard present.remove(name) != nil else { return }
      due = now + Self.quiet
    case .add(let name):
      guard present.insert(name).inserted else { return }
      doubtful.remove(name)
      due = now + Self.quiet
    case .fails, .works:
      isFailing = change == .fails
      turnedAt = now
      ranDryAt = nil
    case .gone, .back: break
    }
  }

  /// Power on knows what was listed last, or lists what is there.
  mutating func powerOn(at now: Instant) {
    listed = kept ?? present
    isGuess = kept != nil
    doubtful = listed.subtracting(present)
    disproved = []
    awaited = nil
    due = now + Self.first
    sought = nil
  }

  /// The time has come at which it was listed, whether or not that is logged.
  mutating func settle(at now: Instant, awakeSince: Instant?) {
    guard let due, now > max(due, awakeSince.map { $0 + Self.quiet } ?? due) else { return }
    if present == listed { endGuess() }
  }

  /// It is listed now, because somebody has asked for it. The log has a line only where something has changed.
  mutating func noteReload() { if present == listed { endGuess() } }

  private mutating func endGuess() {
    kept = listed
    due = nil
    isGuess = false
    disproved = doubtful
    doubtful = []
  }

  mutating func take(_ event: Event, at now: Instant) -> Mismatch? {
    added = present.subtracting(listed)
    let removed = listed.subtracting(present).count
    listed = present
    endGuess()
    listedAt = now
    let found = ["tracks", "added", "removed"].map { event[$0] }
    if found == [present.count, added.count, removed].map(String.init) { return nil }
    return Mismatch(
      "X1", "\(added.count) files came and \(removed) went, and the log says \(found.compactMap { $0 })")
  }

  /// Whether the kiosk, awake since `since`, has not listed a change in time.
  func isOverdue(at now: Instant, awakeSince: Instant?) -> Bool {
    guard let due, present != listed else { return false }
    return now > max(due, awakeSince.map { $0 + Self.quiet } ?? due)
  }
}
