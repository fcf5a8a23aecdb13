import AudioSession

/// What the log says of each fact. Which of them a cue may be spoken on is `EventName`'s.
extension Turn {
  /// Facts that only ask for something have no line.
  mutating func log(_ fact: HeadsetFact) {
    switch fact {
    case .pairingOpened: log(.pairingOpened, .info, ["for": Headsets.pairingTime.logSeconds])
    case .pairingClosed(let reason): log(.pairingClosed, .info, ["reason": reason.rawValue])
    case .paired(let headset): log(.pairingPaired, .info, headset.fields())
    case .pairingFailed(let headset, let reason):
      log(.pairingFailed, .warn, headset?.fields(reason) ?? ["reason": reason])
    case .refused(let headset, let request, let count):
      log(
        .pairingRefused, .notice,
        [
          "name": headset.name, "address": headset.address.description, "request": request,
          "n": count.map(String.init),
        ])
    case .removed(let headset, let failure):
      log(.pairingRemoved, failure == nil ? .info : .warn, headset.fields(failure))
    case .called(let headset, let failure): log(.headsetCalled, .debug, headset.fields(failure))
    case .turned, .ask, .askVolume: break
    }
  }
}

extension Headset {
  fileprivate func fields(_ reason: String? = nil) -> KeyValuePairs<String, String?> {
    ["name": name, "address": address.description, "reason": reason]
  }
}
