import AudioSession
import BoardFiles
import Jukebox

/// Contacts with manners: what they have begun, and which of their presses count (O rows).
struct ContactModel {
  /// What sounds, or waits to, because of a contact.
  struct Claim {
    var line: String
    /// For as long as the contact is closed.
    var isHeld: Bool
    /// One track; false: its playlist.
    var isOfTrack: Bool
    /// Where it may begin to sound (O8).
    var port: Port?
    /// The track; nil: not known yet, or a playlist.
    var file: String?
    /// It sounded when everything had settled last.
    var isAudible = false
    /// Files have come or gone since: whether it goes on, nobody knows.
    var isDoubtful = false
    var begunAt: Instant
  }

  struct Delay {
    var due: Instant
    var port: Port?
  }

  /// The cue of a contact, which nobody else asks for.
  struct AskedCue {
    var line: String
    var at: Instant
    var port: Port?
    var isAudible = false
  }

  let manners: [String: Manners]
  private let stuckAfter: Duration
  var claim: Claim?
  var delays: [String: Delay] = [:]
  /// By the name of the cue.
  var cues: [String: AskedCue] = [:]
  /// The playlist changes for a contact in this instant, which has drawn one of its files.
  var isEntering = false
  var isDrawn = false
  var countedAt: Instant?
  private var poweredAt = Instant.powerOn
  private var openSince: [String: Instant] = [:]
  /// When what it had begun was over, and whether that is certain.
  private var ended: [String: (at: Instant, isCertain: Bool)] = [:]

  init(_ board: BoardDescription, settings: Settings) {
    manners = Dictionary(board.lines.compactMap { line in line.manners.map { (line.name, $0) } }) { first, _ in first }
    stuckAfter = settings.stuckAfter
  }

  mutating func powerOn(at now: Instant) {
    poweredAt = now
    (claim, delays, cues, openSince, ended) = (nil, [:], [:], [:], [:])
  }

  /// O9.
  mutating func wake(slept: Duration) {
    poweredAt = poweredAt + slept
    openSince = openSince.mapValues { $0 + slept }
    ended = ended.mapValues { (at: $0.at + slept, isCertain: $0.isCertain) }
  }

  /// K4, O3.3; nil: it may be closed forever.
  func stuckAfter(_ line: String) -> Duration? {
    guard let manners = manners[line] else { return stuckAfter }
    if manners.limit > .zero { return manners.limit }
    return manners.mode == .while ? nil : stuckAfter
  }

  mutating func open(_ line: String, at now: Instant) { openSince[line] = now }

  mutating func begin(_ claim: Claim) {
    ended[claim.line] = nil
    self.claim = claim
  }

  /// What a contact has begun is over, or another choice takes its place.
  mutating func end(at now: Instant) {
    if let claim { ended[claim.line] = (now, !claim.isDoubtful) }
    claim = nil
  }

  /// A cue is over. - Parameter hasFailed: it was not heard.
  mutating func end(cue name: String, hasFailed: Bool, at now: Instant) {
    guard let asked = cues.removeValue(forKey: name) else { return }
    // One that was refused at once has not begun (O5.1).
    if !hasFailed || asked.at < now { ended[asked.line] = (now, true) }
  }

  /// Somebody has chosen otherwise. - Parameter file: the current track.
  mutating func settle(_ file: String?, at now: Instant) {
    (isEntering, isDrawn) = (false, false)
    guard let known = claim?.file ?? file, claim?.isOfTrack == true else { return }
    claim?.file = known
    if known == file { return }
    if claim?.isHeld == true { claim?.isOfTrack = false } else { end(at: now) }
  }

  // MARK: - Presses

  /// Whether the log may say this of a press.
  /// - Parameters:
  ///   - ignored: nil: it counts.
  ///   - mayBeTaken, isTaken: something that was chosen sounds or waits, perhaps or certainly.
  func check(_ line: String, _ ignored: String?, mayBeTaken: Bool, isTaken: Bool, at now: Instant) -> Mismatch? {
    guard let manners = manners[line] else { return nil }
    let isCold = now < poweredAt + manners.ignoreAtBoot
    let isFresh = openSince[line].map { now < $0 + manners.rearm } ?? false
    let end = ended[line].flatMap { now < $0.at + manners.inhibit ? $0 : nil }
    let isWaiting = delays[line] != nil || countedAt == now
    let isFinishing = manners.mode == .finish
    func mismatch(_ row: String, _ isRight: Bool) -> Mismatch? {
      isRight ? nil : Mismatch(row, "a press of \(line) is \(ignored.map { "ignored: \($0)" } ?? "counted")")
    }
    switch ignored {
    case "boot": return mismatch("O5.3", isCold)
    case "rearm": return mismatch("O5", isFresh)
    case "inhibited": return mismatch("O5.1", end != nil || claim?.isDoubtful == true)
    case "busy": return mismatch("O2", isWaiting || isFinishing && (mayBeTaken || !delays.isEmpty))
    case _:
      return mismatch("O5.3", !isCold) ?? mismatch("O5", !isFresh)
        ?? mismatch("O5.1", end?.isCertain != true) ?? mismatch("O6", !isWaiting)
        ?? mismatch("O2", !isFinishing || !isTaken)
    }
  }
}
