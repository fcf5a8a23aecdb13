import AudioSession
import Jukebox

/// Presses that were under way when the private port was lost: nothing of them may turn sound on elsewhere (P1, Q2, K3).
struct Fingers {
  private static let doublePressTime = Duration.milliseconds(400)

  private var overtaken: Set<String> = []
  private var playPressedAt: Instant?
  private var isSecondOvertaken = false

  /// - Parameter lines: buttons that are down, or whose contact is moving.
  mutating func overtake(_ lines: [String], at now: Instant) {
    overtaken.formUnion(lines)
    if let playPressedAt, now < playPressedAt + Self.doublePressTime { isSecondOvertaken = true }
  }

  mutating func press(_ button: Button, gesture: String?, on line: String, at now: Instant) {
    playPressedAt = button == .play && gesture == nil ? now : nil
    isSecondOvertaken = playPressedAt != nil && overtaken.contains(line)
  }

  mutating func wake() {
    playPressedAt = nil
    isSecondOvertaken = false
  }

  /// The contact is steady, and up.
  mutating func lift(_ line: String) { overtaken.remove(line) }

  /// Whether what is meant by a press is to be ignored.
  func isOvertaken(_ line: String, _ button: Button, gesture: String?) -> Bool {
    switch button {
    case .play, .next, .previous, .cue: overtaken.contains(line) || gesture == "twice" && isSecondOvertaken
    case .stop, .volumeUp, .volumeDown, .record: false
    }
  }
}
