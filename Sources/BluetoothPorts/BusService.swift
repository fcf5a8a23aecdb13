/// What has to do with one service on the bus, by `BusService`.
protocol BusServiceClient: AnyObject {
  /// Asks the service for all that it has.
  func ask()
  /// The service has gone, or is another one: what it had counts no more, and what was asked of it is not answered.
  func forget()
  /// Called after each message that was taken.
  func update()
}

/// Names that every bus has, and those of the services here.
enum BusName {
  static let daemon = "org.freedesktop.DBus"
  static let objects = "org.freedesktop.DBus.ObjectManager"
  static let properties = "org.freedesktop.DBus.Properties"
  static let bluez = "org.bluez"
  static let bluezAlsa = "org.bluealsa"
}

/// A service on the bus, which need not run. Only messages of the service itself count: anybody may send signals that
/// look like its own. One thread.
final class BusService<Client: BusServiceClient> {
  let bus: MessageBus
  private let name: String
  /// Set before anything is watched or called.
  weak var client: Client?
  /// The unique name of who has the service's name, once it has replied.
  private(set) var owner: String?
  /// A call that could not even be queued: the bus is as good as gone.
  private var failure: MessageBusFailure?

  init(_ name: String, on bus: MessageBus) {
    self.bus = bus
    self.name = name
  }

  /// Whether it has replied and not ended since.
  var isRunning: Bool { owner != nil }

  func isSender(of message: borrowing BusMessage) -> Bool { owner != nil && message.sender == owner }

  /// Throws when the bus is gone.
  func check() throws(MessageBusFailure) { if let failure { throw failure } }

  /// To be called before the client asks for anything, so that nothing is missed in between.
  func watchOwner() throws(MessageBusFailure) {
    let sender = "type='signal',sender='\(BusName.daemon)',interface='\(BusName.daemon)'"
    try bus.match("\(sender),member='NameOwnerChanged',arg0='\(name)'") { [weak self] message in
      guard let self, message.sender == BusName.daemon else { return }
      ownerChanged(message)
    }
  }

  /// Has `take` called for every signal of the service that fits. `more` is a further condition of the bus.
  func watch(
    _ interface: String, _ member: String, _ more: String = "",
    _ take: @escaping (Client, borrowing BusMessage) -> Void
  ) throws(MessageBusFailure) {
    let rule = "type='signal',sender='\(name)',interface='\(interface)',member='\(member)'"
    try bus.match(more.isEmpty ? rule : "\(rule),\(more)") { [weak self] message in
      guard let self, isSender(of: message), let client else { return }
      take(client, message)
      client.update()
    }
  }

  /// Calls a method; `take` gets the reply, which may be an error.
  func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [Variant] = [],
    _ take: @escaping (Client, borrowing BusMessage) -> Void
  ) {
    let method = BusMethod(service: name, path: path, interface: interface, member: member)
    do throws(MessageBusFailure) {
      try bus.call(method, arguments) { [weak self] message in
        guard let self, let client else { return }
        // One that has just started has its name before its objects, and refuses to list them: they come as signals.
        if let sender = message.sender, sender != BusName.daemon { owner = sender }
        take(client, message)
        client.update()
      }
    } catch {
      failure = error
    }
  }

  private func ownerChanged(_ message: borrowing BusMessage) {
    guard message.string() != nil, message.string() != nil, let new = message.string() else { return }
    owner = nil
    client?.forget()
    if !new.isEmpty { client?.ask() }
    client?.update()
  }
}
