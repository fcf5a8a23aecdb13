import AudioSession

/// An index into `Configuration.lines`.
public struct LineID: Hashable, Sendable {
  public var index: Int
  public init(_ index: Int) { self.index = index }
}

/// An index into `Configuration.readers`.
public struct ReaderID: Hashable, Sendable {
  public var index: Int
  public init(_ index: Int) { self.index = index }
}

/// A place in the music: a track, by its id in the library, and a frame of it at the board's rate.
public struct Position: Hashable, Sendable, BitwiseCopyable {
  public var track: TrackID
  public var frame: Int

  public init(track: TrackID, frame: Int) {
    self.track = track
    self.frame = frame
  }
}

/// Everything that can happen to the brain.
public enum Input: Hashable, Sendable {
  case powerOn(PowerOn)
  case edge(LineID, asserted: Bool, at: Instant)
  case typed(ReaderID, TypedKey)
  /// This card lies on a reader that says so, or none does (nil); `at`: when one was seen there last.
  case card(ReaderID, token: String?, at: Instant)
  /// Edges of a coin line, oldest first: all that were not lost, because each of them counts.
  case coin(LineID, [CoinEdge])
  case knob(KnobID, KnobMove)
  case timer(TimerID)
  case console(String)
  case audio(AudioReport)
  case recorder(RecorderReport)
  case storage(StorageReport)
  /// What became of an `Effect.keep`.
  case ledger(LedgerReport)
  /// What `Effect.rank` has found.
  case ranking(RankingReport)
  case health(HealthReport)
  case category(SessionCategory)
  /// The music folders were listed again (X1).
  case library(LibraryReport)
  /// The time of a cue, a start or a stop of the timetable has come (H3).
  case scheduled(TimetableMoment)
  /// The same by a clock that nobody has set since power on, so that it may be any time of the day.
  case missed(TimetableMoment)
  /// What the clock says of the timetable's playlist and volume is another than before.
  case timetable(TimetableState)
  /// The clock says something else of the opening hours than before (H rows).
  case hours(HoursReport)
  /// The clock says something else of the quiet hours than before (H4).
  case quiet(HoursReport)
  /// The system slept, and these lines are asserted now (R11). `slept`: for how long by the clock that gives `now`; a
  /// board's stands still meanwhile.
  case woke(asserted: Set<LineID>, slept: Duration)
  /// The headset at this port has this volume now, 0 to 127, whoever set it; nil: it takes none, or has gone (B6).
  case headsetVolume(Port, level: Int?)
  /// What the Bluetooth adapter reports (B7, B9).
  case headset(HeadsetReport)
  /// The process is asked to end.
  case shutdown(reason: String)

  /// How long nothing happened just before it although the clock went on.
  var slept: Duration {
    switch self {
    case .woke(_, let slept): slept
    case .powerOn, .edge, .typed, .card, .coin, .knob, .timer, .console, .audio, .recorder, .storage, .ledger, .ranking,
      .health,
      .category, .library, .scheduled, .missed, .timetable, .hours, .quiet, .headsetVolume, .shutdown, .headset:
      .zero
    }
  }
}

/// What is true at the moment of power on.
public struct PowerOn: Hashable, Sendable {
  public enum Saved: Hashable, Sendable {
    case nothing
    case state(SavedState)
    /// The newest that was saved cannot be read; this is the one before.
    case older(SavedState, reason: String)
    case unreadable(reason: String)

    public var state: SavedState? {
      switch self {
      case .state(let state), .older(let state, _): state
      case .nothing, .unreadable: nil
      }
    }
  }
  /// The files that say what board this is and what it does, for the log.
  public struct Origin: Hashable, Sendable {
    /// The board's name, and its file.
    public var board: String
    public var boardFile: String
    /// nil: there is no settings file, so that all is as by default.
    public var settingsFile: String?

    public init(board: String, boardFile: String, settingsFile: String?) {
      self.board = board
      self.boardFile = boardFile
      self.settingsFile = settingsFile
    }
  }

  /// Lines that are asserted.
  public var asserted: Set<LineID>
  public var saved: Saved
  /// Decides the order of a shuffled queue.
  public var seed: UInt64
  /// Whether the audio thread takes precedence over all others and its memory stays in place; nil where nothing was
  /// asked for, as in the simulator.
  public var realTime: SystemGrant?
  /// Whether the processes that decode are kept from everything else; nil where there are none.
  public var jail: SystemGrant?
  /// What the clock says of the opening hours; nil: there are none.
  public var hours: HoursReport?
  /// What the clock says of the timetable; nil: nothing, or nobody knows the time.
  public var timetable: TimetableState?
  /// What it says of the quiet hours; nil: there are none.
  public var quiet: HoursReport?
  /// Coins, credits and requests.
  public var ledger: SavedLedger
  /// The music is as it was listed before power on, and is listed soon (X6).
  public var isMusicKept: Bool
  /// All folders of music are there: what the library does not have is gone.
  public var isMusicComplete: Bool
  /// Where board and settings come from; nil in the simulator.
  public var origin: Origin?

