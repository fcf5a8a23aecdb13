import AudioSession
import Board
import Jukebox
import RealtimeAudio

/// An engine with the decoders of its music and its clips, behind the brain's commands and reports. `obey` and
/// `takeReports` belong to the control thread.
final class Player: @unchecked Sendable {
  let engine: AudioEngine
  let decoder: Decoder
  let clipDecoder: Decoder
  private let portVolumes: PortVolumes
  private var port: Port?
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
  /// How many of them it will report again, as the stream was loaded again.
  private var repeats = 0
  private var clipLoads = 0
  private var currentClip: (clip: UInt8, cue: Int)?
  /// Whether the clip has to be decoded again, at the device's rate, when it is resumed.
  private var isClipStale = false
  /// Why the current clip ended early or did not begin.
  private(set) var clipFault: (clip: UInt8, reason: String)?
  /// The last load before output and decoders were commanded to close.
  private var releasedLoad: Int?
  private var isMusicOn = false
  private var isClipOn = false

  /// - Parameters:
  ///   - cues: paths of the clips, by index.
  ///   - tracks: opens the tracks of the music.
  ///   - clips: opens the clips.
  ///   - portVolumes: shared by all players that may have one of its ports.
  ///   - threads, mixer: see `AudioEngine`.
  init(
    outputs: [AudioEngine.Output], devices: any PCMOpener, tracks: any TrackOpener, clips: any TrackOpener,
    rate: Int, buffer: Duration, library: Library, cues: [String], signals: EngineSignals = EngineSignals(),
    portVolumes: PortVolumes = PortVolumes(), threads: [String: DeviceThread] = [:], mixer: Mixer = Mixer()
  ) {
    self.rate = rate
    self.portVolumes = portVolumes
    engine = AudioEngine(
      outputs: outputs, opener: devices, rate: rate, buffer: buffer, signals: signals, threads: threads,
      mixer: mixer)
    decoder = Decoder(streamBuffer: engine.music, rate: rate, opener: tracks, library: library)
    clipDecoder = Decoder(streamBuffer: engine.clip, rate: rate, opener: clips, library: Library(paths: cues))
  }

  /// Whether it was commanded to sound and has not fallen silent since.
  var isSounding: Bool { isMusicOn || isClipOn }

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
    case .speak(let clip, let cue):
      currentClip = (clip, cue)
      isClipOn = true
      speak(clip, cue)
    case .pauseClip(let edge): send(.pauseClip(edge: edge))
    case .resumeClip: resumeClip()
    }
  }

  /// Applies the new gain of the samples (Q15), if the player's port is among `gains`.
  func applyGains(_ gains: [Port: Int32]) {
    if let port, let gain = gains[port] { send(.gain(gain)) }
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

  private func speak(_ clip: UInt8, _ cue: Int) {
    clipLoads += 1
    isClipStale = false
    clipFault = nil
    clipDecoder.post(.load(stream: clip, number: clipLoads, track: TrackID(cue), frame: 0, rate: rate))
    clipDecoder.post(.follow(stream: clip, track: nil))
    send(.speak(clip: clip, number: clipLoads, rate: rate))
  }

  private func resumeClip() {
    guard let currentClip else { return }
    isClipOn = true
    if isClipStale { speak(currentClip.clip, currentClip.cue) } else { send(.resumeClip) }
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
    case .playback, .measured, .brokeOff, .storageFailed, .outputLost, .otherOutputLost, .otherOutputRestored,
      .clipFailed:
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
        isClipOn = false
        currentClip = nil
      }
    case .playback(.clipEnded(let clip)), .clipFailed(let clip, _):
      takeClipFaults()
      if clip == currentClip?.clip {
        isClipOn = false
        currentClip = nil
      }
    case .clipPaused(let clip): if clip == currentClip?.clip { isClipOn = false }
    case .stale(let number, let rate):
      self.rate = rate
      if number == loads { reload() }
    case .clipStale(let number, let rate):
      self.rate = rate
      guard number == clipLoads, let currentClip else { return }
      if isClipOn { speak(currentClip.clip, currentClip.cue) } else { isClipStale = true }
    case .moved(let output): soundingPort = output.map { engine.outputs[$0].port }
    case .released:
      // Unless something was loaded since.
      if releasedLoad == loads { decoder.post(.close) }
    case .playback(.began), .playback(.underrun), .playback(.queueGrown), .playback(.outputRestored),
      .playback(.clipStarted):
      break
    }
  }

  /// Takes the reports of the clip decoder; only failures matter.
  private func takeClipFaults() {
    for report in clipDecoder.takeReports() {
      switch report {
      case .failed(let clip, _, let reason, _): clipFault = (clip, reason)
      case .brokeOff(let clip, _, let reason), .storageFailed(let clip, _, let reason): clipFault = (clip, reason)
      case .playback, .opened, .measured, .outputLost, .otherOutputLost, .otherOutputRestored, .clipFailed:
        break
      }
    }
  }
}
