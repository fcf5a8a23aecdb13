import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Pairing without a screen, seen from the brain. The headset's line is called JACK here.
@Suite struct PairingRows {
  private static let addresses = ["00:1A:7D:DA:71:13", "AA:BB:CC:DD:EE:FF"].compactMap { BluetoothAddress($0) }
  static let headset = Headset(address: addresses[0], name: "My \"Headset\"", isTrusted: true)
  static let other = Headset(address: addresses[1], name: "Phone", isTrusted: true)

  /// - Parameter known: what is paired; nil: BlueZ has not replied yet.
  static func kiosk(
    plugged: Set<String> = [], known: [Headset]? = [], cues: [Cue] = Kiosk.allCues,
    _ change: (inout Settings) -> Void = { _ in }
  ) -> Kiosk {
    let port = OutputPort(port: .bluetooth, sense: .line("JACK"), priority: 30, isPrivate: true, isWireless: true)
    let kiosk = Kiosk(plugged: plugged, ports: [port] + Kiosk.allPorts.dropFirst(), cues: cues, change)
    if let known { kiosk.feed(.headset(.known(known))) }
    kiosk.forget()
    return kiosk
  }

  private func events(_ kiosk: Kiosk) -> [String] {
    kiosk.eventNames.map(\.rawValue).filter { $0.hasPrefix("pairing") }
  }

  @Test("B7: Pair opens the window, with lamp and search, and a minute later it is closed")
  func window() {
    for isButton in [true, false] {
      let kiosk = Self.kiosk()
      if isButton { kiosk.press(.pair) } else { kiosk.type("pair") }
      #expect(events(kiosk) == ["pairing.opened"])
      #expect(kiosk.status.lamp == .tripleFlash && kiosk.status.isPairing)
      #expect(kiosk.headsetCommands == [.search(true)])
      #expect(isButton || kiosk.replies == [Headsets.pairReply])
      kiosk.wait(.seconds(61))
      #expect(events(kiosk) == ["pairing.opened", "pairing.closed"])
      #expect(kiosk.last(.pairingClosed)?["reason"] == "timeout")
      #expect(kiosk.status.lamp == .off && !kiosk.status.isPairing)
      #expect(kiosk.headsetCommands == [.search(true), .search(false)])
    }
  }

  @Test("B7: the headset that is found is paired, and the window ends with it")
  func pairs() {
    let kiosk = Self.kiosk()
    kiosk.type("pair")
    kiosk.feed(.headset(.found(Self.headset)))
    kiosk.feed(.headset(.found(Self.other)))
    #expect(kiosk.headsetCommands == [.search(true), .pair(Self.headset.address), .search(false)])
    kiosk.feed(.headset(.paired(Self.headset)))
    #expect(events(kiosk) == ["pairing.opened", "pairing.paired"])
    #expect(kiosk.last(.pairingPaired)?["address"] == "00:1A:7D:DA:71:13")
    #expect(kiosk.last(.pairingPaired)?["name"] == "My \"Headset\"")
    #expect(kiosk.status.lamp == .off)
    kiosk.feed(.headset(.found(Self.other)), then: .seconds(100))
    #expect(kiosk.headsetCommands.count == 3 && events(kiosk).count == 2)
  }

  @Test("B7: one that fails is tried three times in a window, and others have their turn")
  func fails() {
    let kiosk = Self.kiosk()
    kiosk.type("pair")
    for _ in 0..<5 {
      kiosk.feed(.headset(.found(Self.headset)))
      if kiosk.headsetCommands.last == .search(false) {
        kiosk.feed(.headset(.pairingFailed(Self.headset, reason: "no")))
      }
    }
    #expect(events(kiosk) == ["pairing.opened", "pairing.failed", "pairing.failed", "pairing.failed"])
    #expect(kiosk.last(.pairingFailed)?["reason"] == "no")
    #expect(kiosk.headsetCommands.last == .search(true))
    kiosk.feed(.headset(.found(Self.other)))
    #expect(kiosk.headsetCommands.suffix(2) == [.pair(Self.other.address), .search(false)])
  }

  @Test("B7: Pair again begins the minute anew, and is one window with the first")
  func again() {
    let kiosk = Self.kiosk()
    kiosk.press(.pair, then: .seconds(50))
    kiosk.press(.pair, then: .seconds(50))
    #expect(events(kiosk) == ["pairing.opened"])
    kiosk.wait(.seconds(11))
    #expect(events(kiosk) == ["pairing.opened", "pairing.closed"])
  }

