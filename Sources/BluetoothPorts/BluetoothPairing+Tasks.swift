import AudioSession

/// Series of calls for one headset, each with its limit.
extension BluetoothPairing {
  /// A page alone takes 5 s, and an old headset is asked for its services one by one.
  private static let pairingTime = Duration.seconds(40)
  private static let connectionTime = Duration.seconds(30)
  private static let otherTime = Duration.seconds(5)

  private static let noHeadset = "it is no headset"

  struct Task {
    enum Kind: Hashable { case pairing, call, removal }
    var kind: Kind
    var path: String
    var headset: Headset
    var deadline: Instant
    /// Replies to an earlier step, or to another task, say nothing.
    var step = 0
    /// BlueZ has paired with it just now.
    var isNew = false
    /// BlueZ was told to connect to it, which is the last step.
    var isConnecting = false
    /// It is paired and trusted since: whatever fails later, it is called.
    var isDone: Bool { isNew && isConnecting }
  }

  func begin(_ kind: Task.Kind, _ address: BluetoothAddress) {
    if let other = tasks[address] { fail(other, "something else was asked for") }
    let objects = service?.objects
    guard let path = objects?.device(address), let device = objects?.devices[path], let headset = device.headset else {
      return report(kind, Headset(address: address, name: ""), "it has gone")
    }
    tasks[address] = Task(kind: kind, path: path, headset: headset, deadline: now)
    switch kind {
    case .call: connect(address)
    case .pairing where device.isPaired: trust(address)
    case .pairing:
      service?.beginPairing(on: device.controller)
      step(address, "Pair", Self.pairingTime) { $0.paired(address) }
    case .removal:
      guard let take = nextStep(address, Self.otherTime, { $0.succeed(address) }) else { return }
      service?.call(device.controller, BluezObjects.controller, "RemoveDevice", [.objectPath(path)], take)
    }
  }

  /// Makes the next call for the headset, and goes on when it is answered.
  private func step(
    _ address: BluetoothAddress, _ member: String, _ time: Duration, _ then: @escaping (BluetoothPairing) -> Void
  ) {
    guard let path = tasks[address]?.path, let take = nextStep(address, time, then) else { return }
    service?.call(path, BluezObjects.device, member, [], take)
  }

  private func nextStep(
    _ address: BluetoothAddress, _ time: Duration, _ then: @escaping (BluetoothPairing) -> Void
  ) -> ((String?) -> Void)? {
    guard tasks[address] != nil else { return nil }
    stepCount += 1
    let number = stepCount
    tasks[address]?.step = number
    tasks[address]?.deadline = now + time
    return { [weak self] failure in
      guard let self, let task = tasks[address], task.step == number else { return }
      if let failure { return fail(task, failure) }
      then(self)
    }
  }

  private func paired(_ address: BluetoothAddress) {
    guard let task = tasks[address], let device = service?.objects.devices[task.path] else { return }
    guard device.mayBeHeadset else {
      forget(task)
      return fail(task, Self.noHeadset)
    }
    tasks[address]?.isNew = true
    trust(address)
  }

  private func trust(_ address: BluetoothAddress) {
    guard let path = tasks[address]?.path, let take = nextStep(address, Self.otherTime, { $0.connect(address) }) else {
      return
    }
    service?.set(path, BluezObjects.device, "Trusted", true, take)
  }

  private func connect(_ address: BluetoothAddress) {
    tasks[address]?.isConnecting = true
    step(address, "Connect", Self.connectionTime) { $0.succeed(address) }
  }

  private func succeed(_ address: BluetoothAddress) {
    guard let task = tasks.removeValue(forKey: address) else { return }
    let device = service?.objects.devices[task.path]
    let isGood = !task.isDone || device?.isHeadset == true
    if !isGood { forget(task) }
    report(task.kind, device?.headset ?? task.headset, isGood ? nil : Self.noHeadset)
  }

  /// A device that turns out not to be a headset must not stay paired.
  private func forget(_ task: Task) {
    guard let controller = service?.objects.devices[task.path]?.controller else { return }
    service?.call(controller, BluezObjects.controller, "RemoveDevice", [.objectPath(task.path)])
  }

  func fail(_ task: Task, _ reason: String) {
    guard tasks.removeValue(forKey: task.headset.address) != nil else { return }
    guard task.isDone, service?.objects.devices[task.path] != nil else {
      return report(task.kind, task.headset, reason)
    }
    // It may have connected by itself meanwhile; if not, it is called (B9).
    let isHeadset = service?.objects.devices[task.path]?.isHeadset == true
    if !isHeadset { forget(task) }
    report(task.kind, task.headset, isHeadset ? nil : reason)
  }

  /// Ends what BlueZ may never answer, because the headset or its controller has gone. A removal waits for just that.
  func loseTasks() {
    for task in tasks.values where task.kind != .removal && service?.objects.devices[task.path] == nil {
      fail(task, "it has gone")
    }
  }

  /// Ends what has not been answered in time.
  func timeOut() {
    for task in tasks.values where task.deadline <= now {
      // BlueZ answers when the last service is connected to; the headset may play long before.
      let isConnected = service?.objects.devices[task.path]?.isConnected == true
      if isConnected, task.isConnecting {
        succeed(task.headset.address)
        continue
      }
      // BlueZ goes on by itself otherwise, and would end later what nobody waits for by then.
      let isPairing = task.kind == .pairing && !task.isNew && !task.isConnecting
      if task.kind != .removal {
        service?.call(task.path, BluezObjects.device, isPairing ? "CancelPairing" : "Disconnect")
      }
      fail(task, "it does not answer")
    }
  }

  private func report(_ kind: Task.Kind, _ headset: Headset, _ failure: String?) {
    switch (kind, failure) {
    case (.pairing, nil): reports.append(.paired(headset))
    case (.pairing, let reason?): reports.append(.pairingFailed(headset, reason: reason))
    case (.call, _): reports.append(.called(headset.address, failure: failure))
    case (.removal, _): reports.append(.removed(headset, failure: failure))
    }
  }
}
