import AudioSession
import Files
import Jukebox

/// Checks the expectations of a scenario.
extension Simulation {
  /// A port is silent when it was for this long, and sounds when it did within `soundWindow`: music has zero crossings and
  /// rests.
  private static let silenceWindow = Duration.milliseconds(1)
  private static let soundWindow = Duration.milliseconds(50)

  func check(_ expected: [Expectation], line: Int) {
    failRefusals(named: expected)
    devices.catchUp()
    let status = driver?.jukebox.status(at: clock.now)
    for expectation in expected {
      expectations += 1
      guard let found = failure(of: expectation, status) else { continue }
      failures.append("\(scenario.file):\(line): expected \(expectation.text), found \(found)")
    }
    recent = []
    replies = []
  }

  /// Returns what was found instead; nil where the expectation holds.
  private func failure(of expectation: Expectation, _ status: Status?) -> String? {
    func compare(_ holds: Bool, _ found: String) -> String? { holds ? nil : found }
    guard let status else {
      if case .amplifier(isMuted: true) = expectation { return nil }
      if case .signal(let line, _, let pattern) = expectation {
        let shown = shownSignals[line] ?? .off
        return compare(shown == pattern, shown.rawValue)
      }
      if case .silence(let port) = expectation { return heard(port, within: Self.silenceWindow) ? "sound" : nil }
      return "no power"
    }
    switch expectation {
    case .state(let state): return compare(status.state == state, status.state.rawValue)
    case .hold(let hold):
      let found = status.holds.isEmpty ? "none" : status.holds.map(\.rawValue).joined(separator: ", ")
      return compare(hold.map(status.holds.contains) ?? status.holds.isEmpty, found)
    case .route(let port): return compare(status.route.port == port, status.route.description)
    case .volume(let volume): return compare(status.volume == volume, status.volume.map(String.init) ?? "none")
    case .track(let track): return compare(status.track == track, status.track.map(String.init) ?? "none")
    case .playlist(let name): return compare(status.playlist == name, status.playlist ?? "none")
    case .duck(let isOn): return compare(status.isDucked == isOn, status.isDucked ? "on" : "off")
    case .prompt(let isOn): return compare(status.isPromptShown == isOn, status.isPromptShown ? "on" : "off")
    case .lamp(let lamp): return compare(status.lamp == lamp, status.lamp.rawValue)
    case .signal(let line, _, let pattern):
      let shown = shownSignals[line] ?? .off
      return compare(shown == pattern, shown.rawValue)
    case .amplifier(let isMuted): return compare(isAmplifierMuted == isMuted, isAmplifierMuted ? "muted" : "open")
    case .silence(let port): return compare(!heard(port, within: Self.silenceWindow), "sound")
    case .sound(let port): return compare(heard(port, within: Self.soundWindow), "silence")
    case .event(let name, let fields): return missing(name, fields)
    case .reply(let fields): return unreplied(fields)
    }
  }

  private func heard(_ port: Port, within time: Duration) -> Bool {
    let tap = taps.first { $0.port == port }
    // The current frame counts, too: a device of another rate may already be audible in it.
    return tap?.heardSound(within: time, before: clock.now.frame(rate: board.rate) + 1) ?? false
  }

  private func missing(_ name: EventName, _ fields: [Event.Field]) -> String? {
    let candidates = recent.filter { $0.name == name }
    if candidates.contains(where: { event in fields.allSatisfy { event[$0.key] == $0.value } }) { return nil }
    guard let nearest = candidates.last else { return "no such event since the last expect" }
    return nearest.fields.map { "\($0.key)=\($0.value)" }.joined(separator: " ")
  }

  private func unreplied(_ fields: [Event.Field]) -> String? {
    let isFound = replies.contains { line in
      let found = Event.fields(in: line)
      return fields.allSatisfy(found.contains)
    }
    if isFound { return nil }
    return replies.isEmpty ? "no reply since the last expect" : replies.joined(separator: " / ")
  }
}

extension Expectation {
  /// The expectation in the scenario's words.
  var text: String {
    switch self {
    case .state(let state): "state \(state.rawValue)"
    case .hold(let hold): "hold \(hold?.rawValue ?? "none")"
    case .route(let port): "route \(port?.rawValue ?? "none")"
    case .volume(let volume): "volume \(volume)"
    case .track(let track): "track \(track)"
    case .playlist(let name): "playlist \(Wording.quoted(name ?? "none"))"
    case .duck(let isOn): "duck \(isOn ? "on" : "off")"
    case .prompt(let isOn): "prompt \(isOn ? "on" : "off")"
    case .lamp(let lamp): "lamp \(lamp.rawValue)"
    case .signal(_, let name, let pattern): "signal \(name) \(pattern.rawValue)"
    case .amplifier(let isMuted): "amplifier \(isMuted ? "muted" : "open")"
    case .silence(let port): "silence \(port.rawValue)"
    case .sound(let port): "sound \(port.rawValue)"
    case .event(let name, let fields):
      (["event \(name.rawValue)"] + fields.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
    case .reply(let fields): (["reply"] + fields.map { "\($0.key)=\($0.value)" }).joined(separator: " ")
    }
  }
}