  @Test("B7: a pairing that has begun is not broken off at the end, and is the last one")
  func late() {
    for isGood in [true, false] {
      let kiosk = Self.kiosk()
      kiosk.type("pair", then: .seconds(59))
      kiosk.feed(.headset(.found(Self.headset)), then: .seconds(10))
      #expect(events(kiosk) == ["pairing.opened"])
      kiosk.feed(.headset(isGood ? .paired(Self.headset) : .pairingFailed(Self.headset, reason: "no")))
      #expect(events(kiosk).last == (isGood ? "pairing.paired" : "pairing.closed"))
      #expect(!kiosk.status.isPairing)
      #expect(kiosk.headsetCommands.last == .search(false))
    }
  }

  @Test("B7: outside the window nothing is paired, and who connects is refused and logged")
  func outside() {
    let kiosk = Self.kiosk()
    kiosk.feed(.headset(.found(Self.other)))
    #expect(kiosk.headsetCommands.isEmpty && events(kiosk).isEmpty)
    var stranger = Self.other
    stranger.isConnected = true
    kiosk.feed(.headset(.found(stranger)))
    #expect(kiosk.headsetCommands.isEmpty)
    #expect(kiosk.last(.pairingRefused)?["request"] == "pairing")
    #expect(kiosk.last(.pairingRefused)?["address"] == "AA:BB:CC:DD:EE:FF")
    kiosk.feed(.headset(.paired(Self.other)))
    #expect(kiosk.last(.pairingPaired) == nil)
  }

  @Test("B7: a stranger who hammers is logged once a minute, with a count")
  func hammers() {
    let kiosk = Self.kiosk()
    for _ in 0..<1_000 {
      kiosk.feed(.headset(.refused(Self.other, request: "connection")), then: .milliseconds(180))
    }
    #expect(kiosk.names(.pairingRefused).count == 4)
    #expect(kiosk.last(.pairingRefused)?["n"].flatMap { Int($0) } ?? 0 > 300)
    kiosk.wait(.seconds(120))
    kiosk.forget()
    kiosk.feed(.headset(.refused(Self.other, request: "connection")))
    #expect(kiosk.names(.pairingRefused).count == 1)
    #expect(kiosk.last(.pairingRefused)?["n"] == nil)
  }

  @Test("B7: with a list of its own the board pairs no other, not in the window either, and trusts no other")
  func allowed() {
    let kiosk = Self.kiosk { $0.bluetoothAllowed = [Self.headset.address] }
    kiosk.type("pair")
    kiosk.feed(.headset(.found(Self.other)))
    #expect(kiosk.last(.pairingRefused)?["address"] == "AA:BB:CC:DD:EE:FF")
    #expect(kiosk.headsetCommands == [.search(true)])
    kiosk.feed(.headset(.found(Self.headset)))
    #expect(kiosk.headsetCommands.contains(.pair(Self.headset.address)))
    kiosk.feed(.headset(.paired(Self.headset)))
    kiosk.forget()
    kiosk.feed(.headset(.known([Self.headset, Self.other])))
    #expect(kiosk.headsetCommands == [.distrust(Self.other.address)])
    kiosk.type("paired")
    #expect(kiosk.replies.last?.contains("allowed=no name=Phone") == true)
  }

