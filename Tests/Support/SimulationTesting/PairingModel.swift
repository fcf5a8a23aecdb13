import AudioSession
import Jukebox

/// Which headsets may pair, have paired, and are called (B7, B9). A kiosk with one wireless port calls nobody while
/// that sounds, because its headset is there then: that rule has tests of its own.
struct PairingModel {
  private static let window = Duration.seconds(60)
  /// A pairing that has begun in time ends within this time after the window.
  private static let pairingTime = Duration.seconds(1)
  /// How long a call takes that is answered, and one that is not.
  private static let answered = Duration.milliseconds(500)
  private static let unanswered = Duration.milliseconds(5_120)
  /// The shortest pause from one call to the next one to the same headset.
  private static let pause = Duration.seconds(5)

  /// A window of Pair, in which nobody is called.
  private struct Window {
    var begin: Instant
    var end: Instant?
  }

  /// What is paired, and what was until a moment ago; both as the log has it, over power cuts.
  private var paired: Set<BluetoothAddress> = []
  private var removedAt: [BluetoothAddress: Instant] = [:]
  /// Who is ready to pair, and has not.
  private var ready: Set<BluetoothAddress> = []
  /// When Pair was pressed or typed last.
  private var askedAt: Instant?
  private var openedAt: Instant?
  var isOpen: Bool { openedAt != nil }
  private var failures: [BluetoothAddress: Int] = [:]
  /// When a refusal was logged last, and how many there were since, the first of them when.
  private var refusedAt: Instant?
  private var unloggedAt = Instant.powerOn
  private var refusals = 0
  private var calledAt: [BluetoothAddress: Instant] = [:]
  /// When each was switched on last.
  private var switchedOnAt: [BluetoothAddress: Instant] = [:]
  /// Who is to be called after power on, and until when.
  private var awaited: Set<BluetoothAddress> = []
  private var awaitedUntil = Instant.powerOn
  private var windows: [Window] = []
  /// It has slept, and is late with everything.
  private var hasSlept = false

  // MARK: - What happens

  mutating func powerOn(at now: Instant, isPlugged: Bool) {
    self = PairingModel(paired: paired, ready: ready)
    if isPlugged { return }
    awaited = paired
    awaitedUntil = now + (Self.unanswered + .milliseconds(100)) * paired.count
  }

  private init(paired: Set<BluetoothAddress>, ready: Set<BluetoothAddress>) {
    self.paired = paired
    self.ready = ready
  }

  init() {}

  mutating func sleep() {
    (hasSlept, awaited, refusals) = (true, [], 0)
    if openedAt != nil { askedAt = nil }
  }

  mutating func change(_ address: BluetoothAddress, isReady: Bool) {
    if isReady { ready.insert(address) } else { ready.remove(address) }
  }

  mutating func switchOn(_ address: BluetoothAddress, at now: Instant) { switchedOnAt[address] = now }

  /// A stranger asks to pair, and somebody hears it.
  mutating func refuse(at now: Instant) {
    if refusals == 0 { unloggedAt = now }
    refusals += 1
  }

  /// Pair is pressed or typed.
  mutating func ask(at now: Instant) {
    askedAt = now
    failures = [:]
    awaited = []
  }

  /// A headset can be played to.
  mutating func plug() { awaited = [] }

  // MARK: - What is logged

  mutating func check(_ event: Event, at now: Instant) -> Mismatch? {
    let address = event["address"].flatMap { BluetoothAddress($0) }
    switch event.name {
    case .pairingOpened:
      if openedAt != nil { return Mismatch("B7", "a window opens within another") }
      openedAt = now
      windows.append(Window(begin: now))
    case .pairingClosed:
      let begin = askedAt ?? now
      if openedAt == nil { return Mismatch("B7", "a window closes that was not open") }
      if now < begin + Self.window && !hasSlept { return Mismatch("B7", "the window closes early") }
      close(at: now)
    case .pairingPaired:
      guard let address, openedAt != nil else { return Mismatch("B7", "a headset pairs outside a window") }
      if !ready.contains(address) { return Mismatch("B7", "\(address) pairs, and is not ready to") }
      paired.insert(address)
      ready.remove(address)
      close(at: now)
    case .pairingFailed:
      guard let address else {
        askedAt = nil
        return nil
      }
      failures[address, default: 0] += 1
      if failures[address, default: 0] > 3 { return Mismatch("B7", "\(address) is tried more than three times") }
    case .pairingRemoved:
      guard let address, event["reason"] == nil else { return nil }
      if paired.remove(address) == nil { return Mismatch("B7", "\(address) is removed, and was not paired") }
      removedAt[address] = now
      awaited.remove(address)
    case .pairingRefused: return checkRefusal(event, at: now)
    case .headsetCalled: if let address { return checkCall(address, event, at: now) }
    default: break
    }
    return nil
  }

  private mutating func close(at now: Instant) {
    openedAt = nil
    windows[windows.count - 1].end = now
  }

  private mutating func checkRefusal(_ event: Event, at now: Instant) -> Mismatch? {
    let count = event["n"].flatMap { Int($0) } ?? 1
    defer { (refusedAt, refusals) = (now, 0) }
    if let refusedAt, now < refusedAt + Self.window && !hasSlept {
      return Mismatch("B7", "refusals are logged less than a minute apart")
    }
    return count == refusals || hasSlept
      ? nil : Mismatch("B7", "\(count) refusals are logged, and \(refusals) were made")
  }

  private mutating func checkCall(_ address: BluetoothAddress, _ event: Event, at now: Instant) -> Mismatch? {
    awaited.remove(address)
    // One that has gone meanwhile does not answer, and says so sooner. One that was switched on meanwhile is found by the
    // last of a long call, which may have begun before a window of Pair.
    let isLate = event["reason"] == nil && switchedOnAt[address].map { now < $0 + Self.unanswered } ?? false
    let begins = event["reason"] == nil && !isLate ? [Self.answered] : [Self.answered, Self.unanswered]
    let isKnown = paired.contains(address) || removedAt[address].map { now < $0 + Self.unanswered * 2 } ?? false
    if !isKnown { return Mismatch("B9", "\(address) is called, and is not paired") }
    defer { calledAt[address] = now }
    if hasSlept { return nil }
    if let last = calledAt[address], begins.allSatisfy({ now - $0 < last + Self.pause }) {
      return Mismatch("B9", "\(address) is called again at once")
    }
    let isInWindow = windows.contains { window in
      begins.allSatisfy { window.begin < now - $0 && now - $0 < window.end ?? now }
    }
    if isInWindow { return Mismatch("B9", "\(address) is called in a window of Pair") }
    return nil
  }

  // MARK: - What has settled

  mutating func settle(at now: Instant) -> Mismatch? {
    windows.removeAll { $0.end.map { $0 < now - .seconds(10) } ?? false }
    if hasSlept { return nil }
    if openedAt == now, askedAt != now { return Mismatch("B7", "a window opens, and nobody asked for it") }
    if openedAt != nil, let askedAt, now > askedAt + Self.window + Self.pairingTime {
      return Mismatch("B7", "the window does not end")
    }
    if askedAt == now && openedAt == nil { return Mismatch("B7", "Pair opens no window") }
    if refusals > 0, now > max(unloggedAt, refusedAt.map { $0 + Self.window } ?? .powerOn) {
      return Mismatch("B7", "\(refusals) refusals are not logged")
    }
    if now > awaitedUntil, let address = awaited.first {
      return Mismatch("B9", "\(address) is not called after power on")
    }
    return nil
  }
}
