import AudioSession

/// Pairing without a screen (B7), and calling the headsets that are absent (B9).
/// Changes: `pairing`, `headsetCalls`.
extension Jukebox {
  /// How long a headset may pair, and how often refusals are logged.
  static let pairingTime = Duration.seconds(60)
  static let refusalTime = Duration.seconds(60)

  static let pairReply = "a headset may pair within 60 s: switch it to pairing"

  /// Why nothing can be paired; nil: it can.
  var whyNoPairing: String? {
    configuration.ports.contains(where: \.isWireless)
      ? pairing.fault
      : "the board has no Bluetooth port: [ports.bluetooth] in the board file makes one"
  }

  mutating func pair(_ turn: inout Turn) {
    if let reason = whyNoPairing { return turn.log(.pairingFailed, .warn, ["reason": reason]) }
    // A second press begins the time anew, and is one window with the first.
    if !pairing.isOpen { turn.log(.pairingOpened, .info, ["for": Self.pairingTime.logSeconds]) }
    pairing.open(until: turn.now + Self.pairingTime)
  }

  /// The time is up. A pairing that has begun is not broken off.
  mutating func endPairingWindow(_ turn: inout Turn) { if pairing.timeOut() { closePairing(.timeOut, &turn) } }

  private mutating func closeIfOver(_ turn: inout Turn) {
    if pairing.isOpen && pairing.isOver && pairing.candidate == nil { closePairing(.timeOut, &turn) }
  }

  private mutating func closePairing(_ reason: PairingEnding, _ turn: inout Turn) {
    pairing.close()
    turn.log(.pairingClosed, .info, ["reason": reason.rawValue])
  }

  mutating func heard(_ report: HeadsetReport, _ turn: inout Turn) {
    switch report {
    case .unavailable(let reason):
      pairing.become(unavailable: reason)
      headsetCalls.forget()
      closeIfOver(&turn)
    case .known(let headsets):
      let isFirst = pairing.become(known: headsets)
      headsetCalls.update(absent: absentHeadsets, isFirst: isFirst, at: turn.now)
      for headset in headsets where headset.isTrusted && !isAllowed(headset.address) {
        turn.append(.headset(.distrust(headset.address)))
      }
    case .found(let headset): found(headset, &turn)
    case .paired(let headset):
      guard pairing.candidate == headset.address else { return }
      pairing.close()
      turn.log(.pairingPaired, .info, fields(headset))
    case .pairingFailed(let headset, let reason):
      turn.log(.pairingFailed, .warn, headset.map { fields($0, reason) } ?? ["reason": reason])
      if let headset { pairing.failed(headset.address) }
      closeIfOver(&turn)
    case .called(let address, let failure):
      headsetCalls.ended(address, at: turn.now)
      let headset = pairing.known.first { $0.address == address } ?? Headset(address: address, name: "")
      turn.log(.headsetCalled, .debug, fields(headset, failure))
    case .removed(let headset, let failure):
      turn.log(.pairingRemoved, failure == nil ? .info : .warn, fields(headset, failure))
    case .refused(let headset, let request): refuse(headset, request, &turn)
    }
  }

  private func fields(_ headset: Headset, _ reason: String? = nil) -> KeyValuePairs<String, String?> {
    ["name": headset.name, "address": headset.address.description, "reason": reason]
  }

  private func isAllowed(_ address: BluetoothAddress) -> Bool {
    let allowed = configuration.settings.bluetoothAllowed
    return allowed.isEmpty || allowed.contains(address)
  }

  private mutating func found(_ headset: Headset, _ turn: inout Turn) {
    guard pairing.isOpen, isAllowed(headset.address) else {
      if pairing.isOpen || headset.isConnected { refuse(headset, "pairing", &turn) }
      return
    }
    if pairing.take(headset.address) { turn.append(.headset(.pair(headset.address))) }
  }

  /// Limits how often refusals are logged.
  private mutating func refuse(_ headset: Headset, _ request: String, _ turn: inout Turn) {
    let isLogged = pairing.refuse(headset, request, countUntil: turn.now + Self.refusalTime)
    if isLogged { logRefusal(headset, request, count: nil, &turn) }
  }

  mutating func reportRefusals(_ turn: inout Turn) {
    guard let counted = pairing.takeRefusals(countUntil: turn.now + Self.refusalTime), let headset = counted.headset
    else { return }
    logRefusal(headset, counted.request, count: counted.count, &turn)
  }

  private mutating func logRefusal(_ headset: Headset, _ request: String, count: Int?, _ turn: inout Turn) {
    turn.log(
      .pairingRefused, .notice,
      [
        "name": headset.name, "address": headset.address.description, "request": request,
        "n": count.map(String.init),
      ])
  }

  // MARK: - The console

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

  mutating func unpair(_ name: String?, _ turn: inout Turn) {
    for headset in headsets(named: name) { turn.append(.headset(.remove(headset.address))) }
  }

  // MARK: - After every input

  /// A scan makes what is played over Bluetooth stutter, and so does a call to somebody who is not there: neither
  /// happens meanwhile.
  mutating func settleHeadsets(_ turn: inout Turn) {
    let isSearching = mayDisturbRadio && pairing.isOpen && !pairing.isOver && pairing.candidate == nil
    if pairing.setSearching(isSearching) { turn.append(.headset(.search(isSearching))) }
    if pairing.fault == nil { headsetCalls.update(absent: absentHeadsets, isFirst: false, at: turn.now) }
    if mayCallHeadsets, let address = headsetCalls.begin(at: turn.now) { turn.append(.headset(.call(address))) }
  }

  var mayCallHeadsets: Bool { mayDisturbRadio && pairing.fault == nil && !pairing.isOpen }

  private var mayDisturbRadio: Bool { isOn && !isSoundingByRadio }

  private var isSoundingByRadio: Bool {
    guard commanded.isSounding || isClipCommanded else { return false }
    return (routes.others + [routes.route.port].compactMap(\.self)).contains {
      routes.setup(of: $0)?.isWireless == true
    }
  }

  /// Those that a port without a headset waits for. Whether one is there is for the port's line to say: BlueZ may have a
  /// link to it all the same.
  private var absentHeadsets: [HeadsetCalls.Absent] {
    let free = configuration.ports.filter { port in
      guard port.isWireless, case .line(let line) = port.sense else { return false }
      return !lines.isAsserted(line)
    }
    return pairing.known.filter { headset in
      headset.isTrusted && isAllowed(headset.address)
        && free.contains { $0.headset == nil || $0.headset == headset.address }
    }.map { HeadsetCalls.Absent(address: $0.address, isLinked: $0.isConnected) }
  }
}
