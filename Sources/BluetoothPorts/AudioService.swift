import AudioSession
import Board
import Glibc

/// What bluez-alsa says of its PCMs. One thread.
final class AudioService: BusServiceClient {
  /// A line that moved: its index, and what it is now.
  struct Change: Hashable {
    var line: Int
    var level: Bool
  }

  private static let manager = "org.bluealsa.Manager1"
  private static let pcm = "org.bluealsa.PCM1"
  private static let path = "/org/bluealsa"

  private let service: BusService<AudioService>
  private let requests: [HeadsetLineRequest]
  private var list = HeadsetList()
  private(set) var levels: [Bool]
  private var changes: [Change] = []
  /// Whether it is known what the service offers, or that it does not run.
  private(set) var isKnown = false
  /// Whether we may not talk to it.
  private(set) var isRefused = false
  /// Whether bluez-alsa has replied and not ended since.
  var isRunning: Bool { service.isRunning }
  var bus: MessageBus { service.bus }

  /// Asks for everything; nothing is known yet.
  init(_ bus: MessageBus, _ requests: [HeadsetLineRequest]) throws(MessageBusFailure) {
    service = BusService(BusName.bluezAlsa, on: bus)
    self.requests = requests
    levels = requests.map { _ in false }
    service.client = self
    try service.watchOwner()
    try service.watch(BusName.objects, "InterfacesAdded") { $0.added($1) }
    try service.watch(BusName.objects, "InterfacesRemoved") { $0.removed($1) }
    try service.watch(Self.manager, "PCMAdded") { $0.addedAsBefore($1) }
    try service.watch(Self.manager, "PCMRemoved") { $0.removedAsBefore($1) }
    ask()
    try process()
  }

  /// Reads the messages that wait; returns at once. Throws when the bus is gone.
  func process() throws(MessageBusFailure) {
    try bus.process()
    try service.check()
  }

  /// Reads messages until this is so, but not for long. What moves meanwhile is no change.
  func wait(for patience: Duration, until isDone: () -> Bool) throws(MessageBusFailure) {
    let clock = MonotonicClock(startsNow: true)
    while !isDone() {
      let left = Instant.powerOn + patience - clock.now
      guard left > .zero else { return }
      let descriptor = bus.pollDescriptor
      var polled = pollfd(fd: descriptor.fileDescriptor, events: descriptor.events, revents: 0)
      poll(&polled, 1, CInt(left / .milliseconds(1)) + 1)
      try process()
    }
    changes = []
  }

  /// Returns what moved since the last call, in order.
  func takeChanges() -> [Change] {
    defer { changes = [] }
    return changes
  }

  // MARK: - The service

  func ask() {
    service.call(Self.path, BusName.objects, "GetManagedObjects") { $0.listed($1) }
  }

  func forget() { list.withdrawAll() }

  func update() {
    for (index, request) in requests.enumerated() where levels[index] != list.has(request.address) {
      levels[index].toggle()
      changes.append(Change(line: index, level: levels[index]))
    }
  }

  // MARK: - Messages

  private func listed(_ message: borrowing BusMessage) {
    if message.saysServiceIsGone {
      isKnown = true
      return
    }
    switch message.error {
    case nil:
      list.withdrawAll()
      _ = message.entries("o", "a{sa{sv}}") { readObject(message) }
      isKnown = true
    case "org.freedesktop.DBus.Error.AccessDenied"?:
      isRefused = true
      isKnown = true
    case _?: service.call(Self.path, Self.manager, "GetPCMs") { $0.listedAsBefore($1) }
    }
  }

  private func listedAsBefore(_ message: borrowing BusMessage) {
    isKnown = true
    guard message.error == nil else { return }
    list.withdrawAll()
    _ = message.entries("o", "a{sv}") { readPCM(message) }
  }

  private func added(_ message: borrowing BusMessage) { _ = readObject(message) }

  private func removed(_ message: borrowing BusMessage) {
    guard let path = message.objectPath(), let interfaces = message.strings() else { return }
    if interfaces.contains(Self.pcm) { list.withdraw(path) }
  }

  private func addedAsBefore(_ message: borrowing BusMessage) { _ = readPCM(message) }

  private func removedAsBefore(_ message: borrowing BusMessage) {
    if let path = message.objectPath() { list.withdraw(path) }
  }

  /// Reads an object's path and its interfaces.
  private func readObject(_ message: borrowing BusMessage) -> Bool {
    guard let path = message.objectPath() else { return false }
    return message.entries("s", "a{sv}") {
      guard let interface = message.string() else { return false }
      guard interface == Self.pcm else { return message.skip("a{sv}") }
      return readProperties(message, of: path)
    }
  }

  private func readPCM(_ message: borrowing BusMessage) -> Bool {
    guard let path = message.objectPath() else { return false }
    return readProperties(message, of: path)
  }

  private func readProperties(_ message: borrowing BusMessage, of path: String) -> Bool {
    var offer = HeadsetList.Offer()
    let isComplete = message.entries("s", "v") {
      switch message.string() {
      case "Device"?: offer.device = message.variantText() ?? ""
      case "Transport"?: offer.transport = message.variantText() ?? ""
      case "Mode"?: offer.mode = message.variantText() ?? ""
      case nil: return false
      case _?: return message.skip("v")
      }
      return true
    }
    if isComplete { list.offer(path, offer) }
    return isComplete
  }
}
