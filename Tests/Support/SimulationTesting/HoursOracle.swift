import AudioSession
import Jukebox
import Simulator

/// What a kiosk with opening hours may do: nothing of music or cues is heard while it is closed, each boundary acts once,
/// and what it says of itself is true (H rows).
final class HoursOracle: SimulationObserver {
  /// The fade of the settings, and what a card may still play of it.
  private static let fade = Duration.milliseconds(3_100)
  /// The longest track, and a cue of any length that is spoken over its end.
  private static let lastTrack = Duration.seconds(90 + 70)
  /// Within this time the music sounds that an opening begins, and what is silent is closed.
  private static let start = Duration.seconds(1)

  private let rate: Int
  private let closesWithTrack: Bool
  private let playsAtOpening: Bool
  private var quiet: QuietOracle
  private(set) var violation: Violation?
  private(set) var heardFrames = 0
  /// How often each event was logged.
  private(set) var events: [EventName: Int] = [:]
  private var model = HoursModel()
  private(set) var timetable: TimetableModel
  private var now = Instant.powerOn
  private var isOn = false
  private var isAsleep = false
  /// Since when it is closed; nil: it is open, or off.
  private var closedSince: Instant?
  /// When it opened, unless something has happened since.
  private var openedAt: Instant?
  private var pressedAt = Instant.powerOn
  /// When the timetable has stopped the music last.
  private var stoppedAt: Instant?
  /// Whether all had come to its end before.
  private var wasClosed = false
  /// When anything was heard last.
  private var heardAt = Instant.powerOn
  /// How many tracks have begun since the log had it close; nil: it is open.
  private var tracksSinceClosing: Int?
  /// Whether the log has it open, since power on.
  private var isLoggedOpen = true

  init(rate: Int, closesWithTrack: Bool, playsAtOpening: Bool, quietFade: Duration, tellsVisits: Bool) {
    timetable = TimetableModel(tellsVisits: tellsVisits)
    (self.rate, self.closesWithTrack, self.playsAtOpening) = (rate, closesWithTrack, playsAtOpening)
    quiet = QuietOracle(rate: rate, fade: quietFade)
  }

  var hasSeenEnough: Bool { violation != nil }

  private func demand(_ holds: Bool, _ row: String, _ message: @autoclosure () -> String) {
    if !holds && violation == nil { violation = Violation(row: row, at: now, message: message()) }
  }

  private func note(_ mismatch: Mismatch?) {
    if let mismatch { demand(false, mismatch.row, mismatch.message) }
  }

  func willDo(_ step: Scenario.Step, at now: Instant) {
    self.now = now
    openedAt = nil
    quiet.willDo(step.action)
    switch step.action {
    case .clock(let time?, let second, let day):
      model.setClock(time, second: second, day: day, at: now)
      timetable.jump(isSet: true)
    case .clock(nil, _, _):
      model.unsetClock()
      timetable.jump(isSet: true)
    case .power(.cut):
      model.cutPower()
      timetable.jump(isSet: false)
      (isOn, isAsleep, closedSince, wasClosed) = (false, false, nil, false)
    case .press: pressedAt = now
    case .power(.sleep):
      isAsleep = true
      timetable.jump(isSet: false)
    case .power(.wake): (isAsleep, heardAt) = (false, now)
    case .console(let line):
      let words = line.split(separator: " ").map(String.init)
      if isOn, !isAsleep, words.count == 2, words[0] == "hours" { model.say(words[1], at: now) }
    case _: break
    }
  }

  func moved(_ line: String, asserted: Bool, at now: Instant) {}

  func poweredOn(asserted: Set<String>, at now: Instant) {
    self.now = now
    isOn = true
    model.learn()
    isLoggedOpen = true
    // Nothing sounds from the first frame on.
    closedSince = model.isOpen(at: now) ? nil : now - (closesWithTrack ? Self.lastTrack : Self.fade)
    tracksSinceClosing = nil
    quiet.powerOn(isQuiet: model.isQuiet(at: now), at: now)
  }

