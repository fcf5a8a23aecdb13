/// What has to do with one service on the bus, by `BusService`.
protocol BusServiceClient: AnyObject {
  /// Takes all that the service has.
  func listed(_ message: borrowing BusMessage)
  /// The service has gone, or is another one: what it had no longer counts, and what was asked of it is not answered.
  func forget()
  /// Called after each message that was taken.
  func update()
}

extension BusServiceClient {
  func forget() {}
  func update() {}
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
  /// The object that lists all others.
  private let root: String
  private weak var client: Client?
  /// The unique name of who has the service's name, once it has replied.
  private(set) var owner: String?
  /// How often it was asked for all that it has.
  private var askCount = 0
  /// A call that could not even be queued: the bus is as good as gone.
  private var failure: MessageBusFailure?

  init(_ name: String, root: String = "/", on bus: MessageBus) {
    (self.bus, self.name, self.root) = (bus, name, root)
  }

  /// Whether it has replied and not ended since.
  var isRunning: Bool { owner != nil }

  func isSender(of message: borrowing BusMessage) -> Bool { owner != nil && message.sender == owner }

  /// Throws when the bus is gone.
  func check() throws(MessageBusFailure) { if let failure { throw failure } }

  /// To be called first, so that nothing is missed in between.
  func begin(for client: Client) throws(MessageBusFailure) {
    self.client = client
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

  /// Asks for all that it has, which the client's `listed` takes. One that has just come may have been asked before that
  /// was known here, and is then asked again: only the last reply counts.
  func ask() {
    askCount += 1
    let number = askCount
    call(root, BusName.objects, "GetManagedObjects") { [weak self] client, message in
      if self?.askCount == number { client.listed(message) }
    }
  }

  /// Calls a method; `take` gets the reply, which may be an error.
  func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [Variant] = [],
    _ take: @escaping (Client, borrowing BusMessage) -> Void
  ) {
    do throws(MessageBusFailure) {
      try bus.call(name, path, interface, member, arguments) { [weak self] message in
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
    if !new.isEmpty { ask() }
    client?.update()
  }
}
