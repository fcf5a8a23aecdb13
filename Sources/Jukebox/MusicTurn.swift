import AudioSession

/// What has become of the music.
enum MusicFact {
  /// Somebody wants music: the session is to be asked for it. `reopens`: what output is lost is to be tried again.
  case wanted(reopens: Bool)
  /// It has come to its end by itself.
  case ended
  case command(AudioCommand)
  case count(Counted)
  /// The folders of music are to be listed.
  case list
  /// What sounds, pauses and stops; `track`: its number.
  case playback(PlaybackLine, track: String?, frame: Int)
  case trackStarted(TrackHeading, TrackTags?, frame: Int)
  case trackEnded(TrackHeading)
  /// Somebody has chosen this track, which is to wait its turn (J1).
  case requested(TrackID)
  /// It waits, at this place.
  case requestQueued(TrackHeading, place: Int)
  case requestStarted(TrackHeading, isPaid: Bool)
  case requestEnded(Request, RequestEnding)
  case trackFailed(TrackHeading, reason: String, frame: Int?)
  /// With a reason where there was nothing to hear.
  case queueEnded(EmptyQueueReason?)
  case queueMoved(MoveReason, from: String?, to: TrackHeading?, frame: Int)
  case moved(track: String?, from: Int, frame: Int)
  case playlistChanged(String?, from: String?, tracks: Int, track: String?, frame: Int)
  case choiceFailed(FailedChoice)
  /// The port was unplugged, and somebody has to say whether it goes on here.
  case promptShown(Port)
  case promptAnswered(PromptAnswer)
  case storageLost(StorageFault, file: String)
  case storageRestored(file: String?, frame: Int)
  case libraryChanged(Library.Difference, tracks: Int)
  case libraryEmpty
  case folderMissing(LibraryReport.Missing)
  case folderFound(String)
}

/// One thing that is done with the music: when, and what has become of it, in order.
struct MusicTurn {
  let now: Instant
  private(set) var facts: [MusicFact] = []

  init(now: Instant) { self.now = now }

  mutating func append(_ fact: MusicFact) { facts.append(fact) }
}
