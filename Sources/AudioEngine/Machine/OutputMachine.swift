import AudioSession
import Board
import Jukebox
import RealtimeAudio

/// Everything the audio thread decides: when to start, fill, fade, take back, recover, reopen and give up. A value:
/// `next` takes what came of one call on the device or the rings and answers which comes next; nothing here makes one.
///
/// Every frame written to a device has an index on one timeline, which goes back when frames are taken back. What a
/// voice sounds like there, and every gain, is a function of that index. Each voice goes its own way:
/// ```
/// silent ──play, speak──► priming ──enough decoded──► sounding ──silence, pauseClip, route──► fading ──► silent or priming
///   ▲                        ▲                         │ └─last frame heard──► silent
///   └──silence, pauseClip─────────┘◄───────underrun─────────┘
/// ```
/// The device runs as long as a voice sounds or fades; `State` shows how it gets there and back. It runs on the
/// real-time thread: what it owns is made room for once.
package struct OutputMachine: Hashable, Sendable {
  /// What it is made for.
  struct Setup: Hashable, Sendable {
    /// Of every position that comes in or goes out.
    var boardRate: Int
    /// What every device is asked for.
    var buffer: Duration
    /// The device behind every output, by number: ports may share one.
    var devices: [Int]
    /// Frames that the rings hold.
    var musicCapacity: Int
    var clipCapacity: Int
    var timing = Timing()
  }

  let setup: Setup
  var timing: Timing { setup.timing }
  /// Of the device, and of the frames in the rings.
  var rate: Int
  var state = State.waiting
  /// As of the wake-up at hand.
  var now = Instant.powerOn
  /// As of the answer at hand.
  var decoded = Decoded(music: 0, clip: 0)
  var music: MixVoice
  var clip: MixVoice
  /// The timeline's index of the next frame to write to the device.
  var cursor = 0
  var progress = DeviceProgress()
  /// nil: closed.
  var device: Device?
  /// Index of the output; nil: none.
  var output: Int?
  /// A command that has to wait for the end of a fade.
  var held: EngineCommand?
  /// The output to go to once all has faded.
  var pendingRoute: Destination?
  var wantsRelease = false
  /// Whether the output was closed on request: the next sound opens it.
  var isReleased = false
  /// Whether a clip was spoken and has not ended, and whether its first frame was told of.
  var hasClip = false
  var isClipReported = false
  /// Starts in a row from which nothing was heard.
  var futileStarts = 0
  /// Times in a row that the device took nothing to start with.
  var refusals = 0
  /// Whether the device was opened anew and has not been heard since.
  var isRevived = false
  /// Told, and not taken yet. To be emptied before the call that `next` answered is made.
  var notices = NoticeQueue()

  init(_ setup: Setup) {
    self.setup = setup
    rate = setup.boardRate
    music = MixVoice(capacity: setup.musicCapacity)
    clip = MixVoice(capacity: setup.clipCapacity)
  }

  /// What to do after `answer`, which came of the call answered last.
  ///
  /// - Parameters:
  ///   - decoded: the rings' indices behind the last frames that were decoded by now.
  ///   - now: the moment of the wake-up; the same for all calls up to the next wait.
  mutating func next(_ answer: Answer, decoded: Decoded, at now: Instant) -> Call {
    self.now = now
    self.decoded = decoded
    switch state {
    case .waiting: return again()
    case .asking(let name): return ask(after: name)
    case .gathering(let name): return gather(answer, name)
    case .commanding(let status): return obey(answer, status)
    case .closing(let closing): return closed(closing)
    case .opening(let opening): return opened(answer, opening)
    case .filling(let filling): return filled(answer, filling)
    case .starting: return hasStarted(answer)
    case .started: return runs(answer)
    case .refused: return empty(answer)
    case .emptying: return isEmptied(answer)
    case .looking: return look(answer)
    case .ending(let ending): return end(answer, ending)
    case .recovering(let isUnderrun): return recovered(answer, isUnderrun)
    case .joining(let name, let status): return join(answer, name, status)
    case .changing(let command): return change(answer, command)
    case .fading(let fading): return takenBack(answer, fading)
    case .cutting(let fading): return cut(answer, fading)
    case .faded: return goOnFading(answer)
    case .restarting: return answer == .done ? again() : unread(answer)
    case .starving(let name, let hasCome): return starve(name, hasCome: hasCome)
    case .resting(let isFull): return rest(answer, isFull: isFull)
    }
  }

  /// The last one: closed by whoever makes the calls.
  mutating func shutDown() {
    device = nil
    progress.end()
    music.silence()
    clip.silence()
    state = .waiting
  }

  // MARK: - The same for both voices

  subscript(name: MixVoice.Name) -> MixVoice {
    get {
      switch name {
      case .music: music
      case .clip: clip
      }
    }
    // In place: a copy would share the boundaries' memory, and to change them would take new memory. With one yield, as a
    // coroutine that has two is not inlined, and to call it takes memory as well.
    @inline(__always) _modify {
      if name == .clip { swap(&music, &clip) }
      defer { if name == .clip { swap(&music, &clip) } }
      yield &music
    }
  }

  static let both: [MixVoice.Name] = [.music, .clip]

  var isPriming: Bool { music.isPriming || clip.isPriming }
  var isSounding: Bool { music.isSounding || clip.isSounding }
  var hasOutput: Bool { output != nil }
  /// What the music would go on with; nil: no track of its stream is known.
  var position: Position? {
    music.position.map { Position(track: $0.track, frame: boardFrame($0.frame)) }
  }

  // MARK: - Calls and answers

  mutating func call(_ call: Call, _ state: State) -> Call {
    self.state = state
    return call
  }

  mutating func wait(_ wait: Wait) -> Call { call(.wait(wait), .waiting) }

  /// The call failed, or the answer is none to it.
  mutating func unread(_ answer: Answer) -> Call { fail(answer == .failed ? .call : .misread) }

  mutating func report(_ report: EngineReport) { notices.add(.report(report)) }

  // MARK: - Lengths

  var fadeFrames: Int { max(1, timing.fade.frames(rate: rate)) }
  /// Frames that were heard and stay in the ring.
  var keptFrames: Int { min(max(setup.buffer * 2, timing.latestEdge).frames(rate: rate), setup.clipCapacity / 3) }
  /// The shortest wait: a device that should be due and is not is looked at again this soon.
  var shortestWait: Int { max(1, rate / 1_000) }

  /// At the board's rate.
  func boardFrame(_ frame: Int) -> Int { Rates.convert(frame, from: rate, to: setup.boardRate) }

  /// The timeline's index from which on all is silent; `.max` while that is not known.
  var stop: Int { max(music.stop, clip.stop) }
}

extension OutputMachine.Answer {
  var status: PCMStatus? { if case .status(let status) = self { status } else { nil } }
  var count: Int? { if case .count(let count) = self { count } else { nil } }
}
