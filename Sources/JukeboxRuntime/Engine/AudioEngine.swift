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
    /// The ring's index behind its last frame.
    var last: Int
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
  /// Lines are late, and so is the thread that reads them: an edge may have happened this long ago.
  static let latestEdge = Duration.milliseconds(100)

  let rate: Int
  let buffer: Duration
  let fadeFrames: Int
  /// Frames that were heard and stay in the ring.
  let keptFrames: Int
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
  /// The stream to play, the load that made it, and whether its first marker is still to come.
  var stream: UInt8 = 0
  private var load = 0
  var isAwaitingStream = true
  var marks = Marks()
  /// The first marker of a stream that no command has named yet.
  private var early: Marker?
  /// Whether the decoder is to wake us when it has written.
  private let wantsFrames = Atomic<Bool>(false)
  /// The ring's index of the next frame to write to the device.
  var cursor = 0
  var run = Run()
  /// Starts in a row from which nothing was heard.
  var futileStarts = 0
  /// Times in a row that the device took nothing to start with.
  var refusals = 0
  /// When priming ends with less than wanted.
  var startBy: Instant?
  /// Whether a command to be silent has not been answered.
  var owesSilence = false
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
    keptFrames = max(buffer * 2, Self.latestEdge).frames(rate: rate)
    // Two seconds for the decoder to be late in, what the device holds, and what was heard and may be wanted again.
    ring = FrameRing(capacity: rate * 2 + buffer.frames(rate: rate) + keptFrames)
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

  func takeMarkers() {
    while !marks.isFull, let marker = early ?? markers.pop() {
      // The decoder may be faster than the command that tells us of its stream.
      early = marker.load > load ? marker : nil
      if early != nil { return }
      // It may have waited for the place.
      decodeSignal.raise()
      if marker.load < load { continue }
      if isAwaitingStream {
        isAwaitingStream = false
        cursor = marker.index
        release()
      }
      marks.append(marker)
    }
  }

  func load(_ id: UInt8, _ number: Int) {
    stream = id
    load = number
    isAwaitingStream = true
    startBy = nil
    marks.removeAll()
    takeMarkers()
  }

  private func serveSilent() -> Step {
    guard let command = commands.pop() else { return .wait(.signal) }
    switch command {
    case .load(let id, let number): load(id, number)
    case .play: phase = .priming
    case .silence: reportSilenced()
    case .route(let index, let gain): switchOutput(to: index, gain: gain)
    case .gain(let gain): gains.volume = GainRamp(gain)
    case .reopen: reopen()
    }
    return .again
  }

  // MARK: - Between decoder and engine

  /// Decode thread: frames were written; wakes the engine if it waits for some.
  func framesWritten() {
    if wantsFrames.exchange(false, ordering: .acquiringAndReleasing) { signal.raise() }
  }

  /// To be told of the next frames. The ring has to be looked at after this: what came before is not told.
  func askForFrames() { _ = wantsFrames.exchange(true, ordering: .acquiringAndReleasing) }

  /// Gives room back to the decoder, all but what may be wanted again.
  func release() {
    guard !isAwaitingStream else { return }
    ring.release(upTo: (run.isOn ? min(run.heard, cursor) : cursor) - keptFrames)
    if ring.written - cursor < rate { decodeSignal.raise() }
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
    owesSilence = false
    let position = isAwaitingStream ? nil : marks.position(at: cursor)
    report(.silenced(stream: stream, track: position?.track ?? -1, frame: position?.frame ?? 0))
  }
}
