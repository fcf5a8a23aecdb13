import AudioSession
import Board
import Jukebox

/// The player of the route and, in a multi-route, one for every other port, which plays the same at its own volume and
/// whose loss disturbs nobody. Control thread.
package final class OutputGroup {
  package let signals: EngineSignals
  private let lead: Player
  private let others: [SecondaryOutput]
  private let devices: [Port: String]
  private let portVolumes: PortVolumes
  /// Where the lead is in the music.
  private var streamPosition = StreamPosition()
  private var route: Port?
  /// The port that the lead leaves, and when its device is free.
  private var left: (port: Port, at: Instant)?
  /// More than any fade.
  private static let leavingTime = Duration.milliseconds(40)

  /// As of `Player`; every output can be the route or another port.
  package init(
    outputs: [AudioEngine.Output], devices: any PCMOpener, tracks: any TrackOpener, rate: Int, buffer: Duration,
    library: [String], cues: [String], signals: EngineSignals = EngineSignals(),
    portVolumes: PortVolumes = PortVolumes()
  ) {
    func player(_ outputs: [AudioEngine.Output]) -> Player {
      Player(
        outputs: outputs, devices: devices, tracks: tracks, rate: rate, buffer: buffer, library: library, cues: cues,
        signals: signals, portVolumes: portVolumes)
    }
    self.signals = signals
    self.portVolumes = portVolumes
    self.devices = Dictionary(outputs.map { ($0.port, $0.device) }) { first, _ in first }
    lead = player(outputs)
    // Made once and for all: the threads that serve them start but once.
    others = outputs.count > 1 ? outputs.map { SecondaryOutput(port: $0.port, player: player([$0])) } : []
    streamPosition.rate = rate
  }

  /// In the order in which they are to be serviced: a port is let go before the lead takes it over.
  package var engines: [AudioEngine] { others.map(\.player.engine) + [lead.engine] }
  package var decoders: [Decoder] { lead.decoders + others.flatMap(\.player.decoders) }

  /// Whether something was told to sound and has not fallen silent since.
  package var isSounding: Bool { lead.isSounding || others.contains { $0.isActive && $0.player.isSounding } }

  // MARK: - Commands

  package func obey(_ command: AudioCommand, at now: Instant) {
    switch command {
    case .others(let volumes): return tune(volumes, at: now)
    case .load(let stream, let position): streamPosition.load(stream, position)
    case .follow(let stream, let track): streamPosition.follow(stream, track)
    case .play: streamPosition.isPlaying = true
    case .silence: streamPosition.isPlaying = false
    case .duck(let level, _): streamPosition.duck = level
    case .route(let port, _):
      if let route, route != port { left = (route, now + Self.leavingTime) }
      route = port
      if let other = others.first(where: { $0.isActive && $0.port == port }) { other.leave() }
    case .volume, .reopen, .release, .speak, .pauseClip, .resumeClip: break
    }
    for other in others where other.isActive { other.follow(command) }
    lead.obey(command)
  }

  private func tune(_ volumes: [Port: Int], at now: Instant) {
    for other in others {
      // What shares its device with the route is heard there already.
      if let volume = volumes[other.port], route.map({ devices[$0] != devices[other.port] }) ?? true {
        if other.isActive {
          other.turn(to: volume)
        } else {
          let free = left.flatMap { $0.port == other.port && $0.at > now ? $0.at : nil }
          other.enter(volume: volume, streamPosition, after: free, at: now)
        }
      } else if other.isActive {
        other.leave()
      }
    }
  }

  // MARK: - Reports

  /// What the brain is to know of all that was reported since the last call.
  package func takeReports(at now: Instant) -> [AudioReport] {
    signals.report.clear()
    let gains = portVolumes.takeChanges()
    lead.regain(gains)
    for other in others where other.isActive { other.player.regain(gains) }
    let reports = lead.takeReports()
    for report in reports { note(report, at: now) }
    return reports
      + others.flatMap { other in
        other.player.takeReports().compactMap { other.note($0, streamPosition, at: now) }
      }
  }

  /// The others stay where the lead is: they are put there whenever it stands.
  private func note(_ report: AudioReport, at now: Instant) {
    switch report {
    case .started(let stream, let position, let at): streamPosition.run(stream, from: position, at: at)
    case .began(let stream, let position, let at): streamPosition.begin(stream, position, at: at)
    case .silenced(let stream, let position): if let position { stand(stream, at: position, now) }
    case .failed(let stream, let track, _): streamPosition.drop(stream, track)
    case .ended: streamPosition.isPlaying = false
    case .outputLost(_, let position), .outputChanged(_, _, let position):
      streamPosition.isPlaying = false
      for other in others where other.isActive { other.player.obey(.silence(edge: nil)) }
      if let position { stand(streamPosition.stream, at: position, now) }
    case .opened, .brokeOff, .underrun, .outputRestored, .otherOutputLost, .otherOutputRestored, .clipStarted,
      .clipEnded, .clipFailed:
      break
    }
  }

  private func stand(_ stream: UInt8, at position: Position, _ now: Instant) {
    streamPosition.stand(stream, at: position)
    for other in others where other.isActive && !streamPosition.isPlaying { other.join(streamPosition, at: now) }
  }

  // MARK: - Lost devices

  /// When a device that another port lost is tried again.
  package var nextTry: Instant? { others.compactMap { $0.isActive ? $0.nextTry : nil }.min() }

  package func retry(at now: Instant) {
    for other in others where other.isActive { other.retry(streamPosition, at: now) }
  }
}
