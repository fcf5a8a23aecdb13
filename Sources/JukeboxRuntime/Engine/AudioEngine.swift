import AudioSession
import Board
import RealtimeAudio
import Synchronization

/// Mixes the music and a clip on a device: fills, fades, takes back, switches, recovers.
///
/// Every frame written to a device has an index on one timeline, which goes back when frames are taken back. What a
/// voice sounds like there, and every gain, is a function of that index. Each voice goes its own way:
/// ```
/// silent ──play, speak──► priming ──enough decoded──► sounding ──silence, hush, route──► fading ──► silent or priming
///   ▲                        ▲                         │ └─last frame heard──► silent
///   └──silence, hush─────────┘◄───────underrun─────────┘
/// ```
/// The device runs as long as a voice sounds or fades. `service` is all of it: on the board the audio thread calls it
/// when the device, a command or the clock says so, in the simulator virtual time does. Everything but the rings
/// belongs to the calling thread.
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

  /// Long enough for no click, short enough for R3's 5 ms with room for a device's own step.
  static let fadeTime = Duration.milliseconds(4)
  static let volumeRampTime = Duration.milliseconds(20)
  /// Lines are late, and so is the thread that reads them: an edge may have happened this long ago.
  static let latestEdge = Duration.milliseconds(100)

  /// Of every position that comes in or goes out.
  let boardRate: Int
  /// Of the device, and of the frames in the rings.
  var rate: Int
  let buffer: Duration
  let signals: Feed.Signals
  let music: Voice
  let clip: Voice
  let voices: [Voice]
  let commands = SPSCRing<EngineCommand>(capacity: 256, filler: .play)
  let reports = SPSCRing<EngineReport>(capacity: 256, filler: .underrun)
  /// Why the output was lost last. Written before `EngineReport.outputLost`.
  let failure = Mutex<PCMError?>(nil)

  let opener: any PCMOpener
  let outputs: [Output]
  var pcm: (any PCM)?
  var output = -1
  /// A command that has to wait for the end of a fade.
  private var held: EngineCommand?
  /// The output to go to once all has faded.
  var pendingRoute: (index: Int, gain: Int32)?
  var wantsRelease = false
  /// Whether the output was closed on request: the next sound opens it.
  var isReleased = false
  /// Whether a clip was spoken and has not ended, and whether its first frame was told of.
  var hasClip = false
  var isClipTold = false
  /// The timeline's index of the next frame to write to the device.
  var cursor = 0
  var run = Run()
  /// Starts in a row from which nothing was heard.
  var futileStarts = 0
  /// Times in a row that the device took nothing to start with.
  var refusals = 0
  /// Whether the device was opened anew and has not been heard since.
  var isRevived = false
  let scratch: UnsafeMutablePointer<Int16>
  /// For the voice that is added.
  let second: UnsafeMutablePointer<Int16>
  static let scratchFrames = 1_024

  /// - Parameter rate: the board's, Hz; what every device is asked for.
  init(
    outputs: [Output], opener: any PCMOpener, rate: Int, buffer: Duration, signals: Feed.Signals = Feed.Signals()
  ) {
    self.outputs = outputs
    self.opener = opener
    boardRate = rate
    self.rate = rate
    self.buffer = buffer
    self.signals = signals
    let held = buffer.frames(rate: rate) + max(buffer * 2, Self.latestEdge).frames(rate: rate)
    // Some time for the decoder to be late in, what the device holds, and what was heard and may be wanted again.
    music = Voice(feed: Feed(capacity: rate * 2 + held, signals: signals))
    clip = Voice(feed: Feed(capacity: rate / 2 + held, signals: signals))
    voices = [music, clip]
    scratch = .allocate(capacity: Self.scratchFrames * 2)
    scratch.initialize(repeating: 0, count: Self.scratchFrames * 2)
    second = .allocate(capacity: Self.scratchFrames * 2)
    second.initialize(repeating: 0, count: Self.scratchFrames * 2)
  }

  deinit {
    scratch.deallocate()
    second.deallocate()
  }

  /// Of the working rate.
  var fadeFrames: Int { max(1, Self.fadeTime.frames(rate: rate)) }
  /// Frames that were heard and stay in the ring.
  var keptFrames: Int { min(max(buffer * 2, Self.latestEdge).frames(rate: rate), clip.feed.ring.capacity / 3) }

  /// Does what is due and answers what to wait for. Never blocks.
  func service(at now: Instant) -> Wait {
    music.takeMarkers()
    clip.takeMarkers()
    while true {
      let step = run.isOn ? serveRunning(at: now) : serveIdle(at: now)
      switch step {
      case .again: continue
      case .wait(let wait): return wait
      }
    }
  }

  enum Step {
    /// The state changed or a command was obeyed: look again.
    case again
    case wait(Wait)
  }

  /// The next command, unless it speaks to a voice whose fade is still being heard.
  func nextCommand() -> EngineCommand? {
    guard pendingRoute == nil, let command = held ?? commands.pop() else { return nil }
    held = nil
    let waits =
      switch command {
      case .load, .play, .silence: music.fade != nil
      case .speak, .hush, .speakOn: clip.fade != nil
      case .route, .reopen: music.fade != nil || clip.fade != nil
      case .gain, .duck, .release: false
      }
    if waits { held = command }
    return waits ? nil : command
  }

  func hold(_ command: EngineCommand) { held = command }

  // MARK: - For the thread that runs it

  var pollDescriptors: [PollDescriptor] { pcm?.pollDescriptors ?? [] }

  /// Shows the device what became of its descriptors.
  func deviceWoke(_ revents: UnsafeBufferPointer<CShort>) { _ = pcm?.isReady(revents) }

  /// The last call: closes the device.
  func shutDown() {
    pcm?.close()
    pcm = nil
    run.end()
    music.state = .silent
    clip.state = .silent
  }

  // MARK: - Reports

  func report(_ report: EngineReport) {
    // A full ring means the control thread is stuck; sound goes on without it.
    _ = reports.push(report)
    signals.report.raise()
  }

  /// At the board's rate.
  func boardFrame(_ frame: Int) -> Int { Rates.convert(frame, from: rate, to: boardRate) }

  func reportSilenced() {
    let position = music.position
    report(
      .silenced(stream: music.stream, track: position?.track ?? -1, frame: boardFrame(position?.frame ?? 0)))
  }
}

/// Frames of one rate in those of another, to the nearest.
enum Rates {
  static func convert(_ frame: Int, from: Int, to: Int) -> Int { from == to ? frame : (frame * to + from / 2) / from }
}
