import AudioSession

/// The window in which one headset may pair (B7), and which headsets have. `Headsets` acts on it.
struct Pairing: Hashable, Sendable {
  /// One that fails is tried no more often in a window.
  static let mostAttempts = 3

  /// Why nothing can be paired or called; nil: it can.
  private(set) var fault: String? = "BlueZ has not replied yet"
  /// The headsets that are paired.
  private(set) var known: [Headset] = []
  private(set) var isOpen = false
  /// When the window ends; nil: it is not open, or its time is up.
  private(set) var due: Instant?
  /// The time is up, and the headset that is being paired is the last one.
  private(set) var isOver = false
  /// Which headset is being paired.
  private(set) var candidate: BluetoothAddress?
  private var attempts: [BluetoothAddress: Int] = [:]
  private(set) var isSearching = false
  /// Refusals since the last one that was logged; nil: one may be logged at once.
  private(set) var refusals: Refusals?

  /// What is refused too often to be logged each time.
  struct Refusals: Hashable, Sendable {
    var count = 0
    /// When they are logged, if there are any.
    var due: Instant
    /// Who was refused last, and what.
    var headset: Headset?
    var request = ""
  }

  // MARK: - What is known

  mutating func become(unavailable reason: String) {
    fault = reason
    candidate = nil
  }

  /// Returns whether that was not known before.
  mutating func become(known headsets: [Headset]) -> Bool {
    defer { (fault, known) = (nil, headsets) }
    return fault != nil
  }

  // MARK: - The window

  /// Opens the window, or restarts it.
  mutating func open(until instant: Instant) { (isOpen, isOver, attempts, due) = (true, false, [:], instant) }

  mutating func close() { (isOpen, isOver, candidate, attempts, due) = (false, false, nil, [:], nil) }

  /// The time is up. Returns whether the window ends now.
  mutating func timeOut() -> Bool {
    isOver = true
    due = nil
    return isOpen && candidate == nil
  }

  /// Returns whether the headset that was found is to be paired.
  mutating func take(_ address: BluetoothAddress) -> Bool {
    guard isOpen, !isOver, candidate == nil, attempts[address, default: 0] < Self.mostAttempts else { return false }
    candidate = address
    return true
  }

  mutating func failed(_ address: BluetoothAddress) {
    if candidate == address { candidate = nil }
    attempts[address, default: 0] += 1
  }

  /// Returns whether it is another state than before.
  mutating func setSearching(_ isSearching: Bool) -> Bool {
    defer { self.isSearching = isSearching }
    return isSearching != self.isSearching
  }

  // MARK: - Refusals

  /// Returns whether the refusal is to be logged now; else it is counted.
  mutating func refuse(_ headset: Headset, _ request: String, countUntil instant: Instant) -> Bool {
    guard let before = refusals else {
      refusals = Refusals(due: instant)
      return true
    }
    refusals = Refusals(count: before.count + 1, due: before.due, headset: headset, request: request)
    return false
  }

  /// Returns the count and resets it; nil: it was 0, and the next one is logged at once.
  mutating func takeRefusals(countUntil instant: Instant) -> Refusals? {
    guard let counted = refusals, counted.count > 0 else {
      refusals = nil
      return nil
    }
    refusals = Refusals(due: instant)
    return counted
  }
}
