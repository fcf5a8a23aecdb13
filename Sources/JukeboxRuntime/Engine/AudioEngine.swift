import AudioSession
import Board
import RealtimeAudio
import Synchronization

/// Plays the ring on a device: fills, fades, takes back, switches, recovers.
///
/// ```
/// silent ──play──► priming ──ring full enough──► running ──silence, route──► fading ──► silent or priming
///   ▲                 ▲                             │ └─last frame heard──► silent
///   └──silence────────┘◄──────underrun──────────────┘
/// ```
/// `service` is all of it: on the board the audio thread calls it when the device, a command or the clock says so, in
/// the simulator virtual time does. Everything but the rings belongs to the calling thread.
final class AudioEngine: @unchecked Sendable {
  /// A port and the device behind it.
  struct Output: Hashable, Sendable {
    var port: Port
    var device: String
  }

  /// What `service` waits for next.
  enum Wait: Equatable {
    /// A command, or frames from the decoder.
    case signal
    /// The same, or this moment.
    case until(Instant)
    /// The same, or the device's descriptors, or this moment.
    case device(Instant)
  }

  enum Phase {
    case silent
    case priming
    case running
    case fading(Fade)
  }

  /// A fade-out that the device is playing.
  struct Fade {
    /// When its last frame is heard, if the device keeps time.
    var end: Instant
    /// The ring's index to go on from afterwards.
    var resume: Int
    var then: AfterFade
  }

  enum AfterFade {
    case stand
    case route(Int, gain: Int32)
  }

  /// Long enough for no click, short enough for R3's 5 ms with room for a device's own step.
  static let fadeTime = Duration.milliseconds(4)
  static let volumeRampTime = Duration.milliseconds(20)

  let rate: Int
  let buffer: Duration
  let fadeFrames: Int
  let ring: FrameRing
  let markers = SPSCRing<Marker>(capacity: 64, filler: .none)
  let commands = SPSCRing<EngineCommand>(capacity: 256, filler: .play)
  let reports = SPSCRing<EngineReport>(capacity: 256, filler: .underrun)
  /// Raised for the audio thread: a command waits, or the decoder has news.
  let signal = Signal()
  /// Raised for the decode thread: there is room in the ring.
  let decodeSignal = Signal()
  /// Raised for the control thread: a report waits.
  let reportSignal = Signal()
  /// Why the output was lost last. Written before `EngineReport.outputLost`.
  let failure = Mutex<PCMError?>(nil)

  let opener: any PCMOpener
  let outputs: [Output]
  var pcm: (any PCM)?
  var output = -1
  var phase = Phase.silent
  /// The stream to play, and whether its first marker is still to come.
  var stream: UInt8 = 0
  var isAwaitingStream = true
  var marks = Marks()
  /// The first marker of a stream that no command has named yet.
  private var early: Marker?
  /// The ring's index of the next frame to write to the device.
  var cursor = 0
  /// The ring's index of the frame heard when the device was last asked.
  var lastHeard = 0
  /// Frames of silence written after the last frame of the ring.
  var tail = 0
  var gains = Gains()
  let scratch: UnsafeMutablePointer<Int16>
  static let scratchFrames = 1_024

  /// - Parameter rate: of the ring and of every device, Hz.
  init(outputs: [Output], opener: any PCMOpener, rate: Int, buffer: Duration) {
    self.outputs = outputs
    self.opener = opener
    self.rate = rate
    self.buffer = buffer
    fadeFrames = max(1, Self.fadeTime.frames(rate: rate))
    // Two seconds for the decoder to be late in, and what can be taken back behind them.
    ring = FrameRing(capacity: rate * 2 + buffer.frames(rate: rate) * 2)
    scratch = .allocate(capacity: Self.scratchFrames * 2)
    scratch.initialize(repeating: 0, count: Self.scratchFrames * 2)
  }

  deinit { scratch.deallocate() }

  /// Does what is due and answers what to wait for. Never blocks.
  func service(at now: Instant) -> Wait {
    takeMarkers()
    while true {
      let step: Step =
        switch phase {
        case .silent: serveSilent()
        case .priming: servePriming(at: now)
        case .running: serveRunning(at: now)
        case .fading(let fade): serveFading(fade, at: now)
        }
      switch step {
      case .again: continue
      case .wait(let wait): return wait
      }
    }
  }