  @Test("B7: without BlueZ, or without a Bluetooth port, Pair says so and nothing waits")
  func missing() {
    let kiosk = Self.kiosk()
    kiosk.feed(.headset(.unavailable(reason: "BlueZ does not run")))
    for command in ["pair", "paired", "unpair all"] {
      kiosk.type(command)
      #expect(kiosk.replies.last == "error: \(command.prefix { $0 != " " }): BlueZ does not run")
    }
    kiosk.press(.pair)
    #expect(kiosk.last(.pairingFailed)?["reason"] == "BlueZ does not run")
    #expect(kiosk.headsetCommands.isEmpty && kiosk.timers[.pairingWindow] == nil && kiosk.status.lamp == .off)
    let plain = Kiosk()
    for command in ["pair", "paired", "unpair all"] {
      plain.type(command)
      #expect(
        plain.replies.last == "error: \(command.prefix { $0 != " " }): the board has no Bluetooth port: "
          + "[ports.bluetooth] in the board file makes one")
    }
  }

  @Test("B8: the window outlives bluetoothd, and what was being paired has failed")
  func dies() {
    let kiosk = Self.kiosk()
    kiosk.type("pair")
    kiosk.feed(.headset(.found(Self.headset)))
    kiosk.feed(.headset(.pairingFailed(Self.headset, reason: "BlueZ has gone")))
    kiosk.feed(.headset(.unavailable(reason: "BlueZ does not run")))
    #expect(kiosk.status.isPairing)
    kiosk.feed(.headset(.known([])))
    kiosk.feed(.headset(.found(Self.headset)))
    #expect(kiosk.headsetCommands.last == .search(false))
    kiosk.feed(.headset(.paired(Self.headset)))
    #expect(events(kiosk) == ["pairing.opened", "pairing.failed", "pairing.paired"])
  }

  @Test("B7: nothing is searched for while music sounds over Bluetooth; when it pauses, the search begins")
  func musicSounds() {
    let kiosk = Self.kiosk(plugged: ["JACK"])
    kiosk.type("play", then: .seconds(1))
    #expect(kiosk.sounding == .bluetooth)
    kiosk.type("pair")
    #expect(kiosk.headsetCommands.isEmpty && kiosk.status.lamp == .tripleFlash)
    // One that comes by itself may pair.
    kiosk.feed(.headset(.found(Self.headset)))
    #expect(kiosk.headsetCommands == [.pair(Self.headset.address)])
    kiosk.feed(.headset(.pairingFailed(Self.headset, reason: "no")))
    kiosk.type("pause")
    #expect(kiosk.headsetCommands.last == .search(true))
    kiosk.type("play")
    #expect(kiosk.headsetCommands.last == .search(false))
  }

  @Test("B7: a scan goes on while music sounds on another port")
  func otherPort() {
    let kiosk = Self.kiosk()
    kiosk.type("play")
    kiosk.type("pair")
    #expect(kiosk.sounding == .speaker)
    #expect(kiosk.headsetCommands == [.search(true)])
  }

  @Test("B7: a cue may be spoken when the window opens, and when a headset is paired")
  func cue() {
    let cues = [
      Cue(name: "welcome", path: "/c/welcome.mp3", event: .pairingOpened),
      Cue(name: "closing", path: "/c/closing.mp3", event: .pairingPaired),
    ]
    let kiosk = Self.kiosk(cues: cues)
    kiosk.type("pair")
    #expect(kiosk.engine.speaking == 0)
    kiosk.wait(.seconds(5))
    kiosk.feed(.headset(.found(Self.headset)))
    kiosk.feed(.headset(.paired(Self.headset)))
    #expect(kiosk.engine.speaking == 1)
  }

  @Test("B7: unpair forgets a headset by name or address, or all, and says what it cannot do")
  func unpair() {
    let twin = Headset(address: Self.other.address, name: Self.headset.name)
    let kiosk = Self.kiosk(
      known: [Self.headset, Self.other].map { (headset: Headset) in
        var headset = headset
        headset.isConnected = true
        return headset
      })
    kiosk.type("unpair Phone")
    kiosk.type("unpair 00:1a:7d:da:71:13")
    #expect(kiosk.headsetCommands == [.remove(Self.other.address), .remove(Self.headset.address)])
    kiosk.feed(.headset(.removed(Self.other, failure: nil)))
    #expect(kiosk.last(.pairingRemoved)?["name"] == "Phone")
    kiosk.type("unpair all")
    #expect(kiosk.headsetCommands.suffix(2) == [.remove(Self.headset.address), .remove(Self.other.address)])
    kiosk.type("unpair Nobody")
    #expect(kiosk.replies.last == "error: unpair Nobody: no such headset is paired")
    kiosk.feed(.headset(.known([Self.headset, twin])))
    kiosk.type("unpair \(twin.name)")
    #expect(kiosk.replies.last?.hasSuffix("2 headsets are called so, expected an address") == true)
  }

  @Test("B7: paired lists what is paired, whatever a headset calls itself")
  func list() {
    let kiosk = Self.kiosk()
    kiosk.type("paired")
    #expect(kiosk.replies.last == "no headset is paired")
    let evil = Headset(address: Self.other.address, name: "a\n\u{1B}[2Jb", isConnected: true)
    kiosk.feed(.headset(.known([evil])))
    kiosk.type("paired")
    #expect(kiosk.replies.last == "address=AA:BB:CC:DD:EE:FF connected=yes name=\"a\\n\\u{1b}[2Jb\"")
  }
}
