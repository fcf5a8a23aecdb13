import AudioSession
import Jukebox

/// Whether a visit is under way, and when it has to end (V rows).
struct VisitModel {
  let settings: Settings
  private(set) var isUnderWay = false
  /// When the last one ended.
  private(set) var endedAt: Instant?
  /// The last private port has been out since, or somebody has done something since then.
  private(set) var goneSince: Instant?
  /// Music was wanted at another port since.
  private var isAloud = false
  /// What has kept the visit when its gap was over is gone since.
  private var keptUntil = Instant.powerOn

  init(settings: Settings) { self.settings = settings }

  // MARK: - What happens

  /// Music is heard.
  mutating func noteSound() { if goneSince != nil { isAloud = true } }

  /// - Parameter firstEdge: of the plug's contact.
  mutating func disconnect(isLast: Bool, firstEdge: Instant) {
    guard isUnderWay, isLast, settings.visitGap > .zero else { return }
    (goneSince, isAloud) = (firstEdge, false)
  }

  /// - Parameter isWanted: whether music is wanted, which somebody hears at another port or waits for.
  mutating func connectPrivate(firstEdge: Instant, isWanted: Bool) -> Mismatch? {
    defer { goneSince = nil }
    guard isUnderWay, let goneSince, settings.visitGap > .zero, !isWanted else { return nil }
    return firstEdge < goneSince + settings.visitGap
      ? nil : Mismatch("V3", "a plug after the gap, and the visit before has not ended")
  }

  /// A press, a token, a selector or a plug.
  mutating func use(at now: Instant) { if let since = goneSince { goneSince = max(since, now) } }

  /// - Parameters:
  ///   - isPlug: something was plugged in in this instant.
  ///   - isKept: a prompt waits, or somebody records, pages or sounds an alarm.
  ///   - hasPrivate: whether a private port is in.
  mutating func check(
    _ event: Event, isPlug: Bool, isKept: Bool, isOccupied: Bool, hasPrivate: Bool, at now: Instant
  ) -> Mismatch? {
    if event.name == .visitBegan {
      if isUnderWay { return Mismatch("V1", "a visit begins, and one is under way") }
      isUnderWay = true
      // A visitor who goes on without one is not gone.
      if event["by"] != "plug" && !hasPrivate { (goneSince, isAloud) = (now, true) }
    }
    guard event.name == .visitEnded else { return nil }
    defer { (isUnderWay, goneSince, isAloud, endedAt) = (false, nil, false, now) }
    if !isUnderWay { return Mismatch("V2", "a visit ends, and none is under way") }
    // What records or pages at closing goes on (H1.4).
    if isOccupied && !isPlug && event["reason"] != "closed" {
      return Mismatch("V4", "a visit ends under a recording, page or alarm")
    }
    guard event["reason"] == "hung-up" else { return nil }
    guard let goneSince else { return Mismatch("V2", "hung up, and a private port is in, or none was") }
    if now < goneSince + settings.visitGap { return Mismatch("V3", "hung up within the gap") }
    if isKept && !isPlug { return Mismatch("V5", "hung up, and the prompt waits") }
    return nil
  }

  /// Everything of this instant is over.
  /// - Parameter isWantedAloud: music is wanted, and nothing but the session or a device keeps it back.
  mutating func settle(
    _ status: Status, isKept: Bool, isWantedAloud: Bool, isMovingIn: Bool, at now: Instant
  ) -> Mismatch? {
    if status.isVisited != isUnderWay {
      return Mismatch("V1", "a visit is \(isUnderWay ? "" : "not ")under way, and the status says otherwise")
    }
    if goneSince != nil && isWantedAloud { isAloud = true }
    if isKept || isMovingIn { keptUntil = now }
    guard isUnderWay, let goneSince, !isKept, !isMovingIn, !isAloud else { return nil }
    let due = max(goneSince + settings.visitGap, keptUntil)
    return now > due + .milliseconds(100) ? Mismatch("V2", "the visit was over at \(due.logStamp)") : nil
  }

  mutating func wake(at now: Instant) { keptUntil = now }
}
