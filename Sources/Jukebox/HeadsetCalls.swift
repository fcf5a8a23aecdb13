import AudioSession

/// When which headset that is absent is called (B9): one at a time, each after pauses that grow, and of many each in its
/// turn.
struct HeadsetCalls: Hashable, Sendable {
  /// Pauses after the first failure, the second one and so on, in seconds; the last one for all others.
  static let pauses = [5, 10, 20, 40, 80, 160, 300]
  /// With more headsets than this that are absent, late calls begin at least so long after the one before, because calls
  /// disturb the radio.
  static let most = 5
  static let distance = Duration.seconds(60)
  /// After the loss of a link, BlueZ calls for some two minutes itself.
  static let pauseAfterLoss = Duration.seconds(180)

  /// A headset that is absent.
  struct Absent: Hashable {
    var address: BluetoothAddress
    /// BlueZ has a link to it, over which nothing can be played: bluez-alsa was away, or was not there yet.
    var isLinked: Bool
  }

  private struct Call: Hashable {
    var due: Instant
    var tries: Int
    var isLinked: Bool
  }

  private var calls: [BluetoothAddress: Call] = [:]
  /// Who is being called.
  private(set) var current: BluetoothAddress?
  /// When the last call began.
  private var begun: Instant?

  /// - Parameter isFirst: it was not known before who is absent.
  mutating func update(absent: [Absent], isFirst: Bool, at now: Instant) {
    if isFirst { calls = [:] }
    calls = calls.filter { call in absent.contains(Absent(address: call.key, isLinked: call.value.isLinked)) }
    for headset in absent where calls[headset.address] == nil {
      calls[headset.address] = first(headset, isFirst: isFirst, at: now)
    }
  }

  private func first(_ headset: Absent, isFirst: Bool, at now: Instant) -> Call {
    // It is about to be there, as a rule, and nobody else calls it.
    if headset.isLinked { return Call(due: now + .seconds(Self.pauses[0]), tries: 1, isLinked: true) }
    let later = Call(due: now + Self.pauseAfterLoss, tries: Self.pauses.count, isLinked: false)
    return isFirst ? Call(due: now, tries: 0, isLinked: false) : later
  }

  /// Begins the call that is due, and returns whom it is to.
  mutating func begin(at now: Instant) -> BluetoothAddress? {
    guard current == nil else { return nil }
    let due = calls.filter { mayBegin($0.value) <= now }
    current = due.min { ($0.value.due, $0.key.description) < ($1.value.due, $1.key.description) }?.key
    if current != nil { begun = now }
    return current
  }

  private func mayBegin(_ call: Call) -> Instant {
    let isLate = call.tries >= Self.pauses.count
    guard isLate, calls.count > Self.most, let begun else { return call.due }
    return max(call.due, begun + Self.distance)
  }

  mutating func ended(_ address: BluetoothAddress, at now: Instant) {
    if current == address { current = nil }
    guard let tries = calls[address]?.tries else { return }
    calls[address]?.due = now + .seconds(Self.pauses[min(tries, Self.pauses.count - 1)])
    calls[address]?.tries = tries + 1
  }

  /// When the next call is due; nil: nobody is to be called, or somebody is being called.
  var due: Instant? { current == nil ? calls.values.lazy.map(mayBegin).min() : nil }

  /// The end of the call will no longer be reported.
  mutating func forget() { (calls, current) = ([:], nil) }
}
