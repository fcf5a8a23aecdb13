import AudioSession
import BusStandIn
import Testing

@testable import BluetoothPorts

@Suite struct PairingTests {
  private let world: PairingBus

  init() throws { world = try PairingBus() }

  private var isPaired: ([HeadsetReport]) -> Bool {
    { $0.contains { if case .paired = $0 { true } else { false } } }
  }

  private func failure(_ reports: [HeadsetReport]) -> String? {
    for report in reports { if case .pairingFailed(_, let reason) = report { return reason } }
    return nil
  }

  @Test(
    "B7: the agent is registered as the default, and the box is not pairable but for a pairing of its own: the kernel would accept anybody"
  )
  func registers() throws {
    bluez_set(world.bluez, PairingBus.controller, "Pairable", true)
    try world.wait { $0.known == [] }
    try world.wait(untilTrue: { !bluez_get(world.bluez, PairingBus.controller, "Pairable") })
    #expect(world.calls() == ["Pairable=0", "RegisterAgent", "RequestDefaultAgent"])
    bluez_set(world.bluez, PairingBus.controller, "Pairable", true)
    try world.wait(untilTrue: { !bluez_get(world.bluez, PairingBus.controller, "Pairable") })
  }

  @Test("B7: a headset that a scan hears is paired, trusted and connected, in this order, and the scan ends")
  func pairs() throws {
    try world.ready()
    world.add(isInReach: true)
    try world.search()
    #expect(world.calls() == ["SetDiscoveryFilter", "StartDiscovery"])
    world.pairing.obey(.search(false), at: world.now)
    world.pairing.obey(.pair(world.address), at: world.now)
    let reports = try world.wait(until: isPaired)
    #expect(world.calls() == ["StopDiscovery", "Pairable=1", "Pair:13", "Trusted=1", "Pairable=0", "Connect:13"])
    let expected = Headset(address: world.address, name: "Headset", isTrusted: true, isConnected: true)
    #expect(reports.contains(.paired(expected)))
    #expect(try world.settle() == [] && reports.known == [expected])
  }

  @Test("B7: an old headset offers its services only when it is paired")
  func oldHeadset() throws {
    try world.ready()
    world.add(service: nil, whenPaired: PairingBus.audioSink, isInReach: true)
    try world.search()
    world.pairing.obey(.pair(world.address), at: world.now)
    #expect(try world.wait(until: isPaired).known?.map(\.address) == [world.address])
  }

