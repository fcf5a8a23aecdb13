import AudioSession
import Board
import Jukebox

/// The player of the route and, in a multi-route, one for every other port, which plays the same at its own volume and
/// whose loss does not disturb the rest. Control thread.
package final class OutputGroup {
  package let signals: EngineSignals
  /// To be started before the engines are serviced, and stopped after them; none for devices that answer at once.
  package let deviceThreads: [DeviceThread]
  private let lead: Player
  private let others: [SecondaryOutput]
  /// What all players open their tracks and cues with.
  private let shared: [SharedTracks]
  private let devices: [Port: String]
  private let portVolumes: PortVolumes
  /// Where the lead is in the music.
  private var streamPosition = StreamPosition()
  private var route: Port?

  /// See `Player` for the parameters. Every output can be the route or another port.
  package init(
    outputs: [AudioEngine.Output], devices: any PCMOpener, tracks: any TrackOpener, cueFiles: any TrackOpener,
    rate: Int, buffer: Duration, library: Library, cues: [String], signals: EngineSignals = EngineSignals(),
    portVolumes: PortVolumes = PortVolumes()
  ) {
    let names = devices.answersAtOnce ? [] : Set(outputs.map(\.device)).sorted()
    let threads = Dictionary(
      uniqueKeysWithValues: names.map { ($0, DeviceThread(device: $0, signals: signals)) })
    deviceThreads = names.compactMap { threads[$0] }
    let mixer = Mixer()
    let shared = [tracks, cueFiles].map { SharedTracks(over: $0) }
    func player(_ outputs: [AudioEngine.Output]) -> Player {
      Player(
        outputs: outputs, devices: devices, tracks: shared[0], cueFiles: shared[1], rate: rate, buffer: buffer,
        library: library, cues: cues, signals: signals, portVolumes: portVolumes, threads: threads, mixer: mixer)
    }
    self.shared = shared
    self.signals = signals
    self.portVolumes = portVolumes
    self.devices = Dictionary(outputs.map { ($0.port, $0.device) }) { first, _ in first }
    lead = player(outputs)
    for (tracks, buffer) in zip(shared, [lead.engine.music, lead.engine.cue]) {
      tracks.frames = buffer.ring.capacity + rate
    }
    // Created once, because the threads that serve them start only once.
    others = outputs.count > 1 ? outputs.map { SecondaryOutput(port: $0.port, player: player([$0])) } : []
    streamPosition.rate = rate
  }

  /// In the order in which they have to be serviced: another port releases its device before the lead opens it.
  package var engines: [AudioEngine] { others.map(\.player.engine) + [lead.engine] }
  private var players: [Player] { [lead] + others.map(\.player) }
  /// The decoders of the music, which `EngineSignals.decode` wakes.
  package var musicDecoders: [Decoder] { players.map(\.decoder) }
  /// The decoders of the cues, which `EngineSignals.decodeCues` wakes.
  package var cueDecoders: [Decoder] { players.map(\.cueDecoder) }

  /// The port at which the route's player sounds, which is not the route yet while its device is opened.
  package var soundingPort: Port? { lead.soundingPort }

  /// Whether anything was commanded to sound and has not fallen silent since.
  package var isSounding: Bool { lead.isSounding || others.contains { $0.isActive && $0.player.isSounding } }

  // MARK: - Commands

  package func obey(_ command: AudioCommand, at now: Instant) {
    switch command {
    case .others(let volumes): return setOthers(volumes, at: now)
    case .library:
      for tracks in shared { tracks.noteListing() }
      tellInactive(command)
    case .channels: tellInactive(command)
    case .load(let stream, let position): streamPosition.load(stream, position)
    case .follow(let stream, let track): streamPosition.follow(stream, track)
    case .play: streamPosition.isPlaying = true
    case .silence: streamPosition.isPlaying = false
    case .duck(let level, _): streamPosition.duck = level
    case .route(let port, _):
      route = port
      if let other = others.first(where: { $0.isActive && $0.port == port }) { other.deactivate() }
    case .vacate, .volume, .reopen, .release, .speak, .pauseCue, .resumeCue: break
    }
    for other in others where other.isActive { other.relay(command) }
    lead.obey(command)
  }

  /// Secondary outputs that join later get it, too.
  private func tellInactive(_ command: AudioCommand) {
    for other in others where !other.isActive { other.player.obey(command) }
  }

  private func setOthers(_ volumes: [Port: Int], at now: Instant) {
    for tracks in shared { tracks.isWanted.store(!volumes.isEmpty, ordering: .relaxed) }
    // A port that shares its device with the route, or with one before it, plays there already.
    var taken = Set([route.flatMap { devices[$0] }])
    let playing = others.filter { volumes[$0.port] != nil && taken.insert(devices[$0.port]).inserted }
    for other in others where other.isActive && !playing.contains(where: { $0 === other }) { other.deactivate() }
    for other in playing {
      guard let volume = volumes[other.port] else { continue }
      if other.isActive {
        other.setVolume(volume)
      } else {
        other.activate(volume: volume, streamPosition, isFree: isFree(other.port), at: now)
      }
    }
  }

  /// Whether the lead does not sound at its device.
  private func isFree(_ port: Port) -> Bool { lead.soundingPort.map { devices[$0] != devices[port] } ?? true }

  // MARK: - Reports

  /// Returns the reports since the last call that concern the brain.
  package func takeReports(at now: Instant) -> [AudioReport] {
    signals.report.clear()
    let gains = portVolumes.takeChanges()
    lead.applyGains(gains)
    for other in others where other.isActive { other.player.applyGains(gains) }
    let reports = lead.takeReports()
    for report in reports { note(report, at: now) }
    for other in others where other.isActive && isFree(other.port) {
      other.openIfWaiting(streamPosition, at: now)
    }
    return reports
      + others.flatMap { other in
        other.player.takeReports().compactMap { other.note($0, streamPosition, at: now) }
      }
  }

  /// Keeps the others in step with the lead: whenever it pauses, they are moved to its position.
  private func note(_ report: AudioReport, at now: Instant) {
    switch report {
    case .playback(.started(let stream, let position, let at)):
      streamPosition.start(stream, from: position, at: at)
      for other in others where other.isActive { other.routeStarted(streamPosition) }
    case .playback(.began(let stream, let position, let at)):
      streamPosition.begin(stream, position, at: at)
      for other in others where other.isActive {
        other.rejoinIfEnded(streamPosition, at: now)
        other.followDrift(streamPosition)
      }
    case .playback(.silenced(let stream, let position)): if let position { pause(stream, at: position, now) }
    case .failed(let stream, let track, _, _): streamPosition.drop(stream, track)
    case .playback(.ended(let stream)):
      streamPosition.end(stream)
      for other in others where other.isActive { other.fallSilentIfBeyond(streamPosition) }
    case .outputLost(_, let position), .leftOutputLost(_, _, let position),
      .playback(.outputChanged(_, _, let position)):
      streamPosition.isPlaying = false
      for other in others where other.isActive { other.player.obey(.silence(edge: nil)) }
      if let position { pause(streamPosition.stream, at: position, now) }
    case .playback(.underrun(let position)):
      if let position { streamPosition.pause(streamPosition.stream, at: position) }
    case .playback(.queueGrown), .playback(.outputRestored), .playback(.cueStarted), .playback(.cueEnded), .opened,
      .measured, .brokeOff, .storageFailed, .otherOutputLost, .otherOutputRestored, .cueFailed:
      break
    }
  }

  private func pause(_ stream: UInt8, at position: Position, _ now: Instant) {
    streamPosition.pause(stream, at: position)
    for other in others where other.isActive && !streamPosition.isPlaying { other.join(streamPosition, at: now) }
  }

  // MARK: - Lost devices

  /// When a device that another port lost is tried again.
  package var nextTry: Instant? { others.compactMap { $0.isActive ? $0.nextTry : nil }.min() }

  package func retry(at now: Instant) {
    for other in others where other.isActive { other.retry(at: now) }
  }
}
