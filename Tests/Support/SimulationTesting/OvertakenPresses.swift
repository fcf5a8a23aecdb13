import AudioSession
import Jukebox

/// Presses that were under way when the private port was lost: they must not turn sound on elsewhere (P1, Q2, K3).
struct OvertakenPresses {
  private static let doublePressTime = Duration.milliseconds(400)

  private var overtaken: Set<String> = []
  private var playPressedAt: Instant?
  private var isSecondPressOvertaken = false

  /// - Parameter lines: buttons that are down, or whose contact is moving.
  mutating func overtake(_ lines: [String], at now: Instant) {
    overtaken.formUnion(lines)
    if let playPressedAt, now < playPressedAt + Self.doublePressTime { isSecondPressOvertaken = true }
  }

  mutating func press(_ button: Button, gesture: String?, on line: String, at now: Instant) {
    playPressedAt = button == .play && gesture == nil ? now : nil
    isSecondPressOvertaken = playPressedAt != nil && overtaken.contains(line)
  }

  mutating func wake() {
    playPressedAt = nil
    isSecondPressOvertaken = false
  }

  /// The button is up, and its contact steady.
  mutating func release(_ line: String) { overtaken.remove(line) }

  /// Whether it says nothing of what is to be heard.
  func isHarmless(_ button: Button) -> Bool {
    switch button {
    case .play, .stop, .next, .previous, .cue, .choose: false
    case .volumeUp, .volumeDown, .record, .pair, .sleep: true
    }
  }

  /// Whether the firmware has to ignore the press.
  func isOvertaken(_ line: String, _ button: Button, gesture: String?) -> Bool {
    switch button {
    case .play, .next, .previous, .cue, .choose:
      overtaken.contains(line) || gesture == "twice" && isSecondPressOvertaken
    case .stop, .volumeUp, .volumeDown, .record, .pair, .sleep: false
    }
  }
}
