import AudioSession

/// What has become of the timetable.
enum TimetableFact: Hashable {
  /// Another moment than before says so; nil: none does, so that it is as without a timetable.
  case playlist(TimetableMoment?)
  case volume(Int?, TimetableMoment?)
  case freePlay(TimetableMoment?)
}

/// What the timetable wants, and what of it was done (H3).
struct Timetable: Hashable, Sendable {
  private let entries: [TimetableEntry]
  /// What counts until the clock says otherwise: what counted before a power cut, until the time is known.
  private(set) var memory = TimetableMemory()
  /// The clock has said what counts, since power on.
  private var isKnown = false
  /// The playlist is to be moved to as soon as nobody has the music for himself.
  private(set) var isPlaylistDue = false

  /// - Parameter saved: what is no longer in the settings is forgotten.
  init(_ entries: [TimetableEntry] = [], _ saved: TimetableMemory? = nil) {
    self.entries = entries
    guard let saved else { return }
    for entry in entries {
      switch entry.action {
      case .playlist: (memory.playlist, memory.playlistSince) = (saved.playlist, saved.playlistSince)
      case .volume: (memory.volume, memory.volumeSince) = (saved.volume, saved.volumeSince)
      case .freePlay: (memory.isFree, memory.freeSince) = (saved.isFree, saved.freeSince)
      case .start: memory.started = saved.started
      case .stop: memory.stopped = saved.stopped
      case .cue: break
      }
    }
  }

  func action(of moment: TimetableMoment) -> TimetableEntry.Action? {
    entries.indices.contains(moment.entry) ? entries[moment.entry].action : nil
  }

  /// What the clock wants now: what is to be done for it, because it is another than was done last.
  mutating func take(_ state: TimetableState) -> [TimetableFact] {
    let former = memory
    isKnown = true
    if case .playlist(let name)? = state.playlist.flatMap(action) {
      memory.playlist = name
    } else {
      memory.playlist = nil
    }
    memory.playlistSince = state.playlist?.second
    if case .volume(let volume)? = state.volume.flatMap(action) { memory.volume = volume } else { memory.volume = nil }
    memory.volumeSince = state.volume?.second
    if case .freePlay(let isFree)? = state.freePlay.flatMap(action) {
      memory.isFree = isFree
    } else {
      memory.isFree = nil
    }
    memory.freeSince = state.freePlay?.second
    var facts: [TimetableFact] = []
    if former.playlistSince != memory.playlistSince || former.playlist.fileName != memory.playlist.fileName {
      facts.append(.playlist(state.playlist))
    }
    if (former.volume, former.volumeSince) != (memory.volume, memory.volumeSince) {
      facts.append(.volume(memory.volume, state.volume))
    }
    if (former.isFree, former.freeSince) != (memory.isFree, memory.freeSince) {
      facts.append(.freePlay(state.freePlay))
    }
    return facts
  }

  /// Whether requests take nothing; nil: as the settings say. Money is not given away by what counted before a power cut.
  var isFree: Bool? { isKnown ? memory.isFree : nil }

  mutating func setPlaylistDue(_ isDue: Bool) { isPlaylistDue = isDue }

  /// What is to be saved: a playlist that waits was not done, and a start after a power cut makes up for it.
  var toSave: TimetableMemory? {
    var memory = memory
    if isPlaylistDue { memory.playlistSince = nil }
    return memory.isEmpty ? nil : memory
  }

  /// A start or a stop, once. Returns false where it was done before a restart.
  mutating func note(_ moment: TimetableMoment, isStart: Bool) -> Bool {
    let former = isStart ? memory.started : memory.stopped
    if isStart { memory.started = moment.second } else { memory.stopped = moment.second }
    return former != moment.second
  }
}
