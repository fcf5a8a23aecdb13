import AudioSession
import Board
import Jukebox
import RealtimeAudio

/// An engine with the decoders of its music and its cues, behind the brain's commands and reports. `obey` and
/// `takeReports` belong to the control thread.
final class Player: @unchecked Sendable {
  let engine: AudioEngine
  let decoder: Decoder
  let cueDecoder: Decoder
  private let portVolumes: PortVolumes
  private(set) var port: Port?
  /// The port at which it sounds: the one before, while the device of the next one is opened.
  private(set) var soundingPort: Port?
  /// The rate of the device in Hz, as far as it was reported.
  private var rate: Int
  private var loads = 0
  private var stream: (id: UInt8, position: Position)?
  /// The tracks that follow in the stream. Kept until something is heard: the stream is not loaded again after that.
  private var nextTracks: [TrackID?] = []
  private var isHeard = false
  /// Tracks of the stream that the decoder has reported.
  private var openings = 0
  /// How many of them it will report again, because the stream was loaded again.
  private var repeats = 0
  private var cueLoads = 0
  private var currentCue: (id: UInt8, cue: Int)?
  /// Whether the cue has to be decoded again, at the device's rate, when it is resumed.
  private var isCueStale = false
  /// Why the current cue ended early or did not begin.
  private(set) var cueFault: (id: UInt8, reason: String)?
  /// The last load before output and decoders were commanded to close.
  private var releasedLoad: Int?
  private var isMusicOn = false
  private var isCueOn = false

  /// - Parameters:
  ///   - cues: paths of the cues, by index.
  ///   - tracks: opens the tracks of the music.
  ///   - cueFiles: opens the cues.
  ///   - portVolumes: shared by all players that may have one of its ports.
  ///   - threads, mixer: see `AudioEngine`.
  init(
    outputs: [AudioEngine.Output], devices: any PCMOpener, tracks: any TrackOpener, cueFiles: any TrackOpener,
    rate: Int, buffer: Duration, library: Library, cues: [String], signals: EngineSignals = EngineSignals(),
    portVolumes: PortVolumes = PortVolumes(), threads: [String: DeviceThread] = [:], mixer: Mixer = Mixer()
  ) {
    self.rate = rate
    self.portVolumes = portVolumes
    engine = AudioEngine(
      outputs: outputs, opener: devices, rate: rate, buffer: buffer, signals: signals, threads: threads,
      mixer: mixer)
    decoder = Decoder(streamBuffer: engine.music, rate: rate, opener: tracks, library: library)
    cueDecoder = Decoder(streamBuffer: engine.cue, rate: rate, opener: cueFiles, library: Library(paths: cues))
  }

  /// Whether it was commanded to sound and has not fallen silent since.
  var isSounding: Bool { isMusicOn || isCueOn }

  // MARK: - Commands

  func obey(_ command: AudioCommand) {
    switch command {
    case .library(let library): decoder.post(.library(library))
    case .load(let stream, let position):
      self.stream = (stream, position)
      nextTracks = []
      isHeard = false
      openings = 0
      repeats = 0
      load(stream, position)
    case .follow(let stream, let track):
      if stream == self.stream?.id && !isHeard { nextTracks.follow(track) }
      decoder.post(.follow(stream: stream, track: track))
    case .play:
      isMusicOn = true
      send(.play)
    case .silence(let edge): send(.silence(edge: edge))
    case .route(let port, let volume):
      self.port = port
      send(.route(index(of: port), gain: portVolumes.setRoute(port, volume: volume)))
    case .vacate(let port): if let index = index(of: port) { send(.vacate(index)) }
    case .channels(let port, let channels):
      if let index = index(of: port) { send(.channels(index, StereoMatrix(channels))) }
    case .volume(let volume): send(.gain(portVolumes.setVolume(of: port, to: volume)))
    case .reopen: send(.reopen)
    case .release:
      releasedLoad = loads
      send(.release)
    case .others: break
    case .duck(let level, let over): send(.duck(VolumeCurve.gain(decibels: level), over: over))
    case .speak(let id, let cue):
      currentCue = (id, cue)
      isCueOn = true
      speak(id, cue)
    case .pauseCue(let edge): send(.pauseCue(edge: edge))
    case .resumeCue: resumeCue()
    }
  }

  /// Applies the new gain of the samples (Q15), if the player's port is among `gains`.
  func applyGains(_ gains: [Port: Int32]) {
    if let port, let gain = gains[port] { send(.gain(gain)) }
  }

