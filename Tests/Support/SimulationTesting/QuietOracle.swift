import AudioSession
import Jukebox
import Simulator

/// Quiet hours: what is heard in them, and that the volumes of before are back after them. It returns what is wrong.
struct QuietOracle {
  /// What a card may still play of before, and the ramp of a volume.
  private static let margin = Duration.milliseconds(400)

  let rate: Int
  let fade: Duration
  /// Since when it is quiet, or nothing from before may still be heard; nil: it is not.
  private var since: Instant?
  private var isQuiet = false
  /// As the log has it, since power on.
  private var isLogged = false
  /// What it was before, unless something has been done since that may change it.
  private var former: (port: Port?, volume: Int?)?
  /// What it was when all had settled last, unless the log has another since.
  private var latest: (port: Port?, volume: Int?)?

  init(rate: Int, fade: Duration) { (self.rate, self.fade) = (rate, fade) }

  mutating func willDo(_ action: Scenario.Action) {
    switch action {
    case .clock, .end, .expect: break
    default: former = nil
    }
  }

  mutating func powerOn(isQuiet: Bool, at now: Instant) {
    (self.isQuiet, isLogged, former, latest) = (isQuiet, false, nil, nil)
    // Nothing of the time before is heard.
    since = isQuiet ? now - fade - Self.margin : nil
  }

  mutating func logged(_ event: Event, at now: Instant) -> String? {
    switch event.name {
    case .volumeChanged, .routeChanged, .visitEnded, .hoursOpened, .hoursClosed: (former, latest) = (nil, nil)
    case .quietBegan:
      if isLogged { return "it gets quiet twice" }
      isLogged = true
    case .quietEnded:
      if !isLogged { return "it gets louder twice" }
      isLogged = false
    default: break
    }
    return nil
  }

  mutating func settled(_ status: Status, isQuiet: Bool, at now: Instant) -> String? {
    defer { self.isQuiet = isQuiet }
    if isQuiet != self.isQuiet {
      since = isQuiet ? now : nil
      if isQuiet { former = latest }
    }
    if !isQuiet, self.isQuiet, let former, former.port == status.route.port, former.volume != status.volume {
      return "the volume was \(former.volume ?? -1) before it got quiet, and is \(status.volume ?? -1) afterwards"
    }
    latest = (status.route.port, status.volume)
    let state: QuietStatus.State = isQuiet ? .on : .off
    if status.quiet?.state != state, isQuiet || status.quiet?.state != .unknown {
      return "it is \(status.quiet?.state.rawValue ?? "nothing"), expected \(state.rawValue)"
    }
    guard isQuiet, let volume = status.volume, volume > HoursModel.ceiling else { return nil }
    return "the volume is \(volume) in quiet hours"
  }

  func heard(_ samples: UnsafePointer<Int16>, frames: Int, at start: Int) -> String? {
    guard let since else { return nil }
    let begin = (since + fade + Self.margin).frame(rate: rate)
    let loudest = Int(Double(TestMusic.level) * gain(ofVolume: HoursModel.ceiling)) + 3
    for frame in max(0, begin - start)..<max(frames, begin - start) where abs(Int(samples[2 * frame])) > loudest {
      return "the music's level is \(samples[2 * frame]), at most \(loudest) in quiet hours"
    }
    return nil
  }
}
