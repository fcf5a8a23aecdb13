import AudioEngine
import AudioSession
import Board
import BoardFiles
import Jukebox

/// What the driver needs from outside: the log, the lamp, the recorder, the storage.
package protocol Peripherals: AnyObject {
  func log(_ event: Event, at now: Instant)
  func lamp(_ pattern: LampPattern)
  func signal(_ line: LineID, _ pattern: LampPattern)
  func muteAmplifier(_ isMuted: Bool)
  func record(_ command: RecorderCommand)
  func reply(_ text: String)
  /// Stores both and returns the result; nil if the result will be reported later.
  func save(_ state: SavedState, _ counts: ListeningCounts) -> StorageReport?
  /// Writes the ledger and returns what became of it; nil if that will be reported later.
  func keep(_ ledger: Ledger, number: Int) -> LedgerReport?
  /// Returns which of these tracks were heard most, these counts included; nil if that will be reported later.
  func rank(_ counts: ListeningCounts, among tracks: TrackList) -> RankingReport?
  /// Lists the music again; what was found is fed later.
  func listMusic()
  /// Asks the headset at this port for a volume of 0 to 127.
  func setHeadsetVolume(_ port: Port, to level: Int)
  func obey(_ command: HeadsetCommand, at now: Instant)
}

/// Feeds the brain and carries out what it asks for. The board's control loop and the simulation share it; it belongs
/// to their one thread.
package final class Driver {
  package private(set) var jukebox: Jukebox
  package let outputGroup: OutputGroup
  private unowned let peripherals: any Peripherals
  private var timers = Timers()
  private var amplifier: Amplifier
  private var isAmplifierMuted = true
  package private(set) var counts: ListeningCounts
  private let wallClock: any WallClock

  /// - Parameters:
  ///   - counts: what is counted from now on, after what was saved last.
  ///   - wallClock: for the day on which something is counted.
  package init(
    jukebox: Jukebox, outputGroup: OutputGroup, board: BoardDescription, peripherals: any Peripherals,
    counts: ListeningCounts, wallClock: any WallClock
  ) {
    self.counts = counts
    self.wallClock = wallClock
    self.jukebox = jukebox
    self.outputGroup = outputGroup
    self.peripherals = peripherals
    amplifier = Amplifier(board)
  }

  /// Whether music or a cue was commanded to sound and has not fallen silent since.
  package var isSounding: Bool { outputGroup.isSounding }

  /// When a timer is due next.
  package var nextTimer: Instant? { [timers.next, outputGroup.nextTry, amplifier.mutedUntil].compactMap { $0 }.min() }

  package func feed(_ input: Input, at now: Instant) {
    for effect in jukebox.handle(input, at: now) { run(effect, at: now) }
  }

  package func fireTimers(at now: Instant) {
    while let timer = timers.popDue(at: now) { feed(.timer(timer), at: now) }
    outputGroup.retry(at: now)
    amplifier.tick(at: now)
    driveAmplifier()
  }

  /// Passes the reports of engine and decoders to the brain. Returns false if there were none.
  package func pumpReports(at now: Instant) -> Bool {
    var hasReports = false
    for report in outputGroup.takeReports(at: now) {
      feed(.audio(report), at: now)
      hasReports = true
    }
    driveAmplifier()
    return hasReports
  }

  private func run(_ effect: Effect, at now: Instant) {
    switch effect {
    case .audio(let command):
      amplifier.prepare(for: command, at: now)
      driveAmplifier()
      outputGroup.obey(command, at: now)
    case .record(let command): peripherals.record(command)
    case .muteAmplifier(let isMuted):
      amplifier.mute(isMuted, at: now)
      driveAmplifier()
    case .lamp(let pattern): peripherals.lamp(pattern)
    case .signal(let line, let pattern): peripherals.signal(line, pattern)
    case .setTimer(let timer, let at): timers.set(timer, at: at)
    case .cancelTimer(let timer): timers.cancel(timer)
    case .log(let event): peripherals.log(event, at: now)
    case .reply(let text): peripherals.reply(text)
    case .save(let state): if let report = peripherals.save(state, counts) { feed(.storage(report), at: now) }
    case .keep(let ledger, let number):
      if let report = peripherals.keep(ledger, number: number) { feed(.ledger(report), at: now) }
    case .rank:
      if let report = peripherals.rank(counts, among: jukebox.library.tracks) { feed(.ranking(report), at: now) }
    case .count(let counted): counts.count(counted, at: CountingMoment(now, wallClock))
    case .replyStatistics(.text): peripherals.reply(counts.text)
    case .replyStatistics(.json): peripherals.reply(counts.json)
    case .listMusic: peripherals.listMusic()
    case .setHeadsetVolume(let port, let level): peripherals.setHeadsetVolume(port, to: level)
    case .headset(let command): peripherals.obey(command, at: now)
    }
  }

  /// These periods no longer need to be saved.
  package func forget(_ periods: Set<Int>) { counts.forget(periods) }

  private func driveAmplifier() {
    amplifier.soundingPort = outputGroup.soundingPort
    guard amplifier.isMuted != isAmplifierMuted else { return }
    isAmplifierMuted = amplifier.isMuted
    peripherals.muteAmplifier(isAmplifierMuted)
  }
}
