import AudioSession
import Board
import Jukebox

/// An engine with the decoders of its music and its clips, in the brain's vocabulary. `obey` and `takeReports` belong to the
/// control thread.
final class Player: @unchecked Sendable {
  let engine: AudioEngine
  let decoder: Decoder
  let clipDecoder: Decoder
  private let portVolumes: PortVolumes
  private var port: Port?
  /// What the device runs at, as far as it was told.
  private var rate: Int
  private var loads = 0
  private var stream: (id: UInt8, position: Position)?
  /// What follows in it, as far as it was told before anything was heard: nothing is done again after that.
  private var told: [Int?] = []
  private var isHeard = false
  /// Tracks of it that the decoder has told of, and those that it will tell of once more.
  private var openings = 0
  private var repeats = 0
  private var spoken = 0
  private var speech: (clip: UInt8, cue: Int)?
  /// The rate at which the clip has to be spoken once more, when it is to go on.
  private var isClipStale = false
  /// Why the clip at hand ends before its time, or does not begin.
  private(set) var clipFault: (clip: UInt8, reason: String)?
  /// The last load and the last clip before output and decoders were told to close.
  private var released: Int?
  private var isMusicOn = false
  private var isClipOn = false

  /// - Parameters:
  ///   - library: paths of the tracks, by index.
  ///   - cues: paths of the clips, by index.
  ///   - portVolumes: shared by all players that may have one of its ports.
  init(
    outputs: [AudioEngine.Output], devices: any PCMOpener, tracks: any TrackOpener, rate: Int, buffer: Duration,
    library: [String], cues: [String], signals: EngineSignals = EngineSignals(),
    portVolumes: PortVolumes = PortVolumes()
  ) {
    self.rate = rate
    self.portVolumes = portVolumes
    engine = AudioEngine(outputs: outputs, opener: devices, rate: rate, buffer: buffer, signals: signals)
    decoder = Decoder(streamBuffer: engine.music, rate: rate, opener: tracks, paths: library)
    clipDecoder = Decoder(streamBuffer: engine.clip, rate: rate, opener: tracks, paths: cues)
  }

  var decoders: [Decoder] { [decoder, clipDecoder] }

  /// Whether it was told to sound and has not fallen silent since.
  var isSounding: Bool { isMusicOn || isClipOn }

  // MARK: - Commands

  func obey(_ command: AudioCommand) {
    switch command {
    case .load(let stream, let position):
      self.stream = (stream, position)
      told = []
      isHeard = false
      openings = 0
      repeats = 0
      load(stream, position)
    case .follow(let stream, let track):
      if stream == self.stream?.id && !isHeard { told.append(track) }
      decoder.post(.follow(stream: stream, track: track))
    case .play:
      isMusicOn = true
      send(.play)
    case .silence(let edge): send(.silence(edge: edge))
    case .route(let port, let volume):
      self.port = port
      send(.route(index(of: port), gain: portVolumes.enter(port, at: volume)))
    case .volume(let volume): send(.gain(portVolumes.turn(port, to: volume)))
    case .reopen: send(.reopen)
    case .release:
      released = loads
      send(.release)
    case .others: break
    case .duck(let level, let over): send(.duck(VolumeCurve.gain(decibels: level), over: over))
    case .speak(let clip, let cue):
      speech = (clip, cue)
      isClipOn = true
      speak(clip, cue)
    case .pauseClip(let edge): send(.pauseClip(edge: edge))
    case .resumeClip: resumeClip()
    }
  }

  /// Where the volume is made has changed for some ports.
  func regain(_ gains: [Port: Int32]) {
    if let port, let gain = gains[port] { send(.gain(gain)) }
  }

  private func load(_ stream: UInt8, _ position: Position) {
    loads += 1
    decoder.post(.load(stream: stream, number: loads, track: position.track, frame: position.frame, rate: rate))
    send(.load(stream: stream, number: loads, rate: rate))
  }

  /// Has the decoder do all of it again, at another rate.
  private func reload() {
    guard let stream else { return }
    repeats = openings
    load(stream.id, stream.position)
    for track in told { decoder.post(.follow(stream: stream.id, track: track)) }
  }

  private func speak(_ clip: UInt8, _ cue: Int) {
    spoken += 1
    isClipStale = false
    clipFault = nil
    clipDecoder.post(.load(stream: clip, number: spoken, track: cue, frame: 0, rate: rate))
    clipDecoder.post(.follow(stream: clip, track: nil))
    send(.speak(clip: clip, number: spoken, rate: rate))
  }

  private func resumeClip() {
    guard let speech else { return }
    isClipOn = true
    if isClipStale { speak(speech.clip, speech.cue) } else { send(.resumeClip) }
  }

  private func index(of port: Port?) -> Int? { engine.outputs.firstIndex { $0.port == port } }

  private func send(_ command: EngineCommand) {
    // A full ring means that the audio thread has been stuck for hundreds of commands: the watchdog's business.
    _ = engine.commands.push(command)
    engine.signals.audio.raise()
  }

  // MARK: - Reports

  /// What engine and decoders have reported since the last call; clear their signal before.
  func takeReports() -> [AudioReport] {
    // A decoder knows a track before the engine can play it: its word comes first.
    var reports = decoder.takeReports().filter(isNews)
    while let report = engine.reports.pop() {
      note(report)
      if let report = translated(report) { reports.append(report) }
    }
    return reports
  }

  /// Whether it was not told before.
  private func isNews(_ report: AudioReport) -> Bool {
    switch report {
    case .opened(let id, _, _), .failed(let id, _, _):
      guard id == stream?.id else { return true }
      if repeats > 0 {
        repeats -= 1
        return false
      }
      openings += 1
      return true
    case .started, .silenced, .began, .brokeOff, .ended, .underrun, .outputLost, .outputRestored, .outputChanged,
      .otherOutputLost, .otherOutputRestored, .clipStarted, .clipEnded, .clipFailed:
      return true
    }
  }

  private func note(_ report: EngineReport) {
    switch report {
    case .started:
      isMusicOn = true
      isHeard = true
      told = []
    case .silenced, .ended: isMusicOn = false
    case .outputLost, .outputChanged:
      isMusicOn = false
      if case .outputChanged(let rate, _, _) = report {
        self.rate = rate
        isClipOn = false
        speech = nil
      }
    case .clipEnded(let clip), .clipFailed(let clip, _):
      hearClipDecoder()
      if clip == speech?.clip {
        isClipOn = false
        speech = nil
      }
    case .clipPaused(let clip): if clip == speech?.clip { isClipOn = false }
    case .stale(let number, let rate):
      self.rate = rate
      if number == loads { reload() }
    case .clipStale(let number, let rate):
      self.rate = rate
      guard number == spoken, let speech else { return }
      if isClipOn { speak(speech.clip, speech.cue) } else { isClipStale = true }
    case .released:
      // Not what was told since.
      if released == loads { decoder.post(.close) }
    case .began, .underrun, .outputRestored, .clipStarted: break
    }
  }

  /// Nothing in a clip is of interest but what goes wrong.
  private func hearClipDecoder() {
    for report in clipDecoder.takeReports() {
      switch report {
      case .failed(let clip, _, let reason): clipFault = (clip, reason)
      case .brokeOff(let clip, _, let reason): clipFault = (clip, reason)
      case .started, .silenced, .opened, .began, .ended, .underrun, .outputLost, .outputRestored, .outputChanged,
        .otherOutputLost, .otherOutputRestored, .clipStarted, .clipEnded, .clipFailed:
        break
      }
    }
  }
}
