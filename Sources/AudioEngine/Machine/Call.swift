import AudioSession
import Board

/// What wakes the engine next.
package enum EngineWait: Hashable, Sendable {
  /// A command, or frames from the decoder.
  case signal
  /// A command, frames from the decoder, or this moment.
  case until(Instant)
  /// A command, frames from the decoder, the device's descriptors, or this moment.
  case device(Instant)
}

extension OutputMachine {
  /// The next operation to perform on the device or on a ring. The machine waits for its result.
  enum Call: Hashable, Sendable {
    case wait(EngineWait)
    /// Takes the oldest command from the command ring.
    case takeCommand
    /// Looks for edges in the commands that are still in the ring.
    case seekEdges
    /// Takes the oldest track boundary from the voice's decoder.
    case takeBoundary(MixVoice.Name)
    /// Asks to be woken by the voice's next frames. Frames that are there already wake nobody, so the rings' indices
    /// have to be read after this call.
    case ask(MixVoice.Name)
    /// Opens the output of this index at the board's rate, or goes on waiting for it.
    case open(Int)
    /// Takes the answer to `open` or `recover` that was pending.
    case answer
    /// Closes the device, or takes back the request to open it.
    case close
    /// Has the device of this output opened while another one plays, or looks whether it has answered: `done`, also where
    /// it failed, or `pending`. A later `open` gets what it has opened.
    case openAhead(Int)
    /// Takes back the request to open the device of this output, or closes what it has opened, ahead or late.
    case closeAhead(Int)
    case status
    /// Takes back up to this many frames. See `PCM.rewind`.
    case rewind(Int, isUrgent: Bool)
    /// Renders up to this many frames from the cursor on and writes them.
    case write(Int)
    case stop
    case start
    case recover
  }

  /// The result of a call.
  enum CallResult: Hashable, Sendable {
    /// A wait has ended.
    case woken
    /// The call succeeded and returns no value.
    case done
    /// The device has not answered yet, which only `open`, `openAhead` and `recover` may return. Its answer ends a wait.
    case pending
    case command(EngineCommand?)
    case edges(Edges)
    case boundary(TrackBoundary?)
    case opened(Device)
    case status(PCMStatus)
    /// The number of frames that were rewound or written.
    case count(Int)
    /// The device cannot be rewound, neither now nor later.
    case refused
    /// A call on the device failed; `close` cannot.
    case failed
  }

  /// The rings' indices just after the last decoded frame of each voice.
  struct Decoded: Hashable, Sendable {
    var music: Int
    var cue: Int

    subscript(name: MixVoice.Name) -> Int {
      switch name {
      case .music: music
      case .cue: cue
      }
    }
  }

  /// The edges of the first commands that silence a voice because of one; nil where there is none.
  struct Edges: Hashable, Sendable {
    var music: Instant?
    var cue: Instant?
    /// Whether they are of the plug of an output that is only switched to before them.
    var isElsewhere = false

    subscript(name: MixVoice.Name) -> Instant? {
      switch name {
      case .music: music
      case .cue: cue
      }
    }

    private var isEmpty: Bool { music == nil && cue == nil }

    mutating func note(_ command: EngineCommand) {
      switch command {
      case .silence(let edge): music = music ?? edge
      case .pauseCue(let edge): cue = cue ?? edge
      case .route: isElsewhere = isElsewhere || isEmpty
      case .load, .play, .vacate, .gain, .channels, .reopen, .release, .duck, .speak, .resumeCue: break
      }
    }

    /// Adds those of the commands behind.
    mutating func note(_ later: Edges) {
      isElsewhere = isElsewhere || (isEmpty && later.isElsewhere)
      music = music ?? later.music
      cue = cue ?? later.cue
    }
  }

  /// The properties of an open device.
  struct Device: Hashable, Sendable {
    var format: PCMFormat
    /// See `PCM.margin`.
    var margin: Int
    /// See `PCM.cardClass`.
    var cardClass = CardClass.exact
    /// Whether it has descriptors that signal room in its buffer.
    var polls: Bool

    var takesBack: Bool { cardClass.takesBack }

    /// It turned out that nothing can be rewound.
    mutating func refuseRewinds() { (cardClass, margin) = (.noRewind(step: cardClass.step), 0) }
  }

  /// A message to others, which needs no result.
  enum Notice: Hashable, Sendable {
    case report(EngineReport)
    /// Why the output was lost. Sent before the report of the loss.
    case failure(LossReason)
    /// The voice's frames before this index are no longer needed. If `isLow`, its decoder has to be woken.
    case release(MixVoice.Name, before: Int, isLow: Bool)
  }

  /// Why the output was lost.
  enum LossReason: Hashable, Sendable {
    /// A call other than `open` failed; its error has the details.
    case call
    /// The device could not be opened; the error of `open` has the details.
    case open
    /// The device reports that it is gone.
    case gone
    /// It stops as soon as it is started.
    case dies
    /// It takes no frames.
    case refuses
    /// It did not answer in time when it was opened or recovered.
    case hangs
    /// It runs, but its position does not move.
    case stuck
    /// It runs and has taken no frames for too long.
    case stalls
    /// The result does not fit the call, which is a fault of the code that makes the calls.
    case misread
  }
}

/// Notices that have not been taken yet, oldest first. The memory is allocated once, because the audio thread must not
/// allocate.
struct NoticeQueue: Hashable, Sendable {
  /// One notice for every track boundary, and some for what else happens in one call.
  static let capacity = TrackBoundaries.capacity + 16

  private var notices: [OutputMachine.Notice] = []
  private var taken = 0

  init() { notices.reserveCapacity(Self.capacity) }

  mutating func add(_ notice: OutputMachine.Notice) { notices.append(notice) }

  mutating func take() -> OutputMachine.Notice? {
    guard taken < notices.count else { return nil }
    let notice = notices[taken]
    taken += 1
    if taken == notices.count {
      notices.removeAll(keepingCapacity: true)
      taken = 0
    }
    return notice
  }
}
