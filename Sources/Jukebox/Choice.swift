import AudioSession

/// What somebody may ask for by a button, or by a token, which a reader types.
public enum Choice: Hashable, Sendable {
  case track(TrackName)
  case playlist(String)
  /// The track that is heard most, or the next after it (J7).
  case popular(Int)
  /// A cue, by its name.
  case cue(String)
  /// Opens or closes the kiosk.
  case hours(HoursOrder)

  /// In the settings and in the log.
  public var word: String {
    switch self {
    case .track: "track"
    case .playlist: "playlist"
    case .popular: "popular"
    case .cue: "cue"
    case .hours: "hours"
    }
  }

  public var name: String {
    switch self {
    case .hours(let order): order.rawValue
    case .track(let name): name.text
    case .popular(let place): String(place)
    case .playlist(let name), .cue(let name): name
    }
  }

  /// Whose sound it asks for; nil: nobody's.
  var client: ClientName? {
    switch self {
    case .track, .playlist, .popular: .music
    case .cue: .cue
    case .hours: nil
    }
  }

  var isMusic: Bool { client == .music }

  var whenClosed: WhenClosed { client == nil ? .obeyed : .refused }
}
