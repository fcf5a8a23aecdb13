import AudioSession
import Board
import Glibc

/// Bluetooth headsets as lines: one is asserted exactly while bluez-alsa offers a PCM that plays to it. Control thread.
///
/// bluez-alsa (`org.bluealsa` on the system bus) need not run: it is noticed when it comes and when it goes. It
/// reports its PCMs as an object manager does (`InterfacesAdded`), before 4.0 by signals of its own (`PCMAdded`), and 4.0,
/// as in Debian 12, by both. Nothing here waits for a reply, except that the first `open` waits a little, so that a headset that
/// is connected at power on is known at the start (R1). Edges carry the time at which they were read. The volumes of
/// headsets (B6) and their names come from BlueZ, over the same connection.
public final class BluetoothHeadsets: LineDevice {
  /// How long the first opening may take.
  private static let patience = Duration.milliseconds(500)
  /// How long a later one may take where bluez-alsa refused the one before: else it would seem to be there each time.
  private static let patienceWhenRefused = Duration.milliseconds(20)

  public let name = "Bluetooth"
  public let lines: [String]
  public let requests: [HeadsetLineRequest]
  private let address: String?
  private var service: AudioService?
  private var volumes: TransportVolumes?
  private var names: HeadsetNames?
  /// The names that BlueZ had when this was closed.
  private var knownNames: [BluetoothAddress: String] = [:]
  /// The lines that have a volume, as was last returned.
  private var withVolume: Set<String> = []
  private var changes: [LineVolume] = []
  private var isFirst = true
  /// bluez-alsa has refused to be asked.
  private var wasRefused = false

  /// One object for all of `requests`, if there are any.
  public static func devices(for requests: [HeadsetLineRequest]) -> [BluetoothHeadsets] {
    requests.isEmpty ? [] : [BluetoothHeadsets(requests, bus: nil)]
  }

  /// - Parameter bus: the bus's address; nil: the system bus.
  init(_ requests: [HeadsetLineRequest], bus address: String?) {
    self.requests = requests
    self.address = address
    lines = requests.map(\.name)
  }

  /// Whether bluez-alsa runs, as far as it was heard of since opening.
  public var isServiceRunning: Bool { service?.isRunning ?? false }

  public var pollDescriptors: [PollDescriptor] { service.map { [$0.bus.pollDescriptor] } ?? [] }

  public func open() throws(LineError) {
    do throws(MessageBusFailure) {
      let opened = try AudioService(MessageBus.open(address), requests)
      let openedNames = try HeadsetNames(of: requests.compactMap(\.address), opened.bus, knownNames)
      if isFirst || wasRefused {
        let patience = isFirst ? Self.patience : Self.patienceWhenRefused
        // Names can come later; that the service refuses is its own answer.
        try opened.wait(for: patience) { opened.isKnown && (openedNames.isKnown || !isFirst) }
      }
      (isFirst, names) = (false, openedNames)
      volumes = try TransportVolumes(opened.bus, requests)
      service = opened
    } catch {
      throw lineError(error, .openDevice)
    }
    _ = try levels()
  }

  /// The levels as they were when messages were read last; those that moved later are edges.
  public func levels() throws(LineError) -> [Bool] {
    guard let service else { return lines.map { _ in false } }
    try check(service)
    return service.levels
  }

  public func readEdges(into edges: inout [LineEdge]) throws(LineError) {
    guard let service else { return }
    do throws(MessageBusFailure) {
      try service.process()
      try volumes?.check()
      try names?.check()
    } catch {
      throw lineError(error, .readEdges)
    }
    let now = MonotonicClock(startsNow: false).now
    for change in service.takeChanges() {
      edges.append(LineEdge(line: lines[change.line], asserted: change.level, at: now))
    }
    for change in volumes?.takeChanges() ?? [] { note(lines[change.line], change.level) }
    try check(service)
  }

  public func takeVolumes() -> [LineVolume] {
    defer { changes = [] }
    return changes
  }

  public func setVolume(of line: String, to level: Int) {
    if let index = lines.firstIndex(of: line) { volumes?.set(index, to: level) }
  }

  /// What the input device with the keys of this headset is called while it is connected; nil: it has no name, or an
  /// earlier line's headset has the same one, and then whoever is the first of them is taken for that.
  public func keys(of address: BluetoothAddress) -> String? {
    let known = names?.names ?? knownNames
    guard let name = known[address].map(HeadsetNames.keys) else { return nil }
    let first = requests.compactMap(\.address).first { known[$0].map(HeadsetNames.keys) == name }
    return first ?? address == address ? name : nil
  }

  public func close() {
    for line in withVolume.sorted() { note(line, nil) }
    if let names { knownNames = names.names }
    names = nil
    volumes = nil
    service = nil
  }

  private func note(_ line: String, _ level: Int?) {
    changes.append(LineVolume(line: line, level: level))
    if level == nil { withVolume.remove(line) } else { withVolume.insert(line) }
  }

  private func check(_ service: AudioService) throws(LineError) {
    wasRefused = service.isRefused
    guard wasRefused else { return }
    throw LineError(
      operation: .openDevice, subject: name, code: EACCES,
      message: "bluez-alsa refuses to be asked; expected membership in the group audio")
  }

  private func lineError(_ failure: MessageBusFailure, _ operation: LineError.Operation) -> LineError {
    LineError(operation: operation, subject: name, code: failure.code, message: "system bus: \(failure.message)")
  }
}