  public init(
    asserted: Set<LineID>, saved: Saved = .nothing, seed: UInt64 = 0, realTime: SystemGrant? = nil,
    jail: SystemGrant? = nil, hours: HoursReport? = nil, timetable: TimetableState? = nil,
    quiet: HoursReport? = nil, ledger: SavedLedger = .nothing, isMusicKept: Bool = false, isMusicComplete: Bool = true,
    origin: Origin? = nil
  ) {
    self.asserted = asserted
    self.saved = saved
    self.seed = seed
    self.realTime = realTime
    self.jail = jail
    self.hours = hours
    self.timetable = timetable
    self.quiet = quiet
    self.ledger = ledger
    self.isMusicKept = isMusicKept
    self.isMusicComplete = isMusicComplete
    self.origin = origin
  }
}

/// What the audio engine reports. A stream is what one `AudioCommand.load` began; reports of an older stream than
/// the last one loaded are stale.
public enum AudioReport: Hashable, Sendable {
  case playback(PlaybackReport)
  /// The decoder has decoded the track's first frames and waits to be told what follows it.
  case opened(stream: UInt8, track: TrackID, TrackTags)
  /// Decoding has found another length than the track's headers announce, at the board's rate; nil: a greater one, which
  /// only its end will show.
  case measured(stream: UInt8, track: TrackID, frames: Int?)
  /// Not one frame of the track can be decoded; the decoder waits to be told what follows instead. `isMissing`: there is
  /// no such file, on a storage that can be read.
  case failed(stream: UInt8, track: TrackID, reason: String, isMissing: Bool = false)
  /// The track breaks off after `frame` frames; what follows it comes at once.
  case brokeOff(stream: UInt8, Position, reason: String)
  /// The storage cannot be read from this position on (X4): the stream ends before it.
  case storageFailed(stream: UInt8, Position, reason: String)
  /// The device is gone or cannot be opened; the engine is silent and would go on at `position`.
  case outputLost(reason: String, Position?)
  /// The same of a port that the route has left since: the engine would go on at the position, too, but at the route.
  case leftOutputLost(Port, reason: String, Position?)
  /// The device of another port of a multi-route is gone, or back; the others play on.
  case otherOutputLost(Port, reason: String)
  case otherOutputRestored(Port)
  /// A cue cannot be played, or not to its end.
  case cueFailed(id: UInt8, reason: String)
}

/// The reports that the audio thread makes itself: plain values, which its ring can hold. Positions are at the board's
/// rate.
public enum PlaybackReport: Hashable, Sendable, BitwiseCopyable {
  /// Sound runs; the position was the first frame heard, at `at`.
  case started(stream: UInt8, Position, at: Instant)
  /// Sound has faded out after a command; the next `play` goes on at the position, where a track of the stream is known.
  case silenced(stream: UInt8, Position?)
  /// The first frame of the track is heard at `at`.
  case began(stream: UInt8, Position, at: Instant)
  /// The last frame of the last track was heard; the engine is silent.
  case ended(stream: UInt8)
  /// The device ran empty; the music stays at this position until it is reported as started again.
  case underrun(Position?)
  /// A device that cannot be rewound has this much queued from now on.
  case queueGrown(Duration)
  case outputRestored
  /// The output was opened again and runs at another rate or with another buffer than before; the engine is silent and
  /// would go on at the position of a stream that has to be loaded again (R12).
  case outputChanged(rate: Int, bufferFrames: Int, Position?)
  /// The first frame of a cue is heard at `at`.
  case cueStarted(id: UInt8, at: Instant)
  /// Its last frame was heard.
  case cueEnded(id: UInt8)
}

/// What the decoder learns when it opens a track.
public struct TrackTags: Hashable, Sendable {
  public var title: String?
  public var artist: String?
  /// Length at the board's rate, where the file gives it.
  public var frames: Int?

  public init(title: String? = nil, artist: String? = nil, frames: Int? = nil) {
    self.title = title
    self.artist = artist
    self.frames = frames
  }
}

/// What the recorder reports.
public enum RecorderReport: Hashable, Sendable {
  /// Sound goes into this file; its name in the recordings folder.
  case started(file: String)
  /// Nothing was recorded.
  case failed(reason: String)
  /// The file is complete and valid. `lost`: frames that the input delivered and the file does not hold, as far as is
  /// known. `fault`: why it ended by itself; nil: it was told to.
  case stopped(file: String, frames: Int, lost: Int, fault: RecorderFault?)
  /// Power on found a file that a power cut had interrupted, and made it valid.
  case recovered(file: String, frames: Int)
  /// Such a file could not be made valid yet; it is tried again.
  case unrepaired(file: String, reason: String)
  /// A recording was removed because of its age, or could not be.
  case removed(file: String, error: String?)
}

/// Why a recording ends by itself; the reason in the log.
public enum RecorderFault: String, Hashable, Sendable, CaseIterable {
  /// No more than the floor of free space is left.
  case diskFull = "disk-full"
  case sizeLimit = "size-limit"
  case inputLost = "input-lost"
  case writeFailed = "write-failed"
}

/// What became of a save.
public enum StorageReport: Hashable, Sendable {
  case saved
  /// The storage has it already.
  case unchanged
  case failed(reason: String)
}
