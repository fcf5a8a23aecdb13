import AudioSession
import Board

extension OutputMachine {
  /// What is to be done next: one operation on the device or on a ring, whose answer the machine waits for.
  enum Call: Hashable, Sendable {
    case wait(Wait)
    /// The oldest command there is.
    case takeCommand
    /// The oldest boundary of the voice's decoder.
    case takeBoundary(MixVoice.Name)
    /// To be told of the voice's next frames; what is decoded has to be looked at after this.
    case ask(MixVoice.Name)
    /// The output of this index, at the board's rate.
    case open(Int)
    case close
    case status
    /// Takes back so many frames at most.
    case rewind(Int)
    /// Renders so many frames at most from the cursor on and writes them.
    case write(Int)
    case drop
    case start
    case recover
  }

  /// What to wait for.
  package enum Wait: Hashable, Sendable {
    /// A command, or frames from the decoder.
    case signal
    /// The same, or this moment.
    case until(Instant)
    /// The same, or the device's descriptors, or this moment.
    case device(Instant)
  }

  /// What came of a call.
  enum Answer: Hashable, Sendable {
    /// Of a wait.
    case woken
    /// Of what has nothing to tell.
    case done
    case command(EngineCommand?)
    case boundary(TrackBoundary?)
    case opened(Device)
    case status(PCMStatus)
    /// Frames that were taken back or written.
    case count(Int)
    /// Of any call on the device but `close`.
    case failed
  }

  /// The rings' indices behind the last frames that were decoded.
  struct Decoded: Hashable, Sendable {
    var music: Int
    var clip: Int

    subscript(name: MixVoice.Name) -> Int {
      switch name {
      case .music: music
      case .clip: clip
      }
    }
  }

  /// What is to be known of an open device.
  struct Device: Hashable, Sendable {
    var format: PCMFormat
    /// As of `PCM.margin`.
    var margin: Int
    /// Whether it has descriptors that tell of room.
    var polls: Bool
  }

  /// What others are told, who answer nothing.
  enum Notice: Hashable, Sendable {
    case report(EngineReport)
    /// Why the output is lost; comes before the report of it.
    case failure(Reason)
    /// The voice's frames before this one are not needed any more; whether its decoder is to be woken.
    case release(MixVoice.Name, before: Int, isLow: Bool)
  }

  enum Reason: Hashable, Sendable {
    /// The call that failed last, but for `open`, has said why.
    case call
    /// The device could not be opened, which has said why.
    case open
    /// The device says that it is gone.
    case gone
    /// It stops as soon as it is started.
    case dies
    /// It takes no frames.
    case refuses
    /// Runs, and its position stands still.
    case stuck
    /// A call was answered as another one is: whoever makes the calls is at fault.
    case misread
  }
}

/// What was told and not taken yet, oldest first. Room is made once.
struct NoticeQueue: Hashable, Sendable {
  /// A word for every mark, and some for what else happens at one call.
  static let capacity = TrackBoundaries.capacity + 16

  private var notices: [OutputMachine.Notice] = []
  private var taken = 0

  init() { notices.reserveCapacity(Self.capacity) }

  var count: Int { notices.count - taken }

  mutating func add(_ word: OutputMachine.Notice) { notices.append(word) }

  mutating func take() -> OutputMachine.Notice? {
    guard taken < notices.count else { return nil }
    let word = notices[taken]
    taken += 1
    if taken == notices.count {
      notices.removeAll(keepingCapacity: true)
      taken = 0
    }
    return word
  }
}
