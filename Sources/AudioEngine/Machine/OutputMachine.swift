import AudioSession
import Board
import Jukebox
import RealtimeAudio

/// Everything the audio thread decides: when to start, fill, fade, rewind, recover, reopen and give up. A value:
/// `next` takes the result of one call on the device or the rings and returns the call to make next; nothing here makes
/// calls.
///
/// Every frame written to a device has an index on one timeline, which goes back when frames are rewound. What a
/// voice sounds like there, and every gain, is a function of that index. Each voice has its own state:
/// ```
/// silent ──play, speak──► priming ──enough decoded──► sounding ──silence, pauseCue, route──► fading ──► silent or priming
///   ▲                        ▲                         │ └─last frame heard──► silent
///   └──silence, pauseCue────┘◄───────underrun─────────┘
/// ```
/// The device runs as long as a voice sounds or fades; `MachineState` shows how it gets there and back. It runs on the
/// real-time thread: its memory is allocated once.
package struct OutputMachine: Hashable, Sendable {
  /// The board and the devices that it serves.
  struct Setup: Hashable, Sendable {
    /// The rate of every position that comes in or goes out, in Hz.
    var boardRate: Int
    /// The buffer that is requested from every device.
    var buffer: Duration
    /// The device behind every output, by number: ports may share one.
    var devices: [Int]
    /// How long each output may take no frames before it is lost (B3); nil for no limit. Empty: none has one.
    var stalls: [Duration?] = []
    /// What the sides of each output play at first. Empty: all are stereo.
    var matrices: [StereoMatrix] = []
    /// The capacities of the rings, in frames.
    var musicCapacity: Int
    var cueCapacity: Int
    var timing = Timing()
  }

  let setup: Setup
  var timing: Timing { setup.timing }
  /// The rate of the device and of the frames in the rings, in Hz.
  var rate: Int
  var state = MachineState.waiting
  /// The moment of the current wake-up.
  var now = Instant.powerOn
  /// How far the decoders had come at the last result.
  var decoded = Decoded(music: 0, cue: 0)
  var music: MixVoice
  var cue: MixVoice
  /// The timeline's index of the next frame to write to the device.
  var cursor = 0
  var progress = DeviceProgress()
  /// nil: closed.
  var device: Device?
  /// Index of the output; nil: none.
  var output: Int?
  /// A command that has to wait for the end of a fade.
  var held: EngineCommand?
  /// The output to switch to once every voice has faded.
  var pendingRoute: Destination?
  /// The output to which the sound moves as soon as its device is open; nil while nothing sounds.
  var ahead: Ahead?
  /// When the device of `pendingRoute`, which was asked for while another one played, counts as hung.
  var openBy: Instant?
  var wantsRelease = false
  /// Whether the output was closed on request: the next sound opens it.
  var isReleased = false
  /// Whether a cue was spoken and has not ended.
  var hasCue = false
  /// Whether the start of that cue was reported.
  var isCueReported = false
  /// Starts in a row from which nothing was heard.
  var futileStarts = 0
  /// Starts in a row for which the device took no frames.
  var refusals = 0
  /// Whether the device was reopened after a failure and has not been heard since.
  var isRevived = false
  /// Whether the device was reopened as it stood still, and has not played for long enough since.
  var hasStoodStill = false
  /// The answer of the device that commands do not wait for; nil if none is pending.
  var awaited: Awaited?
  /// What has to be left in each device that cannot be rewound when the thread is woken, by the device's number.
  var margins: [Margin]
  /// What the sides of each output play.
  var matrices: [StereoMatrix]
  /// The same of the output that sounds, on the timeline.
  var matrix = MatrixRamp(.stereo)
  /// Whether the device was asked to open and has not answered. It may do so after it was lost.
  var isAsked = false
  /// The output that was left before its device had answered; what that opens is for the next try.
  var late: Late?
  /// Has to be emptied before the call that `next` returned is made.
  var notices = NoticeQueue()

  init(_ setup: Setup) {
    self.setup = setup
    rate = setup.boardRate
    margins = setup.devices.map { _ in Margin(length: setup.timing.leastMargin, quiet: setup.timing.quiet) }
    // Its own memory: a shared one would be copied by the audio thread at the first change.
    matrices = setup.matrices.map(\.self)
    music = MixVoice(capacity: setup.musicCapacity)
    cue = MixVoice(capacity: setup.cueCapacity)
  }

  /// Returns the call to make next; `result` is the result of the previous one.
  ///
  /// - Parameters:
  ///   - decoded: the rings' indices just after the last frames decoded by now.
  ///   - now: the moment of the wake-up; the same for all calls up to the next wait.
  mutating func next(_ result: CallResult, decoded: Decoded, at now: Instant) -> Call {
    self.now = now
    self.decoded = decoded
    guard result == .refused else { return proceed(with: result) }
    device?.refuseRewinds()
    return proceed(with: .count(0))
  }

  mutating func proceed(with result: CallResult) -> Call {
    switch state {
    case .waiting: return beginPass()
    case .asking(let name): return ask(after: name)
    case .gathering(let name): return gather(result, name)
    case .commanding(let status): return obey(result, status)
    case .hastening(let status): return hasten(result, status)
    case .preparing(let status): return didPrepare(result, status)
    case .abandoning(let command, let status): return didAbandon(command, status)
    case .closing(let closing): return didClose(closing)
    case .opening(let opening): return result == .pending ? awaitAnswer() : didOpen(result, opening)
    case .filling(let filling): return didFill(result, filling)
    case .starting: return didStart(result)
    case .started: return checkStart(result)
    case .refused: return emptyDevice(result)
    case .stopping: return didStop(result)
    case .emptying: return result == .pending ? awaitAnswer() : didEmpty(result)
    case .looking: return look(result)
    case .ending(let ending), .cutting(let ending): return didEnd(result, ending)
    case .recovering(let isUnderrun): return result == .pending ? awaitAnswer() : didRecover(result, isUnderrun)
    case .joining(let name, let status): return join(result, name, status)
    case .changing(let command): return change(result, command)
    case .fading(let fading): return didTakeBack(result, fading)
    case .starving(let name, let hasCome): return starve(name, hasCome: hasCome)
    case .resting(let isFull): return rest(result, isFull: isFull)
    }
  }

  /// Ends all sound. The caller closes the device and makes no further call.
  mutating func shutDown() {
    device = nil
    ahead = nil
    late = nil
    forgetAnswer()
    progress.end()
    music.silence()
    cue.silence()
    state = .waiting
  }

  // MARK: - Both voices

  subscript(name: MixVoice.Name) -> MixVoice {
    get {
      switch name {
      case .music: music
      case .cue: cue
      }
    }
    // In place: a copy would share the boundaries' memory, and changing them would then allocate. One yield only,
    // because a coroutine with two is not inlined, and calling it allocates as well.
    @inline(__always) _modify {
      if name == .cue { swap(&music, &cue) }
      defer { if name == .cue { swap(&music, &cue) } }
      yield &music
    }
  }

  static let both: [MixVoice.Name] = [.music, .cue]

  var isPriming: Bool { music.isPriming || cue.isPriming }
  var isSounding: Bool { music.isSounding || cue.isSounding }
  var isFading: Bool { music.fade != nil || cue.fade != nil }
  var hasOutput: Bool { output != nil }
  /// Where the music would continue; nil if no track of its stream is known.
  var position: Position? {
    music.position.map { Position(track: $0.track, frame: boardFrame($0.frame)) }
  }

  // MARK: - Calls and results

  mutating func call(_ call: Call, _ state: MachineState) -> Call {
    self.state = state
    return call
  }

  mutating func wait(_ wait: EngineWait) -> Call { call(.wait(wait), .waiting) }

  /// The call failed, or its result is of the wrong kind.
  mutating func fail(after result: CallResult) -> Call { fail(result == .failed ? .call : .misread) }

  mutating func report(_ report: EngineReport) { notices.add(.report(report)) }

  // MARK: - Lengths

  var fadeFrames: Int { max(1, timing.fade.frames(rate: rate)) }
  /// Frames that stay in the ring after they were heard.
  var keptFrames: Int { min(max(setup.buffer * 2, timing.latestEdge).frames(rate: rate), setup.cueCapacity / 3) }
  /// The shortest wait in frames, for a device that should be ready and is not.
  var shortestWait: Int { max(1, rate / 1_000) }

  /// Converts a frame from the device's rate to the board's.
  func boardFrame(_ frame: Int) -> Int { Rates.convert(frame, from: rate, to: setup.boardRate) }

  /// The timeline's index from which on all is silent; `.max` while that is not known.
  var stop: Int { max(music.stop, cue.stop) }
}

extension OutputMachine.CallResult {
  var status: PCMStatus? { if case .status(let status) = self { status } else { nil } }
  var count: Int? { if case .count(let count) = self { count } else { nil } }
}