  enum Step {
    /// The phase changed or a command was obeyed: look again.
    case again
    case wait(Wait)
  }

  private func takeMarkers() {
    while !marks.isFull, let marker = early ?? markers.pop() {
      // The decoder may be faster than the command that tells us of its stream.
      let age = Int8(bitPattern: marker.stream &- stream)
      early = age > 0 ? marker : nil
      if age > 0 { return }
      if age < 0 { continue }
      if isAwaitingStream {
        isAwaitingStream = false
        cursor = marker.index
        lastHeard = cursor
        release()
      }
      marks.append(marker)
    }
  }

  // MARK: - Silent and priming

  private func serveSilent() -> Step {
    guard let command = commands.pop() else { return .wait(.signal) }
    switch command {
    case .load(let id): load(id)
    case .play: phase = .priming
    case .silence: reportSilenced()
    case .route(let index, let gain): switchOutput(to: index, gain: gain)
    case .gain(let gain): gains.volume = GainRamp(gain)
    case .reopen: reopen()
    }
    return .again
  }

  private func servePriming(at now: Instant) -> Step {
    if let command = commands.pop() {
      switch command {
      case .load(let id): load(id)
      case .play: break
      case .silence:
        phase = .silent
        reportSilenced()
      case .route(let index, let gain): switchOutput(to: index, gain: gain)
      case .gain(let gain): gains.volume = GainRamp(gain)
      case .reopen: reopen()
      }
      return .again
    }
    takeMarkers()
    guard let pcm, !isAwaitingStream else { return .wait(.signal) }
    let ready = ring.written - cursor
    guard ready >= min(pcm.format.bufferFrames, ring.capacity / 4) || marks.end != nil else { return .wait(.signal) }
    if let end = marks.end, cursor >= end {
      finishStream(at: now)
      return .again
    }
    start(pcm, at: now)
    return .again
  }

  private func load(_ id: UInt8) {
    stream = id
    isAwaitingStream = true
    marks.removeAll()
    takeMarkers()
  }

  private func start(_ pcm: any PCM, at now: Instant) {
    let position = marks.position(at: cursor)
    // From a track's first frame the music rises by itself; from anywhere else it has to be faded in.
    if position?.frame == 0 {
      gains.fade = GainRamp(GainRamp.unity)
    } else {
      gains.fade = GainRamp(0)
      gains.fade.move(to: GainRamp.unity, at: cursor, frames: fadeFrames)
    }
    let first = cursor
    lastHeard = cursor
    do {
      try fill(pcm.format.bufferFrames, pcm)
      try pcm.start()
      phase = .running
      let status = try pcm.status()
      if let position = marks.position(at: first) {
        report(.started(stream: stream, track: position.track, frame: position.frame, at: status.at.nanoseconds))
      }
    } catch {
      lose(error)
    }
  }

  // MARK: - For the thread that runs it

  var pollDescriptors: [PollDescriptor] { pcm?.pollDescriptors ?? [] }

  /// Shows the device what became of its descriptors.
  func deviceWoke(_ revents: UnsafeBufferPointer<CShort>) { _ = pcm?.isReady(revents) }

  /// The last call: closes the device.
  func shutDown() {
    pcm?.close()
    pcm = nil
    phase = .silent
  }

  // MARK: - Reports

  func report(_ report: EngineReport) {
    // A full ring means the control thread is stuck; sound goes on without it.
    _ = reports.push(report)
    reportSignal.raise()
  }

  func reportSilenced() {
    let position = isAwaitingStream ? nil : marks.position(at: cursor)
    report(.silenced(stream: stream, track: position?.track ?? -1, frame: position?.frame ?? 0))
  }

  /// Gives room back to the decoder, all but what a device might hand back.
  func release() {
    guard !isAwaitingStream else { return }
    ring.release(upTo: cursor - buffer.frames(rate: rate) * 2)
    if ring.writable > ring.capacity / 2 { decodeSignal.raise() }
  }
}
