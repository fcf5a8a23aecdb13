import AudioSession
import Driver
import Jukebox

/// The peripherals of the simulated board, called by the driver: log, console, lamp, recorder and storage.
extension Simulation: Peripherals {
  /// The condition of the storage, for recordings and the state file.
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
    if !console.takesAtOnce { console.enqueue(line) }
  }

  package func lamp(_ pattern: LampPattern) { shownLamp = pattern }

  package func signal(_ line: LineID, _ pattern: LampPattern) { shownSignals[line] = pattern == .off ? nil : pattern }

  package func muteAmplifier(_ isMuted: Bool) { isAmplifierMuted = isMuted }

  package func listMusic() { music.listAtOnce(clock.now) }

  package func setHeadsetVolume(_ port: Port, to level: Int) { headsetVolumes.ask(port, for: level, at: clock.now) }
  package func obey(_ command: HeadsetCommand, at now: Instant) { headsets.obey(command, at: now) }

  package func record(_ command: RecorderCommand) { recorder?.post(command) }

  package func reply(_ text: String) {
    observer?.replied(text)
    if text.hasPrefix(Self.refusal) { refusal = text }
    replies += text.split(separator: "\n").map(String.init)
    if console.takesAtOnce { return onReply(text) }
    for line in text.split(separator: "\n") { console.enqueue(String(line), isReply: true) }
  }

  package func save(_ state: SavedState, _ counts: ListeningCounts) -> StorageReport? {
    let report = store.write(state).and(countsStore.write(counts))
    driver?.forget(countsStore.forgettable)
    return report
  }

  package func rank(_ counts: ListeningCounts, among tracks: TrackList) -> RankingReport? {
    countsStore.rank(counts, among: tracks)
  }

  package func keep(_ ledger: Ledger, number: Int) -> LedgerReport? {
    ledgerStore.write(ledger, number: number)
  }

  /// The start of a reply that refuses a command.
  private static let refusal = "error: "

  /// Writes the waiting lines to the console, and logs how many it missed (K6). A sleeping system writes nothing.
  func freeConsole() {
    guard !isAsleep else { return }
    let waited = console.takeWaiting()
    for reply in waited.replies { onReply(reply) }
    guard waited.dropped > 0 else { return }
    log(Event(.logDropped, .warn, ["n": String(waited.dropped)]), at: clock.now)
    driver?.feed(.health(.linesDropped(waited.dropped)), at: clock.now)
  }
}
