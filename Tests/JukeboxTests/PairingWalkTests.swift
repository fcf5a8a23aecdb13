import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Random days around the Pair button: BlueZ, which comes and goes and answers as it likes, headsets and strangers, and
/// somebody at the buttons. After each input, what holds always is checked.
@Suite struct PairingWalkTests {
  @Test(
    "B7, B8, B9: a window ends, one headset pairs in it, and no scan or call disturbs music over Bluetooth",
    arguments: 0..<40)
  func walk(seed: UInt64) {
    var walk = PairingWalk(seed: seed)
    for _ in 0..<500 {
      walk.step()
      guard walk.violations.isEmpty else { break }
    }
    #expect(walk.violations == [])
  }
}

private struct PairingWalk {
  private static let headsets = [PairingRows.headset, PairingRows.other]

  private var random: SplitMix64
  private let kiosk: Kiosk
  private(set) var violations: [String] = []
  private var isThere = false
  private var known: [Headset] = []
  /// What the brain was told of it last.
  private var listed: [Headset] = []
  private var isSearching = false
  private var pairing: Headset?
  private var called: BluetoothAddress?
  private var obeyed = 0
  /// Headsets that were paired in the window at hand, and since when it is open.
  private var pairedInWindow = 0
  private var openSince: Instant?

  init(seed: UInt64) {
    random = SplitMix64(state: seed)
    let allowed = seed.isMultiple(of: 3)
    kiosk = PairingRows.kiosk(plugged: seed.isMultiple(of: 2) ? ["JACK"] : [], known: nil) {
      if allowed { $0.bluetoothAllowed = [PairingRows.headset.address] }
    }
  }

  private mutating func one<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }

  mutating func step() {
    switch Int.random(in: 0..<14, using: &random) {
    case 0: kiosk.type(one(["pair", "pair", "unpair all", "paired"]))
    case 1: kiosk.type(one(["play", "pause", "stop", "cue welcome"]))
    case 2: if one([true, false]) { kiosk.plug("JACK") } else { kiosk.unplug("JACK") }
    case 3: one([true, false, false, false]) ? die() : list()
    case 4, 5, 6: if isThere, pairing == nil { find() }
    case 7: if isThere { report(.refused(Self.headsets[1], request: "pairing")) }
    case 8, 9: if let pairing { endPairing(pairing) }
    case 10: if let called { endCall(called) }
    case _: wait(one([.milliseconds(100), .seconds(3), .seconds(20), .seconds(70), .seconds(400)]))
    }
    check()
  }

  /// In steps, so that what happens in between is checked.
  private mutating func wait(_ time: Duration) {
    let end = kiosk.now + time
    while kiosk.now < end, violations.isEmpty {
      let next = kiosk.timers.values.min() ?? end
      kiosk.wait(max(.milliseconds(1), min(next, end) - kiosk.now))
      check()
    }
  }

  private mutating func report(_ report: HeadsetReport) {
    kiosk.feed(.headset(report))
    check()
  }

  private mutating func die() {
    isThere = false
    // An adapter may lose the answers, too.
    if let pairing, one([true, false]) { endPairing(pairing, isGood: false) }
    (pairing, called) = (nil, nil)
    report(.unavailable(reason: "BlueZ does not run"))
  }

  private mutating func list() {
    isThere = true
    for index in known.indices { known[index].isConnected = one([true, false]) }
    listed = known
    report(.known(known))
  }

  private mutating func find() {
    var headset = one(Self.headsets)
    headset.isConnected = one([true, false, false])
    if isSearching || headset.isConnected { report(.found(headset)) }
  }

  private mutating func endPairing(_ headset: Headset, isGood: Bool? = nil) {
    pairing = nil
    guard isGood ?? one([true, false]) else { return report(.pairingFailed(headset, reason: "no")) }
    known.removeAll { $0.address == headset.address }
    known.append(headset)
    pairedInWindow += 1
    report(.paired(headset))
    list()
  }

  private mutating func endCall(_ address: BluetoothAddress) {
    called = nil
    report(.called(address, failure: one(["no", nil])))
  }

  // MARK: - What holds always

  private mutating func demand(_ holds: Bool, _ rule: String) {
    if !holds { violations.append("\(rule) at \(kiosk.now.logStamp)") }
  }

  private mutating func check() {
    let isOpen = kiosk.status.isPairing
    if !isOpen { (openSince, pairedInWindow) = (nil, 0) }
    for command in kiosk.headsetCommands.dropFirst(obeyed) { check(command, isOpen: isOpen) }
    obeyed = kiosk.headsetCommands.count
    let isRadio = kiosk.engine.phase == .running && kiosk.engine.port == .bluetooth
    demand(!isSearching || !isRadio, "B7 a scan while music sounds over Bluetooth")
    demand(!isSearching || isOpen, "B7 a scan outside the window")
    demand((kiosk.status.lamp == .tripleFlash) == isOpen, "B7 the lamp is \(kiosk.status.lamp)")
    demand(pairedInWindow <= 1, "B7 two headsets in one window")
    demand(!isOpen || kiosk.timers[.pairingWindow] != nil || pairing != nil, "B7 the window has no end")
    let refusals = kiosk.names(.pairingRefused).count
    demand(refusals <= Int((kiosk.now - .powerOn) / .seconds(60)) + 1, "B7 \(refusals) lines of refusals")
  }

  private mutating func check(_ command: HeadsetCommand, isOpen: Bool) {
    let isRadio = kiosk.engine.phase == .running && kiosk.engine.port == .bluetooth
    switch command {
    case .search(let isWanted):
      demand(isWanted != isSearching, "B7 the same search twice")
      isSearching = isWanted
    case .pair(let address):
      demand(pairing == nil && isOpen, "B7 a pairing too many")
      let allowed = kiosk.jukebox.configuration.settings.bluetoothAllowed
      demand(allowed.isEmpty || allowed.contains(address), "B7 one that is not allowed is paired with")
      pairing = Self.headsets.first { $0.address == address }
    case .call(let address):
      demand(called == nil, "B9 two calls at a time")
      demand(isThere && !isOpen && !isRadio, "B9 a call that disturbs")
      let isThere = kiosk.jukebox.lines.isAsserted("JACK") || !listed.contains { $0.address == address }
      demand(!isThere, "B9 a call to one that is there")
      called = address
    case .remove(let address): known.removeAll { $0.address == address }
    case .distrust: break
    }
  }
}
