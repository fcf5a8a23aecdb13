import AudioSession

/// What has become of headsets, in order.
enum HeadsetFact {
  case pairingOpened
  case pairingClosed(PairingEnding)
  case paired(Headset)
  /// nil: the search failed, or nothing can be paired.
  case pairingFailed(Headset?, reason: String)
  /// - Parameter count: of refusals since the last one; nil: this one alone.
  case refused(Headset, request: String, count: Int?)
  case removed(Headset, failure: String?)
  case called(Headset, failure: String?)
  /// A person has turned the headset of a port to this volume.
  case turned(Port, volume: Int)
  case ask(HeadsetCommand)
  case askVolume(Port, level: Int)
}

/// Headsets: pairing without a screen (B7), calling those that are absent (B9), and the volumes that they make
/// themselves (B6).
struct Headsets: Hashable, Sendable {
  /// How long a headset may pair, and how often refusals are logged.
  static let pairingTime = Duration.seconds(60)
  static let refusalTime = Duration.seconds(60)

  static let pairReply = "a headset may pair within 60 s: switch it to pairing"

  /// Empty: all.
  private let allowed: [BluetoothAddress]
  private let hasPorts: Bool
  private(set) var pairing = Pairing()
  private var calls = HeadsetCalls()
  /// Headsets with absolute volume (AVRCP), by port.
  private var volumes: [Port: HeadsetVolume] = [:]

  init(allowed: [BluetoothAddress], ports: [OutputPort]) {
    self.allowed = allowed
    hasPorts = ports.contains(where: \.isWireless)
  }

  // MARK: - Pairing (B7)

  /// Why nothing can be paired; nil: it can.
  var whyNoPairing: String? {
    hasPorts ? pairing.fault : "the board has no Bluetooth port: [ports.bluetooth] in the board file makes one"
  }

  mutating func pair(at now: Instant) -> [HeadsetFact] {
    if let reason = whyNoPairing { return [.pairingFailed(nil, reason: reason)] }
    // A second press restarts the time, and is one window with the first.
    let isNew = !pairing.isOpen
    pairing.open(until: now + Self.pairingTime)
    return isNew ? [.pairingOpened] : []
  }

  /// The time is up. A pairing that has begun is not broken off.
  mutating func timeOutPairing() -> [HeadsetFact] { pairing.timeOut() ? close(.timeOut) : [] }

  private mutating func closeIfOver() -> [HeadsetFact] {
    pairing.isOpen && pairing.isOver && pairing.candidate == nil ? close(.timeOut) : []
  }

  private mutating func close(_ reason: PairingEnding) -> [HeadsetFact] {
    pairing.close()
    return [.pairingClosed(reason)]
  }

  /// - Parameter free: wireless ports whose headset is not there, as their lines say.
  mutating func take(_ report: HeadsetReport, free: [OutputPort], at now: Instant) -> [HeadsetFact] {
    switch report {
    case .unavailable(let reason):
      pairing.become(unavailable: reason)
      calls.forget()
      return closeIfOver()
    case .known(let headsets):
      let isFirst = pairing.become(known: headsets)
      calls.update(absent: absent(free), isFirst: isFirst, at: now)
      return headsets.filter { $0.isTrusted && !isAllowed($0.address) }.map { .ask(.distrust($0.address)) }
    case .found(let headset): return found(headset, at: now)
    case .paired(let headset):
      guard pairing.candidate == headset.address else { return [] }
      pairing.close()
      return [.paired(headset)]
    case .pairingFailed(let headset, let reason):
      if let headset { pairing.failed(headset.address) }
      return [.pairingFailed(headset, reason: reason)] + closeIfOver()
    case .called(let address, let failure):
      calls.ended(address, at: now)
      let headset = pairing.known.first { $0.address == address } ?? Headset(address: address, name: "")
      return [.called(headset, failure: failure)]
    case .removed(let headset, let failure): return [.removed(headset, failure: failure)]
    case .refused(let headset, let request): return refuse(headset, request, at: now)
    }
  }

  private func isAllowed(_ address: BluetoothAddress) -> Bool { allowed.isEmpty || allowed.contains(address) }

  private mutating func found(_ headset: Headset, at now: Instant) -> [HeadsetFact] {
    guard pairing.isOpen, isAllowed(headset.address) else {
      return pairing.isOpen || headset.isConnected ? refuse(headset, "pairing", at: now) : []
    }
    return pairing.take(headset.address) ? [.ask(.pair(headset.address))] : []
  }

  /// Limits how often refusals are logged.
  private mutating func refuse(_ headset: Headset, _ request: String, at now: Instant) -> [HeadsetFact] {
    let isLogged = pairing.refuse(headset, request, countUntil: now + Self.refusalTime)
    return isLogged ? [.refused(headset, request: request, count: nil)] : []
  }