  func logged(_ event: Event, at now: Instant) {
    self.now = now
    events[event.name, default: 0] += 1
    if isOn && !isAsleep { model.learn() }
    note(model.isKnown ? timetable.check(event, at: model.second(now), isOpen: model.isOpen(at: now)) : nil)
    quiet.logged(event, at: now).map { demand(false, "H4.1", $0) }
    switch event.name {
    case .hoursClosed:
      demand(isLoggedOpen, "H2.1", "it closes twice")
      isLoggedOpen = false
      tracksSinceClosing = 0
    case .hoursOpened: (isLoggedOpen, tracksSinceClosing) = (true, nil)
    case .trackStarted:
      // What was wanted before may only now begin, also after a cue.
      demand((tracksSinceClosing ?? 0) == 0, "H1.2", "a second track begins, though it is closed")
      tracksSinceClosing = tracksSinceClosing.map { $0 + 1 }
    case .timetableDue: if event["stop"] != nil { (openedAt, stoppedAt) = (nil, now) }
    case .stateSaved: if event["error"] == nil { model.save() }
    case .visitBegan: demand(closedSince == nil, "H1.3", "a visit begins while it is closed")
    case .recordingStarted: demand(closedSince == nil, "H1.3", "a recording begins while it is closed")
    default: break
    }
  }

  func replied(_ text: String) {}

  func heard(_ samples: UnsafePointer<Int16>, frames: Int, at start: Int, on port: Port) {
    guard let last = (0..<frames * 2).last(where: { samples[$0] != 0 }) else { return }
    heardFrames += frames
    heardAt = max(heardAt, .powerOn + .covering(frames: start + last / 2, rate: rate))
    quiet.heard(samples, frames: frames, at: start).map { demand(false, "H4", $0) }
    guard let closedSince else { return }
    let limit = (closedSince + (closesWithTrack ? Self.lastTrack : Self.fade)).frame(rate: rate)
    demand(
      start + last / 2 <= limit, "H1", "\(port.rawValue) sounds, though it is closed since \(closedSince.logStamp) s")
  }

  func settled(_ snapshot: SimulationSnapshot) {
    now = snapshot.at
    guard let status = snapshot.status, !snapshot.isAsleep else { return }
    model.learn()
    let isQuiet = model.isQuiet(at: now)
    let ceiling = isQuiet ? HoursModel.ceiling : nil
    note(model.isKnown ? timetable.check(status, at: model.second(now), ceiling: ceiling) : nil)
    quiet.settled(status, isQuiet: isQuiet, at: now).map { demand(false, "H4", $0) }
    let isOpen = model.isOpen(at: now)
    // A press a moment ago may count only now.
    if isOpen, wasClosed, now > pressedAt + .milliseconds(100), stoppedAt != now { openedAt = now }
    wasClosed = status.hours?.state == .closed
    closedSince = isOpen ? nil : closedSince ?? now
    let state = status.hours?.state
    demand(
      isOpen ? state == .open || state == .unknown : state == .closing || state == .closed, "H1",
      "it is \(state?.rawValue ?? "nothing"), expected \(isOpen ? "open" : "closed")")
    demand(
      state != .closed || status.holds.contains(.closed) && status.state != .playing, "H1", "closed, and it is wanted")
    if let closedSince, closesWithTrack {
      demand(
        state != .closing || now <= max(closedSince, heardAt) + Self.start, "H1.2",
        "all is silent, and it is not closed")
    } else if let closedSince, now > closedSince + Self.fade {
      demand(state == .closed, "H1.1", "the fade does not end")
    }
    if let openedAt, playsAtOpening, now > openedAt + Self.start {
      demand(
        [.playing, .recording].contains(status.state) || status.holds != [], "H1.6", "it has opened, and nothing plays")
    }
  }
}
