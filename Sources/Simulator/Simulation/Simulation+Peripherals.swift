import AudioSession
import Driver
import Jukebox

/// What the brain asks of the peripherals: the log and the console, the recorder, the storage.
extension Simulation: Peripherals {
  /// How the storage fares from now on.
  var storage: StorageState {
    get { recordingStorage.state }
    set {
      recordingStorage.state = newValue
      stateStorage.state = newValue
    }
  }

  package func log(_ event: Event, at now: Instant) {
    recent.append(event)
    observer?.logged(event, at: now)
    let line = event.line(at: now)
    onLine(line)
    if !console.takesAtOnce { console.keep(line) }
  }

  package func lamp(_ pattern: LampPattern) { shownLamp = pattern }

  package func muteAmplifier(_ isMuted: Bool) { isAmplifierMuted = isMuted }

  package func record(_ command: RecorderCommand) { recorder?.post(command) }

  package func reply(_ text: String) {
    observer?.replied(text)
    if text.hasPrefix(Self.refusal) { refusal = text }
    if console.takesAtOnce { return onReply(text) }
    for line in text.split(separator: "\n") { console.keep(String(line), isReply: true) }
  }

  package func save(_ state: SavedState) -> StorageReport? { store.write(state) }

  /// What begins the reply to a command that is not obeyed.
  private static let refusal = "error: "

  /// The console takes what has waited, and learns how many lines it missed (K6); a system that sleeps hands on nothing.
  func freeConsole() {
    guard !isAsleep else { return }
    let waited = console.handOn()
    for reply in waited.replies { onReply(reply) }
    guard waited.dropped > 0 else { return }
    log(Event(.logDropped, .warn, ["n": String(waited.dropped)]), at: clock.now)
    driver?.feed(.health(.linesDropped(waited.dropped)), at: clock.now)
  }
}
