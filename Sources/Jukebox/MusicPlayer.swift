import AudioSession

/// The music: which of it is wanted, what holds it back, where in it the listener is, and what the decoder was sent.
///
/// A value that knows nothing of ports, sessions and cues. Its callers, which do, tell it what holds the music and what
/// ends; it returns what has become of the music, in order, in a `MusicTurn`.
struct MusicPlayer: Hashable, Sendable {
  /// What the settings say of it.
  struct Options: Hashable, Sendable {
    /// Frames a second.
    var rate: Int
    var repeats: Settings.Repeat
    var afterTrack: Settings.AfterTrack
    var again: Settings.Again
    var playlistStart: Settings.PlaylistStart
    /// What follows the last request; nil: a chosen track does not wait its turn.
    var afterRequests: RequestSettings.After?

    init(_ configuration: Configuration) {
      let settings = configuration.settings
      rate = configuration.rate
      (repeats, afterTrack) = (settings.repeats, settings.afterTrack)
      (again, playlistStart) = (settings.again, settings.playlistStart)
      afterRequests = settings.requests?.after
    }
  }

  let options: Options
  var library: Library
  var transport = Transport()
  var queue: Queue
  var playlists = Playlists()
  var changes = MusicChanges()
  var stream = Stream()
  var playhead = Playhead()
  /// The last commands to the engine about the music.
  var engine = CommandedEngine()
  var log = PlaybackLog()
  var listening = Listening()
  var picks = FolderPicks()
  var requests = Requests()
  /// The stopped queue behind the track that plays by itself in a silent room; nil: none does.
  var attraction: PlaceBehind?

  init(_ options: Options, _ library: Library) {
    self.options = options
    self.library = library
    queue = Queue(library.ids, repeats: options.repeats, afterChosen: options.afterTrack, shuffle: nil)
  }

  // MARK: - Where the listener is

  /// The frame heard at `now`.
  func frame(at now: Instant) -> Int { playhead.frame(at: now, rate: options.rate) }

  /// A hold that begins at an instant.
  func hold(since instant: Instant) -> Hold { Hold(since: instant, frame: frame(at: instant)) }

  /// What sounds fades out at one port and in at another (R5.1).
  mutating func fade(at now: Instant) { playhead.fade(at: now, rate: options.rate) }

  /// The board slept for this long.
  mutating func sleep(for pause: Duration) { playhead.skip(pause) }

  /// Music is wanted, and nothing holds it back.
  var wantsSound: Bool { transport.isAudible && !queue.isEmpty }

  /// A frame of what sounds was heard, and it is not about to be silenced.
  var soundsOn: Bool { wantsSound && engine.isSounding && stream.hasBegun }

  // MARK: - Names

  /// The number of a track in the playlist, from 1; nil: it is gone, or of another playlist.
  func number(of track: TrackID) -> String? { index(of: track).map { String($0 + 1) } }

  func name(of track: TrackID) -> String { (library[track] ?? changes.departed[track])?.name ?? "" }

  /// As the log names it.
  func heading(of track: TrackID) -> TrackHeading { TrackHeading(number: number(of: track), file: name(of: track)) }
}

/// How the log names a track.
struct TrackHeading: Hashable, Sendable {
  /// In its playlist, from 1; nil: it is gone, or of another playlist.
  var number: String?
  @NameOfFile var file: String
}
