import AudioSession

/// What is happening to music, settings or software that somebody brings; reported by what installs them.
enum ContentNotice: Hashable, Sendable {
  case reading
  /// Its name, such as a version.
  case installed(String)
  /// Why it stays out.
  case refused(String)

  /// For how long the lamp shows it.
  var time: Duration {
    switch self {
    // An upper bound, in case the installer never reports completion.
    case .reading: .seconds(600)
    case .installed, .refused: .seconds(60)
    }
  }

  var lamp: LampPattern {
    switch self {
    case .reading: .flicker
    case .installed: .wink
    case .refused: .doubleFlash
    }
  }
}

/// The notice to whoever stands at the kiosk with a stick (U1 to U4).
extension Jukebox {
  /// - Parameter notice: nil: there is nothing to tell.
  mutating func tell(_ notice: ContentNotice?, _ turn: inout Turn) {
    self.notice = notice
    switch notice {
    case .reading: turn.log(.contentReading)
    case .installed(let name): turn.log(.contentInstalled, .info, ["name": name])
    case .refused(let reason): turn.log(.contentRefused, .warn, ["reason": reason])
    case nil: break
    }
    noticeDue = notice.map { turn.now + $0.time }
  }
}
