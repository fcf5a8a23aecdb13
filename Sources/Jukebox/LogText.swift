import AudioSession

/// What the log says of each fact. What a fact only asks for has its line where it is carried out.
extension Turn {
  mutating func log(_ fact: MusicFact, at route: Route) {
    switch fact {
    case .wanted, .ended, .command, .count, .list, .requested, .requestEnded: break
    case .requestQueued(let track, let place):
      log(.requestQueued, .info, ["track": track.number, "file": track.file, "place": String(place)])
    case .requestStarted(let track, let isPaid):
      log(.requestStarted, .info, ["track": track.number, "file": track.file, "paid": isPaid ? "true" : nil])
    case .playback(let line, let track, let frame): log(line, track: track, frame: String(frame), at: route)
    case .trackStarted(let track, let known, let frame):
      log(
        .trackStarted, .info,
        [
          "track": track.number, "file": track.file, "title": known?.title, "artist": known?.artist,
          "route": route.description, "frame": String(frame),
        ])
    case .trackEnded(let track): log(.trackEnded, .info, ["track": track.number, "file": track.file])
    case .trackFailed(let track, let reason, let frame):
      log(
        .trackFailed, .warn,
        ["track": track.number, "file": track.file, "reason": reason, "frame": frame.map(String.init)])
    case .queueEnded(let reason):
      object(reason?.rawValue)
      log(.queueEnded, reason == nil ? .info : .warn, ["reason": reason?.rawValue])
    case .queueMoved(let reason, let former, let track, let frame):
      log(
        .queueMoved, .info,
        [
          "reason": reason.rawValue, "from": former, "track": track?.number, "file": track?.file,
          "frame": String(frame),
        ])
    case .moved(let track, let former, let frame):
      log(.playbackMoved, .info, ["track": track, "from": String(former), "frame": String(frame)])
    case .playlistChanged(let name, let former, let tracks, let track, let frame):
      log(
        .playlistChanged, .info,
        ["playlist": name, "from": former, "tracks": String(tracks), "track": track, "frame": String(frame)])
    case .choiceFailed(let choice):
      object(choice.logged)
      log(
        .choiceFailed, .warn,
        ["track": choice.track, "playlist": choice.playlist, "popular": choice.popular, "reason": choice.logged])
    case .promptShown(let port):
      let play = route.port == nil ? "plug it in to go on" : "Play goes on here"
      log(.promptShown, .notice, ["text": "\(port.rawValue) unplugged: \(play), Stop ends"])
    case .promptAnswered(let answer): log(.promptAnswered, .info, ["answer": answer.rawValue])
    case .storageLost(let fault, let file):
      log(.storageLost, .warn, ["reason": fault.reason, "file": file, "frame": String(fault.position.frame)])
    case .storageRestored(let file, let frame):
      log(.storageRestored, .info, ["file": file, "frame": String(frame)])
    case .libraryChanged(let difference, let tracks):
      log(
        .libraryChanged, .info,
        [
          "tracks": String(tracks), "added": String(difference.added), "removed": String(difference.removed),
          "replaced": String(difference.replaced),
        ])
    case .libraryEmpty: log(.libraryEmpty, .warn)
    case .folderMissing(let folder):
      log(.libraryMissing, .warn, ["folder": folder.folder, "reason": folder.reason, "setting": folder.setting])
    case .folderFound(let folder): log(.libraryFound, .info, ["folder": folder])
    }
  }

  private mutating func log(_ line: PlaybackLine, track: String?, frame: String, at route: Route) {
    switch line {
    case .started(let cause): log(.playbackStarted, cause, track: track, frame: frame, at: route)
    case .resumed(let cause): log(.playbackResumed, cause, track: track, frame: frame, at: route)
    case .paused(.unplugged(let loss)):
      log(
        .playbackPaused, .info,
        [
          "cause": PauseCause.unplugged(loss).logged, "from": loss.from.rawValue, "route": route.description,
          "frame": frame,
        ])
    case .paused(let cause):
      log(
        .playbackPaused, .info, ["cause": cause.logged, "reason": cause.loggedReason, "frame": frame],
        mayTrigger: cause.mayTrigger)
    case .stopped(let cause): log(.playbackStopped, .info, ["cause": cause.logged, "frame": frame])
    }
  }

  private mutating func log(_ name: EventName, _ cause: StartCause, track: String?, frame: String, at route: Route) {
    let fields: KeyValuePairs<String, String?> = [
      "cause": cause.rawValue, "track": track, "route": route.description, "frame": frame,
    ]
    log(name, .info, fields, mayTrigger: cause.mayTrigger)
  }

  mutating func log(_ fact: SessionFact) {
    switch fact {
    case .activated(let client):
      log(
        .sessionActivated, .info,
        ["client": client.name.text, "category": client.category.rawValue, "priority": String(client.priority)])
    case .refused(let name, let reason):
      object(reason.reply)
      // Events that a cue has caused trigger no cue; `Policy+ClosedHours` logs those that may.
      log(
        .sessionRefused, .notice, ["client": name.text, "reason": reason.logged, "by": reason.holder],
        mayTrigger: false)
    case .deactivated(let name, let isBusy, _):
      log(.sessionDeactivated, .info, ["client": name.text, "busy": isBusy ? "true" : nil])
    case .changed: break
    }
  }

  mutating func log(_ fact: CueFact, at route: Route) {
    switch fact {
    case .silenced: break
    case .started(let cue, let client, let instant):
      log(
        .cueStarted, .info,
        ["cue": cue, "client": client.text, "route": route.description, "at": instant.logStamp])
    case .ended(let cue, let ending): log(.cueEnded, .info, ["cue": cue, "reason": ending?.rawValue])
    case .failed(let cue, let failure):
      object(failure.objection)
      log(.cueFailed, failure == .closed ? .info : .warn, ["cue": cue, "reason": failure.logged])
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
