import Glibc

/// BlueZ on one connection to the bus: what it has, and calls to it. One thread.
final class BluezService: BusServiceClient {
  private static let agentManager = "org.bluez.AgentManager1"
  private static let agentPath = "/jackdaw/agent"

  private enum AgentState: Hashable { case unknown, registered, refused(String) }

  private let service: BusService<BluezService>
  private(set) var objects = BluezObjects()
  private var agentState = AgentState.unknown
  /// Why nothing can be done; nil: it can.
  private(set) var fault: String?
  /// Whether it is known what the service has, or that it does not run.
  private(set) var isKnown = false
  private let agent: PairingAgent
  /// The controller that pairs with a headset just now.
  private var pairing: String?
  /// The controllers that were told not to be pairable.
  private var closed: Set<String> = []
  /// Called when the service has gone, or is another one: what was asked of it will not be answered.
  var onLoss: () -> Void = {}
  var bus: MessageBus { service.bus }

  /// Asks for everything; nothing is known yet.
  init(_ bus: MessageBus, _ agent: PairingAgent) throws(MessageBusFailure) {
    service = BusService(BusName.bluez, on: bus)
    self.agent = agent
    try service.begin(for: self)
    try service.watch(BusName.objects, "InterfacesAdded") { $0.objects.readAdded($1) }
    try service.watch(BusName.objects, "InterfacesRemoved") { $0.objects.readRemoved($1) }
    try service.watch(BusName.properties, "PropertiesChanged") { $0.objects.readChanges($1) }
    try bus.export(Self.agentPath) { [weak self] message in
      guard let self else { return message.refuse(PairingAgent.rejected, "the agent has gone") }
      agent.take(message, isFromService: service.isSender(of: message), objects)
    }
    service.ask()
    try process()
  }

  /// Reads the messages that wait; returns at once. Throws when the bus is gone.
  func process() throws(MessageBusFailure) {
    try bus.process()
    try service.check()
    settle()
    try service.check()
  }

  // MARK: - Calls

  /// Calls a method of an object; `take` gets the reason why it failed, or nil.
  func call(
    _ path: String, _ interface: String, _ member: String, _ arguments: [Variant] = [],
    _ take: @escaping (_ failure: String?) -> Void = { _ in }
  ) {
    service.call(path, interface, member, arguments) { take($1.failure) }
  }

  /// Sets a property of an object.
  func set(
    _ path: String, _ interface: String, _ property: String, _ value: Bool,
    _ take: @escaping (_ failure: String?) -> Void = { _ in }
  ) {
    let arguments: [Variant] = [.string(interface), .string(property), .variant(.boolean(value))]
    call(path, BusName.properties, "Set", arguments, take)
  }

  // MARK: - The service

  func forget() {
    objects = BluezObjects()
    agentState = .unknown
    (closed, pairing) = ([], nil)
    become("BlueZ does not run")
    onLoss()
  }

  func listed(_ message: borrowing BusMessage) {
    if message.saysServiceIsGone { return become("BlueZ does not run") }
    // If the error is BlueZ's own, it has just started: its objects come as signals.
    if let failure = message.failure, !service.isRunning { return become("BlueZ refuses to be asked: \(failure)") }
    objects = BluezObjects()
    objects.read(message.objects() ?? [])
    // Before there is an agent: without one, a controller is not pairable anyway.
    closeControllers()
    register()
  }

  /// Becomes who is asked whether a device may pair or connect, for as long as this runs.
  private func register() {
    let agent = Variant.objectPath(Self.agentPath)
    call("/org/bluez", Self.agentManager, "RegisterAgent", [agent, .string("NoInputNoOutput")]) { [weak self] in
      self?.registered($0)
    }
    call("/org/bluez", Self.agentManager, "RequestDefaultAgent", [agent]) { [weak self] in self?.registered($0) }
  }

  private func registered(_ failure: String?) {
    guard service.isRunning else { return }
    switch agentState {
    // The first reason is the one that matters: what is refused later does not exist because of it.
    case .refused: return
    case .unknown, .registered: agentState = failure.map { AgentState.refused($0) } ?? .registered
    }
  }

  private func become(_ fault: String?) {
    self.fault = fault
    isKnown = true
  }

  private func settle() {
    guard service.isRunning else { return }
    closeControllers()
    switch agentState {
    case .unknown: return
    case .refused(let reason): become("BlueZ takes no agent: \(reason)")
    case .registered: become(objects.path == nil ? "there is no Bluetooth controller" : nil)
    }
  }

  /// To be called before a pairing that the box begins: the kernel forgets the keys of a controller that is not pairable.
  func beginPairing(on controller: String) {
    pairing = controller
    // BlueZ may not have reported the end of the pairing before: this one must be followed by an end of its own.
    closed.remove(controller)
    set(controller, BluezObjects.controller, "Pairable", true)
  }

  func endPairing() {
    guard pairing != nil else { return }
    pairing = nil
    closeControllers()
  }

  /// A device that asks to pair with a box without input and output is accepted by the kernel itself, without a word to
  /// the agent. So the box is pairable only for the seconds in which it pairs with a headset itself.
  private func closeControllers() {
    closed.formIntersection(objects.controllers.filter(\.value.isPairable).keys)
    for (path, controller) in objects.controllers
    where path != pairing && controller.isPairable && closed.insert(path).inserted {
      set(path, BluezObjects.controller, "Pairable", false)
    }
  }
}
