import AudioSession

/// What the log says of each fact. What a fact only asks for has its line where it is carried out.
extension Turn {
  mutating func log(_ fact: SessionFact) {
    switch fact {
    case .activated(let client):
      log(
        .sessionActivated, .info,
        ["client": client.name, "category": client.category.rawValue, "priority": String(client.priority)])
    case .refused(let name, let reason):
      log(.sessionRefused, .notice, ["client": name, "reason": reason.logged, "by": reason.holder])
    case .deactivated(let name, let isBusy, _):
      log(.sessionDeactivated, .info, ["client": name, "busy": isBusy ? "true" : nil])
    case .changed: break
    }
  }

  mutating func log(_ fact: CueFact, at route: Route) {
    switch fact {
    case .silenced: break
    case .started(let cue, let client, let instant):
      log(
        .cueStarted, .info,
        ["cue": cue, "client": client, "route": route.description, "at": instant.logStamp])
    case .ended(let cue, let ending): log(.cueEnded, .info, ["cue": cue, "reason": ending?.rawValue])
    case .failed(let cue, let failure): log(.cueFailed, .warn, ["cue": cue, "reason": failure.logged])
    }
  }

  mutating func log(_ fact: RecordingFact, input: InputPort?) {
    switch fact {
    case .cancelled(let ending): log(.recordingStopped, .info, ["reason": ending.rawValue])
    case .reported(.started(let file), _):
      log(.recordingStarted, .info, ["file": file, "input": input?.rawValue])
    case .reported(.failed(let reason), _):
      log(.recordingStopped, .error, ["reason": RecordingEnding.failed.rawValue, "error": reason])
    case .reported(.stopped(let file, let frames, let lost, let fault), let told):
      log(
        .recordingStopped, fault == nil ? .info : .error,
        [
          "reason": fault?.rawValue ?? told.rawValue, "file": file, "frames": String(frames),
          "lost": lost > 0 ? String(lost) : nil,
        ])
    case .reported(.recovered(let file, let frames), _):
      log(
        .recordingStopped, .warn,
        [
          "reason": RecordingEnding.powerCut.rawValue, "file": file, "frames": String(frames),
          "lost": frames > 0 ? "at most the last second" : "all of it; the file was removed",
        ])
    case .reported(.unrepaired(let file, let reason), _):
      log(.recordingUnrepaired, .warn, ["file": file, "error": reason])
    case .reported(.removed(let file, let error), _):
      log(.recordingRemoved, error == nil ? .info : .warn, ["file": file, "error": error])
    }
  }

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
