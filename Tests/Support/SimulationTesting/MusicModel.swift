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

  /// How long after a change it is listed; and some more for the instant itself.
  private static let quiet = Duration.milliseconds(2_001)

  /// The names of all files that there ever are.
  let all: [String]
  private(set) var present: Set<String>
  private(set) var listed: Set<String>
  /// What came when it was listed last, before or behind what went with it.
  private(set) var added: Set<String> = []
  /// When a file came or went that was not listed since.
  private(set) var changedAt: Instant?
  private(set) var listedAt = Instant.powerOn
  private(set) var isFailing = false
  /// When it began or ceased to fail last.
  private(set) var turnedAt: Instant?
  /// Since when nothing is heard of what was decoded before the failure.
  var ranDryAt: Instant?
  var sought: Sought?
  /// Where the log has said last that playback stands, and when.
  var stands: (frame: Int, at: Instant)?

  init(_ library: [Track]) {
    all = library.map(\.name)
    present = Set(all)
    listed = present
  }

  mutating func apply(_ change: MusicChange, at now: Instant) {
    switch change {
    case .remove(let name):
      present.remove(name)
      changedAt = now
    case .add(let name):
      present.insert(name)
      changedAt = now
    case .fails, .works:
      isFailing = change == .fails
      turnedAt = now
      ranDryAt = nil
    case .gone, .back: break
    }
  }

  /// Power on lists what is there.
  mutating func powerOn() {
    listed = present
    changedAt = nil
    sought = nil
  }

  mutating func take(_ event: Event, at now: Instant) -> Mismatch? {
    added = present.subtracting(listed)
    let removed = listed.subtracting(present).count
    listed = present
    changedAt = nil
    listedAt = now
    let found = ["tracks", "added", "removed"].map { event[$0] }
    if found == [present.count, added.count, removed].map(String.init) { return nil }
    return Mismatch(
      "X1", "\(added.count) files came and \(removed) went, and the log says \(found.compactMap { $0 })")
  }

  /// Whether the kiosk, awake since `since`, has not listed a change in time.
  func isOverdue(at now: Instant, awakeSince: Instant?) -> Bool {
    guard let changedAt, present != listed else { return false }
    return now > max(changedAt, awakeSince ?? changedAt) + Self.quiet
  }
}
