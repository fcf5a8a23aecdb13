import AudioSession
import Board
import Glibc

/// Pairs and calls headsets through BlueZ (`org.bluez` on the system bus), which need not run: it is noticed when it
/// comes and when it goes. Nothing here waits for a reply; one that does not come in time is a failure. Control thread.
public final class BluetoothPairing: HeadsetController {
  private static let busRetry = Duration.seconds(5)
  private static let searchRetry = Duration.seconds(2)
  /// As long as for a connection, with which the controller may still be busy.
  private static let searchTime = Duration.seconds(30)

  private let address: String?
  private let agent = PairingAgent()
  private(set) var service: BluezService?
  private var opensAt: Instant? = .powerOn
  /// What is under way, by headset.
  var tasks: [BluetoothAddress: Task] = [:]
  var stepCount = 0
  private var wantsSearch = false
  /// The controller that was told to search, and has not refused.
  private var searched: String?
  /// The start or the end of a search that is not answered yet: BlueZ refuses another one until then.
  private var searchCall: (controller: String, number: Int, due: Instant)?
  private var searchesAgainAt: Instant?
  /// The controller that was told to switch itself on.
  private var awakened: String?
  private var hasReportedSearch = false
  /// The objects that were reported as found, and those of strangers that have come by themselves.
  private var found: Set<String> = []
  private var strangers: Set<String> = []
  var reports: [HeadsetReport] = []
  /// The last `unavailable` or `known`.
  private var shown: HeadsetReport?
  /// The time of the call at hand.
  private(set) var now = Instant.powerOn

  /// - Parameter bus: the bus's address; nil: the system bus.
  public init(bus address: String? = nil) { self.address = address }

  public var pollDescriptors: [PollDescriptor] { service.map { [$0.bus.pollDescriptor] } ?? [] }

  public var next: Instant? {
    let times = [opensAt, searchesAgainAt, unansweredAt] + tasks.values.map(\.deadline)
    return reports.isEmpty ? times.compactMap { $0 }.min() : now
  }

  /// When to report that BlueZ does not answer what a search waits for; nil: nothing is to be reported.
  private var unansweredAt: Instant? { wantsSearch && !hasReportedSearch ? searchCall?.due : nil }

  public func takeReports(at now: Instant) -> [HeadsetReport] {
    self.now = now
    do throws(MessageBusFailure) {
      if service == nil { try open() }
      try service?.process()
    } catch {
      lose(error)
    }
    timeOut()
    settle()
    defer { reports = [] }
    return reports
  }

  public func obey(_ command: HeadsetCommand, at now: Instant) {
    self.now = now
    switch command {
    case .search(let isWanted):
      wantsSearch = isWanted
      (found, awakened, searchesAgainAt, hasReportedSearch) = ([], nil, nil, false)
    case .pair(let address): begin(.pairing, address)
    case .call(let address): begin(.call, address)
    case .remove(let address): begin(.removal, address)
    case .distrust(let address):
      if let path = service?.objects.device(address) { service?.set(path, BluezObjects.device, "Trusted", false) }
    }
    settle()
  }

  private func settle() {
    loseTasks()
    settleSearch()
    agent.device = tasks.values.first { $0.kind == .pairing }?.path
    if !tasks.values.contains(where: { $0.kind == .pairing && !$0.isNew }) { service?.endPairing() }
    look()
    reports += agent.takeRefused()
    showChange()
  }

  // MARK: - The bus

  private func open() throws(MessageBusFailure) {
    guard let due = opensAt, due <= now else { return }
    opensAt = nil
    let opened = try BluezService(MessageBus.open(address), agent)
    opened.onLoss = { [weak self] in self?.forgetService("BlueZ has gone") }
    service = opened
  }

  private func lose(_ failure: MessageBusFailure) {
    service = nil
    opensAt = now + Self.busRetry
    forgetService("the system bus has gone")
    show(.unavailable(reason: "system bus: \(failure.message)"))
  }

  private func forgetService(_ reason: String) {
    for task in tasks.values { fail(task, reason) }
    (searched, searchCall, awakened, found, strangers) = (nil, nil, nil, [], [])
  }

  private func show(_ report: HeadsetReport) {
    if report != shown { reports.append(report) }
    shown = report
  }

  /// Shows what is paired, once that is known.
  private func showChange() {
    guard let service, service.isKnown else { return }
    if let fault = service.fault { return show(.unavailable(reason: fault)) }
    show(.known(service.objects.headsets))
  }

  // MARK: - Searching

  private func settleSearch() {
    if let due = searchesAgainAt, due <= now { searchesAgainAt = nil }
    let controllers = service?.objects.controllers ?? [:]
    // BlueZ ends a search with the power of its controller, which may go and come again within the window.
    if let old = searched, controllers[old]?.isPowered != true { searched = nil }
    if let call = searchCall, controllers[call.controller]?.isPowered != true { searchCall = nil }
    // Its answer counts all the same: BlueZ refuses others until then, and a search that it begins late is to be ended.
    if let due = unansweredAt, due <= now { reportSearch("it does not answer") }
    guard let service, let path = service.objects.path, let controller = controllers[path],
      service.isKnown, service.fault == nil
    else { return searched = nil }
    if searchCall == nil, let old = searched, old != path || !wantsSearch {
      searched = nil
      callSearch(old, "StopDiscovery") { _ in }
    }
    if controller.isPowered { awakened = nil }
    guard wantsSearch, searched == nil, searchCall == nil, searchesAgainAt == nil else { return }
    guard controller.isPowered else {
      if awakened != path {
        service.set(path, BluezObjects.controller, "Powered", true) { [weak self] in self?.searchReplied($0) }
      }
      return awakened = path
    }
    searched = path
    service.call(path, BluezObjects.controller, "SetDiscoveryFilter", [.properties(["Transport": .string("bredr")])])
    callSearch(path, "StartDiscovery") { [weak self] in self?.searchReplied($0) }
  }

  private func callSearch(_ controller: String, _ member: String, _ take: @escaping (String?) -> Void) {
    stepCount += 1
    let number = stepCount
    searchCall = (controller, number, now + Self.searchTime)
    service?.call(controller, BluezObjects.controller, member) { [weak self] failure in
      guard let self, searchCall?.number == number else { return }
      searchCall = nil
      take(failure)
    }
  }

  private func searchReplied(_ failure: String?) {
    guard let failure, wantsSearch else { return }
    (searched, awakened, searchesAgainAt) = (nil, nil, now + Self.searchRetry)
    reportSearch(failure)
  }

  private func reportSearch(_ failure: String) {
    if !hasReportedSearch { reports.append(.pairingFailed(nil, reason: failure)) }
    hasReportedSearch = true
  }

  /// Reports who is in reach, and who has come by itself.
  private func look() {
    let devices = service?.objects.devices ?? [:]
    found.formIntersection(devices.filter(\.value.isInReach).keys)
    strangers.formIntersection(devices.filter(\.value.isStranger).keys)
    for (path, device) in devices.sorted(by: { $0.key < $1.key }) {
      guard var headset = device.headset, tasks[headset.address] == nil else { continue }
      if device.isStranger {
        guard strangers.insert(path).inserted else { continue }
        headset.isConnected = true
        reports.append(device.mayBeHeadset ? .found(headset) : .refused(headset, request: "connection"))
      } else if wantsSearch, searched != nil, device.isInReach, device.mayBeHeadset, !device.isConnected {
        if found.insert(path).inserted { reports.append(.found(headset)) }
      }
    }
  }
}
