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
    service = BusService(BusName.bluezAlsa, root: Self.path, on: bus)
    self.requests = requests
    levels = requests.map { _ in false }
    try service.begin(for: self)
    try service.watch(BusName.objects, "InterfacesAdded") { $0.added($1) }
    try service.watch(BusName.objects, "InterfacesRemoved") { $0.removed($1) }
    try service.watch(Self.manager, "PCMAdded") { $0.addedAsBefore($1) }
    try service.watch(Self.manager, "PCMRemoved") { $0.removedAsBefore($1) }
    service.ask()
    try process()
  }

  /// Reads the messages that wait; returns at once. Throws when the bus is gone.
  func process() throws(MessageBusFailure) {
    try bus.process()
    try service.check()
  }

  /// Reads messages until this is so, but not for long. What moves meanwhile does not count as a change.
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

  func forget() { list.withdrawAll() }

  func update() {
    for (index, request) in requests.enumerated() where levels[index] != list.has(request.address) {
      levels[index].toggle()
      changes.append(Change(line: index, level: levels[index]))
    }
  }

  // MARK: - Messages

  func listed(_ message: borrowing BusMessage) {
    if message.saysServiceIsGone {
      isKnown = true
      return
    }
    switch message.error {
    case nil:
      list.withdrawAll()
      for object in message.objects() ?? [] { offer(object) }
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
    for (path, pcm) in message.entries("o", "a{sv}", { message.properties() }) ?? [] { offer(path, pcm) }
  }

  private func added(_ message: borrowing BusMessage) {
    if let object = message.object() { offer(object) }
  }

  private func removed(_ message: borrowing BusMessage) {
    guard let path = message.objectPath(), let interfaces = message.strings() else { return }
    if interfaces.contains(Self.pcm) { list.withdraw(path) }
  }

  private func addedAsBefore(_ message: borrowing BusMessage) {
    if let path = message.objectPath(), let pcm = message.properties() { offer(path, pcm) }
  }

  private func removedAsBefore(_ message: borrowing BusMessage) {
    if let path = message.objectPath() { list.withdraw(path) }
  }

  private func offer(_ object: BusObject) {
    if let pcm = object.interfaces[Self.pcm] { offer(object.path, pcm) }
  }

  private func offer(_ path: String, _ pcm: [String: Variant]) {
    var offer = HeadsetList.Offer()
    offer.device = pcm["Device"]?.text ?? ""
    offer.transport = pcm["Transport"]?.text ?? ""
    offer.mode = pcm["Mode"]?.text ?? ""
    list.offer(path, offer)
  }
}
