import AudioSession

/// What of the state is worth a save of its own as soon as it changes. If sound runs, that is not the place in the
/// track, which changes all the time, and never the time played.
struct SaveableState: Hashable, Sendable {
  private var state: SavedState
  /// Sound runs, or will as soon as a plug has turned out not to move.
  private var isMoving: Bool
  /// The operator has asked for music, and something holds it back.
  private var isAskedFor: Bool
  /// `Playhead.jumps`.
  private var jumps: UInt8

  /// A cue of a time of day was spoken: a power cut within the same minute must not have it spoken again.
  fileprivate var doneCues: [DoneCue] { state.doneCues }
  /// Staff has closed, say: a power cut must not open what stays closed.
  fileprivate var hours: HoursMemory? { state.hours }
  /// What the timetable has done is not to be done again.
  fileprivate var timetable: TimetableMemory? { state.timetable }
  /// Somebody has paid for it.
  fileprivate var request: Int? { state.request?.number }

  init(_ state: SavedState, isMoving: Bool, isAskedFor: Bool, jumps: UInt8) {
    self.state = state
    self.isMoving = isMoving
    self.isAskedFor = isAskedFor
    self.jumps = jumps
    self.state.played = 0
    if isMoving {
      self.state.frame = 0
      self.state.request?.frame = 0
    }
  }
}

/// When the state is saved, by comparing it with what it was when it was compared last.
struct Saving: Hashable, Sendable {
  private var schedule: SaveSchedule
  /// What is saved already, or will be; nil: not compared yet, because nothing has changed since power on.
  private var known: SaveableState?
  /// The log has said that the storage fails.
  private(set) var hasReportedFailure = false

  init(interval: Duration, at now: Instant) { schedule = SaveSchedule(interval: interval, at: now) }

  /// When it is saved next; nil: there is nothing to save.
  var due: Instant? { schedule.due }

  /// Compares the state after an input.
  mutating func compare(_ state: SaveableState, isSounding: Bool, at now: Instant) {
    if let known, known != state {
      let isUrgent =
        known.doneCues != state.doneCues || known.hours != state.hours || known.timetable != state.timetable
        || known.request != state.request
      if isUrgent { schedule.changeAtOnce(at: now) } else { schedule.change(at: now) }
    }
    // While sound runs, its place is worth saving again and again.
    if isSounding { schedule.goOn(at: now) }
    known = state
  }

  /// Something was counted (N2), which may change nothing of the state.
  mutating func count(at now: Instant) { schedule.count(at: now) }

  /// Power on has found something to be otherwise than it was saved, which must not come back.
  mutating func changeAtOnce(at now: Instant) { schedule.changeAtOnce(at: now) }

  /// The state of this instant is on its way to the storage.
  mutating func begin(at now: Instant) { schedule.saved(at: now) }

  mutating func succeeded() { hasReportedFailure = false }

  /// It is tried again later.
  mutating func failed(at now: Instant) { schedule.goOn(at: now) }

  /// A failure is logged once, until saving works again (W3).
  mutating func reportFailure() { hasReportedFailure = true }
}
