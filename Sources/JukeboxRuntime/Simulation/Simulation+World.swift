import AudioSession
import Jukebox
import SimulatedBoard

/// What the brain asks of the world: the log and the console, the recorder, the storage.
extension Simulation: World {
  /// How the storage fares from now on.
  var storage: StorageState {
    get { recordingStorage.state }
    set {
      recordingStorage.state = newValue
      stateStorage.state = newValue
    }
  }

  func log(_ event: Event, at now: Instant) {
    recent.append(event)
    witness?.logged(event, at: now)
    onLine(event.line(at: now))
    missedLines? += 1
  }

  func lamp(_ pattern: LampPattern) { shownLamp = pattern }

  func muteAmplifier(_ isMuted: Bool) { isAmplifierMuted = isMuted }

  func record(_ command: RecorderCommand) { recorder?.post(command) }

  func reply(_ text: String) {
    witness?.replied(text)
    if missedLines == nil { onReply(text) } else { missedLines? += text.split(separator: "\n").count }
  }

  func save(_ state: SavedState) -> StorageReport? { store.write(state) }

  /// The console learns how many lines it missed (K6).
  func freeConsole() {
    let missed = missedLines ?? 0
    missedLines = nil
    guard missed > 0 else { return }
    log(Event(.logDropped, .warn, ["n": String(missed)]), at: clock.now)
    driver?.feed(.health(.linesDropped(missed)), at: clock.now)
  }
}
