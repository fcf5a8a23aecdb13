import AudioSession
import Board
import Jukebox

/// What the driver needs from outside: the log, the lamp, the recorder, the storage.
protocol World: AnyObject {
  func log(_ event: Event, at now: Instant)
  func lamp(_ pattern: LampPattern)
  func muteAmplifier(_ isMuted: Bool)
  func record(_ command: RecorderCommand)
  func reply(_ text: String)
  /// Stores it, and says what became of it; nil: that will be told later.
  func save(_ state: SavedState) -> StorageReport?
}

/// Feeds the brain and carries out what it asks for. The board's control loop and the simulation share it; it belongs
/// to their one thread.
final class Driver {
  private(set) var jukebox: Jukebox
  let engine: AudioEngine
  let decoder: Decoder
  private unowned let world: any World
  private var timers = Timers()
  private var loads = 0
  /// Whether the engine was told to play and has not reported silence since.
  private(set) var isSounding = false

  init(jukebox: Jukebox, engine: AudioEngine, decoder: Decoder, world: any World) {
    self.jukebox = jukebox
    self.engine = engine
    self.decoder = decoder
    self.world = world
  }

  /// When a timer is due next.
  var nextTimer: Instant? { timers.next }

  func feed(_ input: Input, at now: Instant) {
    for effect in jukebox.handle(input, at: now) { run(effect, at: now) }
  }

  func fireTimers(at now: Instant) {
    while let timer = timers.popDue(at: now) { feed(.timer(timer), at: now) }
  }

  /// Hands on what engine and decoder have reported; false when there was nothing.
  func pumpReports(at now: Instant) -> Bool {
    engine.reportSignal.clear()
    var isNews = false
    // The decoder knows a track before the engine can play it: its word comes first.
    for report in decoder.takeReports() {
      feed(.audio(report), at: now)
      isNews = true
    }
    while let report = engine.reports.pop() {
      feed(.audio(translated(report)), at: now)
      isNews = true
    }
    return isNews
  }

  private func translated(_ report: EngineReport) -> AudioReport {
    switch report {
    case .silenced, .ended, .outputLost: isSounding = false
    case .started, .began, .underrun, .outputRestored: break
    }
    return switch report {
    case .started(let stream, let track, let frame, let at):
      .started(stream: stream, Position(track: track, frame: frame), at: Instant(nanoseconds: at))
    case .silenced(let stream, let track, let frame):
      .silenced(stream: stream, Position(track: track, frame: frame))
    case .began(let stream, let track, let frame, let at):
      .began(stream: stream, Position(track: track, frame: frame), at: Instant(nanoseconds: at))
    case .ended(let stream): .ended(stream: stream)
    case .underrun: .underrun
    case .outputLost(_, let track, let frame):
      .outputLost(
        reason: engine.failure.withLock { $0?.description } ?? "unknown",
        track < 0 ? nil : Position(track: track, frame: frame))
    case .outputRestored: .outputRestored
    }
  }

  private func run(_ effect: Effect, at now: Instant) {
    switch effect {
    case .audio(let command): run(command)
    case .record(let command): world.record(command)
    case .muteAmplifier(let isMuted): world.muteAmplifier(isMuted)
    case .lamp(let pattern): world.lamp(pattern)
    case .setTimer(let timer, let at): timers.set(timer, at: at)
    case .cancelTimer(let timer): timers.cancel(timer)
    case .log(let event): world.log(event, at: now)
    case .reply(let text): world.reply(text)
    case .save(let state): if let report = world.save(state) { feed(.storage(report), at: now) }
    }
  }

  private func run(_ command: AudioCommand) {
    switch command {
    case .load(let stream, let position):
      loads += 1
      decoder.post(.load(stream: stream, number: loads, track: position.track, frame: position.frame))
      send(.load(stream: stream, number: loads))
    case .follow(let stream, let track): decoder.post(.follow(stream: stream, track: track))
    case .play:
      isSounding = true
      send(.play)
    case .silence(let edge): send(.silence(edge: edge?.nanoseconds ?? -1))
    case .route(let port, let volume): send(.route(index(of: port), gain: VolumeCurve.gain(volume)))
    case .volume(let volume): send(.gain(VolumeCurve.gain(volume)))
    case .reopen: send(.reopen)
    case .release, .others, .duck, .speak, .hush, .speakOn: break
    }
  }

  private func index(of port: Port?) -> Int { engine.outputs.firstIndex { $0.port == port } ?? -1 }

  private func send(_ command: EngineCommand) {
    // A full ring means that the audio thread has been stuck for hundreds of commands: the watchdog's business.
    _ = engine.commands.push(command)
    engine.signal.raise()
  }
}