  @Test(
    "B7: what turns out to be no headset is forgotten, when it is paired or, without a word, when it is connected",
    arguments: [PairingBus.phoneService, nil])
  func noHeadset(service: String?) throws {
    try world.ready()
    world.add(service: nil, whenPaired: service, isInReach: true)
    try world.search()
    world.pairing.obey(.pair(world.address), at: world.now)
    #expect(failure(try world.wait { failure($0) != nil }) == "it is no headset")
    try world.wait(untilTrue: { !bluez_get(world.bluez, PairingBus.path, "Paired") })
    #expect(
      world.calls().filter { $0 != "Pairable=0" }.suffix(2) == [
        service == nil ? "Connect:13" : "Pair:13", "RemoveDevice",
      ])
  }

  @Test("B7: a device that is no headset is not found", arguments: [PairingBus.phoneService, nil])
  func phone(service: String?) throws {
    try world.ready()
    world.add(icon: "phone", service: service, isInReach: true)
    world.pairing.obey(.search(true), at: world.now)
    #expect(try world.settle() == [])
  }

  @Test("B7: what a scan does not hear is not found")
  func outOfReach() throws {
    world.add()
    try world.ready()
    world.pairing.obey(.search(true), at: world.now)
    #expect(try world.settle() == [])
  }

  @Test("B7: what does not answer in time has failed, and BlueZ is told to end it", arguments: ["Pair", "Connect"])
  func timesOut(member: String) throws {
    try world.ready()
    world.add(isInReach: true)
    try world.search()
    bluez_answer(world.bluez, member, "")
    world.pairing.obey(.pair(world.address), at: world.now)
    #expect(isPaired(try world.settle()) == false)
    let due = try #require(world.pairing.next)
    world.now = due - .nanoseconds(1)
    #expect(failure(try world.settle()) == nil)
    world.now = due
    let reports = try world.settle()
    // One that is paired and trusted is called from now on.
    #expect(member == "Pair" ? failure(reports) == "it does not answer" : isPaired(reports))
    #expect(world.calls().last { $0 != "Pairable=0" } == (member == "Pair" ? "CancelPairing:13" : "Disconnect:13"))
    try world.wait(untilTrue: { !bluez_get(world.bluez, PairingBus.controller, "Pairable") })
    #expect(world.pairing.next == nil)
  }

  @Test("B7: BlueZ's reason is reported", arguments: ["Pair", "Set"])
  func fails(member: String) throws {
    try world.ready()
    world.add(isInReach: true)
    try world.search()
    bluez_answer(world.bluez, member, "org.bluez.Error.AuthenticationFailed")
    world.pairing.obey(.pair(world.address), at: world.now)
    #expect(failure(try world.wait { failure($0) != nil }) == "refused by the test")
  }

  @Test("B7.5: the box is not pairable after a pairing that began before BlueZ had heard of the end of another one")
  func pairsAtOnce() throws {
    try world.ready()
    world.add(isInReach: true)
    try world.search()
    bluez_answer(world.bluez, "Pair", "org.bluez.Error.AuthenticationFailed")
    world.pairing.obey(.pair(world.address), at: world.now)
    try world.wait { failure($0) != nil }
    world.pairing.obey(.pair(world.address), at: world.now)
    // Whoever connects to the bus waits until it has passed on what was sent before: BlueZ takes both at once, and so
    // does the adapter what BlueZ reports.
    _ = try world.stranger()
    bluez_serve(world.bluez)
    _ = try world.stranger()
    try world.wait { failure($0) != nil }
    try world.wait(untilTrue: { !bluez_get(world.bluez, PairingBus.controller, "Pairable") })
  }

  @Test("B7.2: BlueZ's reason is reported, too, for what cannot be connected to and was not seen to be a headset")
  func connectionFails() throws {
    try world.ready()
    world.add(service: nil, isInReach: true)
    try world.search()
    bluez_answer(world.bluez, "Connect", "org.bluez.Error.Failed")
    world.pairing.obey(.pair(world.address), at: world.now)
    #expect(failure(try world.wait { failure($0) != nil }) == "refused by the test")
    try world.wait(untilTrue: { !bluez_get(world.bluez, PairingBus.path, "Paired") })
  }

  @Test("B7: a headset that is paired already is connected to")
  func again() throws {
    try world.ready()
    world.add(isPaired: true, isInReach: true)
    try world.search()
    _ = world.calls()
    world.pairing.obey(.pair(world.address), at: world.now)
    try world.wait(until: isPaired)
    #expect(world.calls() == ["Trusted=1", "Connect:13"])
  }

  @Test("B7: a search that BlueZ refuses is reported once, and tried again while it is wanted")
  func searchFails() throws {
    try world.ready()
    world.add(isInReach: true)
    bluez_answer(world.bluez, "StartDiscovery", "org.bluez.Error.NotReady")
    world.pairing.obey(.search(true), at: world.now)
    #expect(failure(try world.wait { failure($0) != nil }) == "refused by the test")
    world.now = try #require(world.pairing.next)
    #expect(try world.settle() == [])
    bluez_answer(world.bluez, "StartDiscovery", nil)
    world.now = try #require(world.pairing.next)
    try world.wait { $0.contains { if case .found = $0 { true } else { false } } }
  }

  @Test("B7.3: a search that is no longer wanted before BlueZ has answered its start is ended after the answer")
  func searchEndsEarly() throws {
    try world.ready()
    world.add(isInReach: true)
    bluez_answer(world.bluez, "StartDiscovery", "")
    world.pairing.obey(.search(true), at: world.now)
    try world.wait(untilTrue: { world.calls().contains("StartDiscovery") })
    world.pairing.obey(.search(false), at: world.now)
    #expect(try world.settle() == [])
    #expect(world.calls() == [])
    bluez_answer_late(world.bluez, nil)
    try world.wait(untilTrue: { world.calls() == ["StopDiscovery"] })
    // The next search begins, and finds the headset.
    bluez_answer(world.bluez, "StartDiscovery", nil)
    try world.search()
  }

  @Test(
    "B7.2: a search that BlueZ does not begin, or end, in time is reported once a window, and a late answer counts",
    arguments: ["StartDiscovery", "StopDiscovery"])
  func searchUnanswered(member: String) throws {
    try world.ready()
    world.add(isInReach: true)
    if member == "StopDiscovery" { try world.search() }
    bluez_answer(world.bluez, member, "")
    world.pairing.obey(.search(member == "StartDiscovery"), at: world.now)
    try world.wait(untilTrue: { world.calls().contains(member) })
    world.pairing.obey(.search(true), at: world.now)
    #expect(try world.settle() == [])
    let due = try #require(world.pairing.next)
    world.now = due - .nanoseconds(1)
    #expect(try world.settle() == [])
    world.now = due
    #expect(failure(try world.settle()) == "it does not answer")
    #expect(world.pairing.next == nil)
    world.pairing.obey(.search(false), at: world.now)
    #expect(try world.settle() == [])
    world.pairing.obey(.search(true), at: world.now)
    #expect(failure(try world.settle()) == "it does not answer")
    #expect(world.calls() == [])
    bluez_answer_late(world.bluez, nil)
    try world.wait { $0.contains { if case .found = $0 { true } else { false } } }
  }

  @Test("B8: bluetoothd that dies in the middle of a pairing ends it, and is asked anew when it is back")
  func dies() throws {
    try world.ready()
    world.add(isInReach: true)
    try world.search()
    bluez_answer(world.bluez, "Pair", "")
    world.pairing.obey(.pair(world.address), at: world.now)
    _ = try world.settle()
    world.kill()
    let reports = try world.wait { $0.contains(.unavailable(reason: "BlueZ does not run")) }
    #expect(failure(reports) == "BlueZ has gone")
    try world.start()
    world.add(isInReach: true)
    // The search is still wanted.
    let back = try world.wait { $0.contains { if case .found = $0 { true } else { false } } }
    #expect(back.known == [])
    #expect(world.calls() == ["RegisterAgent", "RequestDefaultAgent", "SetDiscoveryFilter", "StartDiscovery"])
  }

  @Test("B9: a call ends with the controller, and says nothing of the next call")
  func callLost() throws {
    try world.ready()
    try world.addPaired()
    bluez_answer(world.bluez, "Connect", "")
    world.pairing.obey(.call(world.address), at: world.now)
    try world.wait(untilTrue: { world.calls().contains("Connect:13") })
    bluez_remove_controller(world.bluez)
    let gone = try world.wait { $0.contains(.unavailable(reason: "there is no Bluetooth controller")) }
    #expect(gone.contains(.called(world.address, failure: "it has gone")))
    bluez_add_controller(world.bluez, true, false)
    try world.addPaired()
    world.pairing.obey(.call(world.address), at: world.now)
    #expect(try world.settle() == [])
    bluez_answer_late(world.bluez, "org.bluez.Error.Failed")
    #expect(try world.settle() == [])
  }

  @Test("B9: a call connects, or fails for BlueZ's reason")
  func calls() throws {
    try world.ready()
    try world.addPaired()
    bluez_answer(world.bluez, "Connect", "org.bluez.Error.Failed")
    world.pairing.obey(.call(world.address), at: world.now)
    var reports = try world.wait { $0.contains { if case .called = $0 { true } else { false } } }
    #expect(reports.contains(.called(world.address, failure: "refused by the test")))
    bluez_answer(world.bluez, "Connect", nil)
    world.pairing.obey(.call(world.address), at: world.now)
    reports = try world.wait { $0.contains { if case .called = $0 { true } else { false } } }
    #expect(reports.contains(.called(world.address, failure: nil)) && reports.known?.first?.isConnected == true)
    #expect(world.calls() == ["Connect:13", "Connect:13"])
  }

  enum Connection: CaseIterable { case call, firstPairing, laterPairing }

  @Test(
    "B9.4: a headset that has connected keeps its link though BlueZ does not answer, when it is called or paired with",
    arguments: Connection.allCases)
  func connectsSlowly(connection: Connection) throws {
    let isCall = connection == .call
    try world.ready()
    if isCall {
      try world.addPaired()
    } else {
      world.add(isPaired: connection == .laterPairing, isInReach: true)
      try world.search()
    }
    bluez_answer(world.bluez, "Connect", "")
    world.pairing.obey(isCall ? .call(world.address) : .pair(world.address), at: world.now)
    try world.wait(untilTrue: { world.calls().contains("Connect:13") })
    bluez_set(world.bluez, PairingBus.path, "Connected", true)
    try world.wait { $0.known?.first?.isConnected == true }
    world.now = try #require(world.pairing.next)
    let reports = try world.settle()
    #expect(isCall ? reports == [.called(world.address, failure: nil)] : isPaired(reports))
    #expect(!world.calls().contains("Disconnect:13"))
    #expect(world.pairing.next == nil)
  }

  @Test("B9.4: a headset that was paired before and does not connect in time is no longer called")
  func doesNotConnectAgain() throws {
    try world.ready()
    world.add(isPaired: true, isInReach: true)
    try world.search()
    bluez_answer(world.bluez, "Connect", "")
    world.pairing.obey(.pair(world.address), at: world.now)
    try world.wait(untilTrue: { world.calls().contains("Connect:13") })
    world.now = try #require(world.pairing.next)
    #expect(failure(try world.settle()) == "it does not answer")
    #expect(world.calls() == ["Disconnect:13"])
  }

  @Test("B7: a headset is forgotten, and one that is not allowed any more may not connect by itself")
  func removes() throws {
    try world.ready()
    try world.addPaired()
    world.pairing.obey(.distrust(world.address), at: world.now)
    #expect(try world.wait { $0.known?.first?.isTrusted == false }.count == 1)
    world.pairing.obey(.remove(world.address), at: world.now)
    let reports = try world.wait { $0.known == [] && $0.count > 1 }
    #expect(reports.contains(.removed(Headset(address: world.address, name: "Headset"), failure: nil)))
    world.pairing.obey(.remove(world.address), at: world.now)
    #expect(try world.settle() == [.removed(Headset(address: world.address, name: ""), failure: "it has gone")])
  }

  @Test(
    "B7: who connects without being paired is found if it is a headset, else it was refused; once",
    arguments: [true, false])
  func comesByItself(isHeadset: Bool) throws {
    try world.ready()
    world.add(icon: isHeadset ? "audio-headset" : "phone", service: nil)
    // BlueZ has it because it has connected, though it does not always say so.
    let arrived = Headset(address: world.address, name: "Headset", isConnected: true)
    #expect(
      try world.wait { !$0.isEmpty } == [
        isHeadset ? .found(arrived) : .refused(arrived, request: "connection")
      ])
    bluez_set(world.bluez, PairingBus.path, "Connected", true)
    #expect(try world.settle() == [])
    bluez_set(world.bluez, PairingBus.path, "Connected", false)
    #expect(try world.settle() == [])
    for _ in 0..<2 {
      bluez_set(world.bluez, PairingBus.path, "Connected", true)
      let headset = Headset(address: world.address, name: "Headset", isConnected: true)
      #expect(
        try world.wait { !$0.isEmpty } == [isHeadset ? .found(headset) : .refused(headset, request: "connection")])
      bluez_set(world.bluez, PairingBus.path, "Connected", false)
      #expect(try world.settle() == [])
    }
  }
}
