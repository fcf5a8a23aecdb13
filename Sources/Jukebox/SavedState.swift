import AudioSession

/// What survives a power cut.
public struct SavedState: Hashable, Sendable {
  /// What the console has made of the route.
  public enum Override: Hashable, Sendable {
    /// The best port, although the settings force one.
    case auto
    case port(Port)

    public var word: String {
      switch self {
      case .auto: "auto"
      case .port(let port): port.rawValue
      }
    }
  }

  public var volumes: [Port: Int]
  /// Name of the current track in the library, and the frame in it.
  @NameOfFile public var track: String?
  public var frame: Int
  /// Somebody has asked for that track by itself (T3).
  public var isChosen: Bool
  /// The playlist; nil: all the music.
  @NameOfFile public var playlist: String?
  /// Where others were left, the last one at the end.
  public var places: [PlaylistPlace]
  public var intent: Intent
  /// The port that was the route.
  public var port: Port?
  /// What gave the order of a shuffled queue; nil: the next power on may shuffle again.
  public var seed: UInt64?
  /// nil: as the settings say.
  public var override: Override?
  /// The music's, from the console; nil: as the settings say.
  public var category: SessionCategory?
  /// How long sound was played in all, in whole seconds.
  public var played: Int
  /// Cues of a time of day that are not spoken again on a date (N6).
  public var doneCues: [DoneCue]
  /// The files that contacts have played one by one, the last one at the end (O4).
  public var picks: [FolderPick]
  /// nil: there were no opening hours.
  public var hours: HoursMemory?
  /// nil: there was no timetable.
  public var timetable: TimetableMemory?
  /// The request that plays, while `track` and `frame` are those of the queue behind it (J5); nil: none does.
  public var request: RequestPlace?

  public init(
    volumes: [Port: Int], track: String?, frame: Int, intent: Intent, port: Port?, seed: UInt64? = nil,
    override: Override? = nil, category: SessionCategory? = nil, played: Int = 0, isChosen: Bool = false,
    playlist: String? = nil, places: [PlaylistPlace] = [], doneCues: [DoneCue] = [],
    picks: [FolderPick] = [], hours: HoursMemory? = nil, timetable: TimetableMemory? = nil,
    request: RequestPlace? = nil
  ) {
    self.volumes = volumes
    self.track = track
    self.frame = frame
    self.intent = intent
    self.port = port
    self.seed = seed
    self.override = override
    self.category = category
    self.played = played
    self.isChosen = isChosen
    self.playlist = playlist
    self.places = places
    self.doneCues = doneCues
    self.picks = picks
    self.hours = hours
    self.timetable = timetable
    self.request = request
  }
}
