import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// Calling headsets that are absent. The headset's line is called JACK here.
@Suite struct HeadsetCallRows {
  private let headset = PairingRows.headset
  private let other = PairingRows.other

  private func calls(_ kiosk: Kiosk) -> [BluetoothAddress] {
    kiosk.headsetCommands.compactMap { if case .call(let address) = $0 { address } else { nil } }
  }

  /// Ends the call that is under way.
  private func fail(_ kiosk: Kiosk) {
    guard let address = calls(kiosk).last else { return }
    kiosk.feed(.headset(.called(address, failure: "page-timeout")))
  }

  @Test("B9: at boot the absent headset is called, after pauses that grow up to five minutes, never with a scan")
  func boot() {
    let kiosk = PairingRows.kiosk(known: nil)
    kiosk.feed(.headset(.known([headset])))
    #expect(kiosk.headsetCommands == [.call(headset.address)])
    for seconds in [5, 10, 20, 40, 80, 160, 300, 300, 300] {
      fail(kiosk)
      kiosk.forget()
      kiosk.wait(.seconds(seconds) - .nanoseconds(1))
      #expect(kiosk.headsetCommands.isEmpty)
      kiosk.wait(.nanoseconds(1))
      #expect(kiosk.headsetCommands == [.call(headset.address)])
    }
    #expect(kiosk.names(.headsetCalled).isEmpty)
    fail(kiosk)
    #expect(kiosk.last(.headsetCalled)?["reason"] == "page-timeout")
  }

  @Test("B9: one headset is called at a time")
  func oneAtATime() {
    let kiosk = PairingRows.kiosk(known: nil)
    kiosk.feed(.headset(.known([headset, other])))
    #expect(calls(kiosk) == [headset.address])
    kiosk.wait(.seconds(100))
    #expect(calls(kiosk) == [headset.address])
    fail(kiosk)
    #expect(calls(kiosk) == [headset.address, other.address])
  }

  @Test(
    "B9: with more than five that are absent, late calls are a minute apart, each headset in its turn",
    arguments: [5, 6, 20])
  func many(count: Int) {
    let kiosk = PairingRows.kiosk(known: nil)
    let many = (10..<10 + count).map { number in
      var one = headset
      one.address = BluetoothAddress("00:1A:7D:DA:71:\(number)") ?? one.address
      return one
    }
    kiosk.feed(.headset(.known(many)))
    var begins: [Instant] = []
    for _ in 0..<7_200 {
      while begins.count < calls(kiosk).count {
        begins.append(kiosk.now)
        fail(kiosk)
      }
      kiosk.wait(.seconds(1))
    }
    let late = begins.indices.filter { begins[$0] >= .powerOn + .seconds(3_600) }
    let distances = zip(late, late.dropFirst()).map { begins[$1] - begins[$0] }
    #expect((distances.min() ?? .zero >= .seconds(60)) == (count > 5))
    #expect((55...61).contains(late.count))
    #expect(Set(late.suffix(count).map { calls(kiosk)[$0] }).count == count)
    // The early ones follow each other as soon as they are due.
    #expect(begins.prefix(2 * count).allSatisfy { $0 <= .powerOn + .seconds(6) })
  }

  @Test("B8, B9: a headset with a link, over which nothing can be played, is called after 5 s, as nobody else calls it")
  func linked() {
    var connected = headset
    connected.isConnected = true
    let kiosk = PairingRows.kiosk(plugged: ["JACK"], known: nil)
    kiosk.feed(.headset(.known([connected])))
    // bluez-alsa dies.
    kiosk.unplug("JACK", then: .seconds(4))
    #expect(calls(kiosk).isEmpty)
    kiosk.wait(.seconds(1))
    #expect(calls(kiosk).count == 1)
    fail(kiosk)
    kiosk.wait(.seconds(10))
    #expect(calls(kiosk).count == 2)
    fail(kiosk)
    kiosk.plug("JACK")
    // It is switched off: the port is lost before BlueZ knows.
    kiosk.unplug("JACK", then: .seconds(2))
    kiosk.feed(.headset(.known([headset])), then: .seconds(170))
    #expect(calls(kiosk).count == 2)
    kiosk.wait(.seconds(11))
    #expect(calls(kiosk).count == 3)
  }

