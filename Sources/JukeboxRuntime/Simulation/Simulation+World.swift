import AudioSession
import Jukebox
import SimulatedBoard

/// What the brain asks of the world: the log and the console, the recorder, the storage.
extension Simulation: World {
  /// How the storage fares from now on.
  var storage: StorageState {
    get { recordingStorage.state }
    set { recordingStorage.state = newValue }
  }

  func log(_ event: Event, at now: Instant) {
    recent.append(event)
    onLine(event.line(at: now))
    missedLines? += 1
  }

  func lamp(_ pattern: LampPattern) {}

  func muteAmplifier(_ isMuted: Bool) { isAmplifierMuted = isMuted }

  func record(_ command: RecorderCommand) { recorder?.post(command) }

  func reply(_ text: String) {
    if missedLines == nil { onReply(text) } else { missedLines? += text.split(separator: "\n").count }
  }

  func save(_ state: SavedState) -> StorageReport? {
    if let fault = storage.fault { return .failed(reason: fault) }
    saved = .state(state)
    return .saved
  }

  /// The console learns how many lines it missed (K6).
  func freeConsole() {
    let missed = missedLines ?? 0
    missedLines = nil
    if missed > 0 { log(Event(.logDropped, .warn, ["n": String(missed)]), at: clock.now) }
  }
}

extension StorageState {
  /// Why nothing can be written; nil where it can.
  fileprivate var fault: String? {
    switch self {
    case .good: nil
    case .full: "no space left on the storage"
    case .readOnly: "storage is read-only"
    }
  }
}
