/// How a contact behaves that no finger presses: a motion sensor, a mat, a lid, a handset's hook (O rows).
public struct Manners: Hashable, Sendable {
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    /// Each press chooses again, as that of a button.
    case once
    /// A press counts only where nothing that was chosen sounds or waits.
    case finish
    /// It sounds for as long as the contact is closed.
    case `while`
    /// Each press plays the file of the playlist that follows the last one, or any that was not heard yet.
    case next, random
  }

  public var mode: Mode
  /// It has to be open for this long before a press counts.
  public var rearm: Duration
  /// No press counts for this long after the end of what it has started.
  public var inhibit: Duration
  /// What a press starts begins this much later.
  public var delay: Duration
  /// No press counts for this long after power on: a motion sensor has to warm up.
  public var ignoreAtBoot: Duration
  /// Closed for longer, it is taken for stuck; zero: as a button, and with `while` never.
  public var limit: Duration

  public init(
    _ mode: Mode = .once, rearm: Duration = .zero, inhibit: Duration = .zero, delay: Duration = .zero,
    ignoreAtBoot: Duration = .zero, limit: Duration = .zero
  ) {
    self.mode = mode
    self.rearm = rearm
    self.inhibit = inhibit
    self.delay = delay
    self.ignoreAtBoot = ignoreAtBoot
    self.limit = limit
  }

  /// After which time it is taken for stuck; nil: after none.
  func stuckAfter(_ usual: Duration) -> Duration? {
    if limit > .zero { return limit }
    return mode == .while ? nil : usual
  }
}