  mutating func timeOutRefusals(at now: Instant) -> [HeadsetFact] {
    guard let counted = pairing.takeRefusals(countUntil: now + Self.refusalTime), let headset = counted.headset
    else { return [] }
    return [.refused(headset, request: counted.request, count: counted.count)]
  }

  // MARK: - Commands of the console

  /// A line for each headset that is paired.
  var pairedList: [String] {
    if pairing.known.isEmpty { return ["no headset is paired"] }
    return pairing.known.map { headset in
      "address=\(headset.address) connected=\(headset.isConnected ? "yes" : "no") "
        + (isAllowed(headset.address) ? "" : "allowed=no ") + "name=\(Event.quoted(headset.name))"
    }
  }

  /// The headsets of this name or address; nil: all.
  private func headsets(named name: String?) -> [Headset] {
    guard let name else { return pairing.known }
    return pairing.known.filter { $0.name == name || $0.address == BluetoothAddress(name) }
  }

  func objection(toUnpairing name: String?) -> String? {
    if let reason = whyNoPairing { return "unpair: \(reason)" }
    guard let name else { return nil }
    switch headsets(named: name).count {
    case 0: return "unpair \(name): no such headset is paired"
    case 1: return nil
    case let count: return "unpair \(name): \(count) headsets are called so, expected an address"
    }
  }

  func unpair(_ name: String?) -> [HeadsetFact] { headsets(named: name).map { .ask(.remove($0.address)) } }

  // MARK: - The radio (B9)

  /// After every input. A scan makes what is played over Bluetooth stutter, and so does a call to somebody who is not
  /// there: neither happens meanwhile.
  ///
  /// - Parameters:
  ///   - mayDisturb: nothing is played over Bluetooth.
  ///   - free: wireless ports whose headset is not there.
  mutating func settleRadio(mayDisturb: Bool, free: [OutputPort], at now: Instant) -> [HeadsetFact] {
    var facts: [HeadsetFact] = []
    let isSearching =
      mayDisturb && pairing.isOpen && !pairing.isOver && pairing.candidate == nil && calls.current == nil
    if pairing.setSearching(isSearching) { facts.append(.ask(.search(isSearching))) }
    if pairing.fault == nil { calls.update(absent: absent(free), isFirst: false, at: now) }
    if mayDisturb && mayCall, let address = calls.begin(at: now) { facts.append(.ask(.call(address))) }
    return facts
  }

  private var mayCall: Bool { pairing.fault == nil && !pairing.isOpen }

  /// When the next one is called, if the radio may be disturbed then; nil: nobody is to be called, somebody is being
  /// called, or a headset may pair.
  var callDue: Instant? { mayCall ? calls.due : nil }

  /// The known headsets that a free port waits for. Only the port's line decides whether one is present:
  /// BlueZ may have a link to it without a PCM.
  private func absent(_ free: [OutputPort]) -> [HeadsetCalls.Absent] {
    pairing.known.filter { headset in
      headset.isTrusted && isAllowed(headset.address)
        && free.contains { $0.headset == nil || $0.headset == headset.address }
    }.map { HeadsetCalls.Absent(address: $0.address, isLinked: $0.isConnected) }
  }

  // MARK: - Volume (B6)

  /// - Parameter level: nil: it takes no volume, or has gone.
  mutating func take(level: Int?, of port: Port, at now: Instant) -> [HeadsetFact] {
    guard let level else {
      volumes[port] = nil
      return []
    }
    // The first is what another source, or its own memory, has left it at: the port's volume overrides it.
    guard volumes[port] != nil else {
      volumes[port] = HeadsetVolume(level: level, newUntil: now + HeadsetVolume.arrival)
      return []
    }
    return volumes[port]?.report(level, at: now).map { [.turned(port, volume: $0)] } ?? []
  }

  /// When the time for the answer of a port's headset has passed; nil: nothing is waited for.
  func answerDue(of port: Port) -> Instant? { volumes[port]?.answerDue }

  mutating func timeOutAnswer(of port: Port) { volumes[port]?.timeOut() }

  /// After every input: brings headsets to the volumes of their ports.
  mutating func settleVolumes(_ wanted: VolumeControl, at now: Instant) -> [HeadsetFact] {
    volumes.keys.sorted { $0.rawValue < $1.rawValue }.compactMap { port in
      volumes[port]?.settle(wanted.heard(of: port), at: now).map { .askVolume(port, level: $0) }
    }
  }

  /// The part of a port's volume that is applied to the samples.
  func samples(of port: Port, volume: Int) -> Int { volumes[port]?.samples(of: volume) ?? volume }
}
