import AudioSession
import Board

/// BlueZ and the Bluetooth headsets around a simulated board. That a headset can be played to is not its business, as on
/// a board: `plug bluetooth` does that.
public final class SimulatedHeadsets: HeadsetController {
  /// What somebody makes of a headset or another device.
  public enum Change: String, Hashable, Sendable, CaseIterable {
    /// On, and ready to pair with whoever finds it.
    case pairing
    /// On, and ready for whom it knows.
    case on
    case off
    /// A stranger asks to pair.
    case asks
  }

  private static let findingTime = Duration.milliseconds(300)
  private static let pairingTime = Duration.milliseconds(900)
  private static let connectionTime = Duration.milliseconds(500)
  /// As long as a page without an answer takes.
  private static let pageTime = Duration.milliseconds(5_120)

  private enum Event {
    case find, pair(BluetoothAddress), call(BluetoothAddress), remove(BluetoothAddress)
    case refuse(BluetoothAddress)
  }

  /// What BlueZ keeps over a power cut.
  private var paired: [BluetoothAddress: Headset] = [:]
  private var states: [BluetoothAddress: Change] = [:]
  private var isSearching = false
  private var events: [(at: Instant, event: Event)] = []
  /// The last list that was reported.
  private var shown: [Headset]?

  /// - Parameter ready: a headset that is ready to pair from the start.
  public init(ready: BluetoothAddress? = nil) { if let ready { states[ready] = .pairing } }

  public let pollDescriptors: [PollDescriptor] = []

  public var next: Instant? { shown == known ? events.map(\.at).min() : .powerOn }

  private var known: [Headset] { paired.values.sorted { $0.address.description < $1.address.description } }

  /// The headset of this address, which calls itself by the end of it.
  private func headset(_ address: BluetoothAddress) -> Headset {
    paired[address] ?? Headset(address: address, name: "Headset \(address.description.suffix(2))")
  }

  public func change(_ address: BluetoothAddress, _ change: Change, at now: Instant) {
    if change == .asks { return events.append((now, .refuse(address))) }
    states[address] = change
    if change == .off { paired[address]?.isConnected = false }
    if change == .pairing && isSearching { events.append((now + Self.findingTime, .find)) }
  }

  /// The links are gone with the power; what is paired stays so.
  func cutPower() {
    (isSearching, events, shown) = (false, [], nil)
    for address in paired.keys { paired[address]?.isConnected = false }
  }

  public func obey(_ command: HeadsetCommand, at now: Instant) {
    switch command {
    case .search(let isWanted):
      isSearching = isWanted
      if isWanted { events.append((now + Self.findingTime, .find)) }
    case .pair(let address): events.append((now + Self.pairingTime, .pair(address)))
    case .call(let address):
      let isThere = states[address] == .on || states[address] == .pairing
      events.append((now + (isThere ? Self.connectionTime : Self.pageTime), .call(address)))
    case .remove(let address): events.append((now, .remove(address)))
    case .distrust(let address): paired[address]?.isTrusted = false
    }
  }

  public func takeReports(at now: Instant) -> [HeadsetReport] {
    var reports: [HeadsetReport] = []
    while let index = events.indices.filter({ events[$0].at <= now }).min(by: { events[$0].at < events[$1].at }) {
      reports += perform(events.remove(at: index).event)
    }
    // As BlueZ does: its properties change before it replies.
    defer { shown = known }
    return (shown == known ? [] : [.known(known)]) + reports
  }

  private func perform(_ event: Event) -> [HeadsetReport] {
    switch event {
    case .find:
      let ready = states.filter { $0.value == .pairing && paired[$0.key]?.isConnected != true }.keys
      guard isSearching else { return [] }
      return ready.sorted { $0.description < $1.description }.map { .found(headset($0)) }
    case .pair(let address):
      guard states[address] == .pairing else { return [.pairingFailed(headset(address), reason: "it does not answer")] }
      states[address] = .on
      paired[address] = Headset(
        address: address, name: headset(address).name, isTrusted: true, isConnected: true)
      return [.paired(headset(address))]
    case .call(let address):
      guard paired[address] != nil, states[address] == .on || states[address] == .pairing else {
        return [.called(address, failure: "it does not answer")]
      }
      paired[address]?.isConnected = true
      return [.called(address, failure: nil)]
    case .remove(let address):
      let headset = headset(address)
      paired[address] = nil
      return [.removed(headset, failure: nil)]
    case .refuse(let address): return [.refused(headset(address), request: "pairing")]
    }
  }
}