  /// What is decoded is still played; the next command that plays loads again.
  func closeTracks() {
    decoder.post(.close)
    cueDecoder.post(.close)
  }

  private func load(_ stream: UInt8, _ position: Position) {
    loads += 1
    decoder.post(.load(stream: stream, number: loads, track: position.track, frame: position.frame, rate: rate))
    send(.load(stream: stream, number: loads, rate: rate))
  }

  /// Loads the stream again, at the device's rate.
  private func reload() {
    guard let stream else { return }
    repeats = openings
    load(stream.id, stream.position)
    for track in nextTracks { decoder.post(.follow(stream: stream.id, track: track)) }
  }

  private func speak(_ id: UInt8, _ cue: Int) {
    cueLoads += 1
    isCueStale = false
    cueFault = nil
    cueDecoder.post(.load(stream: id, number: cueLoads, track: TrackID(cue), frame: 0, rate: rate))
    cueDecoder.post(.follow(stream: id, track: nil))
    send(.speak(id: id, number: cueLoads, rate: rate))
  }

  private func resumeCue() {
    guard let currentCue else { return }
    isCueOn = true
    if isCueStale { speak(currentCue.id, currentCue.cue) } else { send(.resumeCue) }
  }

  private func index(of port: Port?) -> Int? { engine.outputs.firstIndex { $0.port == port } }

  private func send(_ command: EngineCommand) {
    // A full ring means that the audio thread has been stuck for hundreds of commands; the watchdog handles that.
    _ = engine.commands.push(command)
    engine.signals.audio.raise()
  }

  // MARK: - Reports

  /// Returns the reports of engine and decoders since the last call. The caller clears their signal first.
  func takeReports() -> [AudioReport] {
    // A decoder knows a track before the engine can play it: its reports come first.
    var reports = decoder.takeReports().filter(isFirstReport)
    while let report = engine.reports.pop() {
      note(report)
      if let report = translated(report) { reports.append(report) }
    }
    return reports
  }

  /// Whether it is not the repetition of an earlier report.
  private func isFirstReport(_ report: AudioReport) -> Bool {
    switch report {
    case .opened(let id, _, _), .failed(let id, _, _, _):
      guard id == stream?.id else { return true }
      if repeats > 0 {
        repeats -= 1
        return false
      }
      openings += 1
      return true
    case .playback, .measured, .brokeOff, .storageFailed, .outputLost, .leftOutputLost, .otherOutputLost,
      .otherOutputRestored, .cueFailed:
      return true
    }
  }

  private func note(_ report: EngineReport) {
    switch report {
    case .playback(.started):
      isMusicOn = true
      isHeard = true
      nextTracks = []
    case .playback(.silenced), .playback(.ended): isMusicOn = false
    case .outputLost, .playback(.outputChanged):
      isMusicOn = false
      if case .playback(.outputChanged(let rate, _, _)) = report {
        self.rate = rate
        isCueOn = false
        currentCue = nil
      }
    case .playback(.cueEnded(let id)), .cueFailed(let id, _):
      takeCueFaults()
      if id == currentCue?.id {
        isCueOn = false
        currentCue = nil
      }
    case .cuePaused(let id): if id == currentCue?.id { isCueOn = false }
    case .stale(let number, let rate):
      self.rate = rate
      if number == loads { reload() }
    case .cueStale(let number, let rate):
      self.rate = rate
      guard number == cueLoads, let currentCue else { return }
      if isCueOn { speak(currentCue.id, currentCue.cue) } else { isCueStale = true }
    case .moved(let output): soundingPort = output.map { engine.outputs[$0].port }
    case .released:
      // Unless something was loaded since.
      if releasedLoad == loads { decoder.post(.close) }
    case .playback(.began), .playback(.underrun), .playback(.queueGrown), .playback(.outputRestored),
      .playback(.cueStarted):
      break
    }
  }

  /// Takes the reports of the cue decoder; only failures matter.
  private func takeCueFaults() {
    for report in cueDecoder.takeReports() {
      switch report {
      case .failed(let id, _, let reason, _): cueFault = (id, reason)
      case .brokeOff(let id, _, let reason), .storageFailed(let id, _, let reason): cueFault = (id, reason)
      case .playback, .opened, .measured, .outputLost, .leftOutputLost, .otherOutputLost, .otherOutputRestored,
        .cueFailed:
        break
      }
    }
  }
}
