import AudioSession
import Board
import Glibc

/// What bluez-alsa says of its PCMs. Only messages of the service itself count: anybody may send signals that look like
/// its own. One thread.
final class AudioService {
  /// A line that moved: its index, and what it is now.
  struct Change: Hashable {
    var line: Int
    var level: Bool
  }

  private static let service = "org.bluealsa"
  private static let manager = "org.bluealsa.Manager1"
  private static let objects = "org.freedesktop.DBus.ObjectManager"
  private static let pcm = "org.bluealsa.PCM1"
  private static let daemon = "org.freedesktop.DBus"
  private static let path = "/org/bluealsa"

  let bus: MessageBus
  private let requests: [HeadsetLineRequest]
  private var list = HeadsetList()
  private(set) var levels: [Bool]
  private var changes: [Change] = []
  /// The service's unique name, once it has sent its list.
  private var owner: String?
  /// Whether it is known what the service offers, or that it does not run.
  private var isKnown = false
  /// Whether we may not talk to it.
  private(set) var isRefused = false
  /// A call that could not even be queued: the bus is as good as gone.
  private var failure: MessageBusFailure?

  /// Asks for everything; nothing is known yet.
  init(_ bus: MessageBus, _ requests: [HeadsetLineRequest]) throws(MessageBusFailure) {
    self.bus = bus
    self.requests = requests
    levels = requests.map { _ in false }
    // Before the list is asked for, so that nothing is missed in between.
    try watch(sender: Self.daemon, Self.daemon, "NameOwnerChanged", "arg0='\(Self.service)'") { $0.ownerChanged($1) }
    try watch(Self.objects, "InterfacesAdded") { $0.added($1) }
    try watch(Self.objects, "InterfacesRemoved") { $0.removed($1) }
    try watch(Self.manager, "PCMAdded") { $0.addedAsBefore($1) }
    try watch(Self.manager, "PCMRemoved") { $0.removedAsBefore($1) }
    ask()
    try process()
  }

  /// Reads the messages that wait; returns at once. Throws when the bus is gone.
  func process() throws(MessageBusFailure) {
    try bus.process()
    if let failure { throw failure }
  }

  /// Waits until it is known what is there, but not for long.
  func waitUntilKnown(for patience: Duration) throws(MessageBusFailure) {
    let clock = MonotonicClock(startsNow: true)
    while !isKnown {
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

  // MARK: - Asking

  private func watch(
    sender: String = AudioService.service, _ interface: String, _ member: String, _ more: String = "",
    _ take: @escaping (AudioService, borrowing BusMessage) -> Void
  ) throws(MessageBusFailure) {
    let rule = "type='signal',sender='\(sender)',interface='\(interface)',member='\(member)'"
    try bus.match(more.isEmpty ? rule : "\(rule),\(more)") { [weak self] message in
      guard let self, sender == Self.daemon ? message.sender == sender : message.sender == owner else { return }
      take(self, message)
      updateLevels()
    }
  }

  private func ask() {
    call(Self.objects, "GetManagedObjects") { $0.listed($1) }
  }

  private func call(
    _ interface: String, _ member: String, _ take: @escaping (AudioService, borrowing BusMessage) -> Void
  ) {
    let method = BusMethod(service: Self.service, path: Self.path, interface: interface, member: member)
    do throws(MessageBusFailure) {
      try bus.call(method) { [weak self] message in
        guard let self else { return }
        take(self, message)
        updateLevels()
      }
    } catch {
      failure = error
    }
  }

  private func updateLevels() {
    for (index, request) in requests.enumerated() where levels[index] != list.has(request.address) {
      levels[index].toggle()
      changes.append(Change(line: index, level: levels[index]))
    }
  }

  // MARK: - Messages

  private func ownerChanged(_ message: borrowing BusMessage) {
    guard message.string() != nil, message.string() != nil, let new = message.string() else { return }
    list.withdrawAll()
    owner = nil
    if !new.isEmpty { ask() }
  }

  private func listed(_ message: borrowing BusMessage) {
    switch message.error {
    case nil:
      owner = message.sender
      list.withdrawAll()
      _ = message.entries("o", "a{sa{sv}}") { readObject(message) }
      isKnown = true
    case "org.freedesktop.DBus.Error.ServiceUnknown"?, "org.freedesktop.DBus.Error.NameHasNoOwner"?,
      "org.freedesktop.DBus.Error.NoReply"?:
      isKnown = true
    case "org.freedesktop.DBus.Error.AccessDenied"?:
      isRefused = true
      isKnown = true
    case _?: call(Self.manager, "GetPCMs") { $0.listedAsBefore($1) }
    }
  }

  private func listedAsBefore(_ message: borrowing BusMessage) {
    isKnown = true
    guard message.error == nil else { return }
    owner = message.sender
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
