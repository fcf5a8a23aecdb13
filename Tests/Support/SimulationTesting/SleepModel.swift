import AudioSession
import Jukebox

/// What the sleep timer has to do, by what the log says that it was set to (H5).
struct SleepModel {
  /// When the fade has to begin; nil: there is none, or it ends the music after the track.
  private var due: Instant?
  private(set) var isSet = false
  private var fadingSince: Instant?
  /// When the music had its own level again.
  private var over: Instant?

  var isFading: Bool { fadingSince != nil }

  /// Whether the music may have another level than its own at the moment.
  func disturbsLevel(at now: Instant) -> Bool { isFading || over.map { now < $0 + .seconds(3) } ?? false }

  mutating func check(_ event: Event, at now: Instant) -> Mismatch? {
    switch event.name.rawValue {
    case "sleep.set":
      if isFading { over = now }
      (due, isSet, fadingSince) = (event["in"].flatMap(Double.init).map { now + .seconds($0) }, true, nil)
    case "sleep.fading":
      if let fault = fault(at: now) { return fault }
      if due.map({ now < $0 - .milliseconds(2) }) ?? true { return Mismatch("H5", "the music fades too early") }
      (due, fadingSince) = (nil, now)
    case "sleep.ended":
      defer { (due, isSet, fadingSince, over) = (nil, false, nil, now) }
      guard isSet else { return Mismatch("H5", "a sleep timer ends that was not set") }
      guard event["reason"] == "time" else { return nil }
      if let fadingSince, now < fadingSince + .seconds(10) { return Mismatch("H5", "the fade is shorter than 10 s") }
    case "playback.paused":
      if event["cause"] == "sleep" && !isSet { return Mismatch("H5", "a pause by a sleep timer that was not set") }
    default: break
    }
    return nil
  }

  /// After every input.
  func fault(at now: Instant) -> Mismatch? {
    if let due, now > due + .milliseconds(20) { return Mismatch("H5", "the sleep timer was due at \(due.logStamp)") }
    if let fadingSince, now > fadingSince + .milliseconds(10_020) { return Mismatch("H5", "the fade has no end") }
    return nil
  }

  /// An end that was due while the system slept is done now (R11).
  mutating func wake(at now: Instant) {
    due = due.map { max($0, now) }
    fadingSince = fadingSince.map { max($0, now - .seconds(10)) }
  }
}