  @Test("B9: who is not trusted or not allowed is not called")
  func others() {
    var untrusted = headset
    untrusted.isTrusted = false
    for known in [untrusted, other] {
      let kiosk = PairingRows.kiosk(known: nil) { $0.bluetoothAllowed = [headset.address] }
      kiosk.feed(.headset(.known([known])), then: .seconds(1_000))
      #expect(calls(kiosk).isEmpty)
    }
  }

  @Test("B9: a headset that can be played to is not called, whatever BlueZ says of the link")
  func plugged() {
    let kiosk = PairingRows.kiosk(plugged: ["JACK"], known: nil)
    kiosk.feed(.headset(.known([headset])), then: .seconds(1_000))
    #expect(calls(kiosk).isEmpty)
  }

  @Test("B9: after a loss BlueZ calls first: we wait for three minutes, and then call every five")
  func loss() {
    let kiosk = PairingRows.kiosk(plugged: ["JACK"], known: nil)
    kiosk.feed(.headset(.known([headset])))
    kiosk.unplug("JACK")
    let due = HeadsetCalls.pauseAfterLoss
    kiosk.wait(due - .milliseconds(100))
    #expect(calls(kiosk).isEmpty)
    kiosk.wait(.milliseconds(200))
    #expect(calls(kiosk).count == 1)
    fail(kiosk)
    kiosk.wait(.seconds(299))
    #expect(calls(kiosk).count == 1)
    kiosk.wait(.seconds(2))
    #expect(calls(kiosk).count == 2)
    fail(kiosk)
    kiosk.plug("JACK", then: .seconds(1_000))
    #expect(calls(kiosk).count == 2)
  }

  @Test("B9: nobody is called while music sounds over another headset; over the loudspeaker it does not matter")
  func music() {
    let second = OutputPort(
      port: .usb, sense: .line("DOCK"), priority: 20, isPrivate: true, isWireless: true, headset: other.address)
    let first = OutputPort(
      port: .bluetooth, sense: .line("JACK"), priority: 30, isPrivate: true, isWireless: true, headset: headset.address)
    let kiosk = Kiosk(plugged: ["DOCK"], ports: [first, second, Kiosk.allPorts[2]])
    kiosk.type("play", then: .seconds(1))
    #expect(kiosk.sounding == .usb)
    kiosk.feed(.headset(.known([headset, other])), then: .seconds(100))
    #expect(calls(kiosk).isEmpty)
    kiosk.type("pause")
    #expect(calls(kiosk) == [headset.address])
    let loud = PairingRows.kiosk(known: nil)
    loud.type("play", then: .seconds(1))
    #expect(loud.sounding == .speaker)
    loud.feed(.headset(.known([headset])))
    #expect(calls(loud) == [headset.address])
  }

  @Test("B9: nobody is called while the window is open, and calls go on after it")
  func window() {
    let kiosk = PairingRows.kiosk(known: nil)
    kiosk.feed(.headset(.known([headset])))
    fail(kiosk)
    kiosk.type("pair", then: .seconds(59))
    #expect(calls(kiosk).count == 1)
    kiosk.wait(.seconds(2))
    #expect(calls(kiosk).count == 2)
  }

  @Test("B8: when bluetoothd is back, the absent headset is called at once")
  func back() {
    let kiosk = PairingRows.kiosk(known: nil)
    kiosk.feed(.headset(.known([headset])))
    for _ in 0..<6 {
      fail(kiosk)
      kiosk.wait(.seconds(300))
    }
    kiosk.feed(.headset(.unavailable(reason: "BlueZ does not run")))
    let count = calls(kiosk).count
    kiosk.wait(.seconds(1_000))
    #expect(calls(kiosk).count == count)
    kiosk.feed(.headset(.known([headset])))
    #expect(calls(kiosk).count == count + 1)
  }

  @Test("B9: a headset that has just been paired and is lost is one that was there")
  func newlyPaired() {
    let kiosk = PairingRows.kiosk()
    kiosk.feed(.headset(.known([headset])), then: .seconds(170))
    #expect(calls(kiosk).isEmpty)
    kiosk.wait(.seconds(11))
    #expect(calls(kiosk).count == 1)
  }

  @Test("B9: a search waits for the end of a call")
  func searchWaits() {
    let kiosk = PairingRows.kiosk(known: nil)
    kiosk.feed(.headset(.known([headset])))
    kiosk.type("pair")
    #expect(calls(kiosk).count == 1 && !kiosk.headsetCommands.contains(.search(true)))
    fail(kiosk)
    #expect(kiosk.headsetCommands.contains(.search(true)))
  }
}
