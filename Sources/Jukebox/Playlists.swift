import AudioSession

/// The playlists: the first-level folders of the music (T4).
struct Playlists: Hashable, Sendable {
  /// The number of playlists whose place is kept; the one that was left longest ago is forgotten first.
  private static let mostPlaces = 64

  /// The one that is played; nil: all the music.
  private(set) var current: String?
  /// Ids of its tracks, in the order without shuffle; nil: all the music.
  private(set) var ids: [TrackID]?
  /// Where somebody left a playlist, the last one at the end.
  private(set) var places: [PlaylistPlace]

  init(places: [PlaylistPlace] = []) { self.places = Array(places.suffix(Self.mostPlaces)) }

  mutating func play(_ playlist: String?, of library: Library) {
    current = playlist
    ids = playlist.map { library.ids(in: $0) }
  }

  /// The music is another.
  mutating func take(_ library: Library) { play(current, of: library) }

  func isCurrent(_ playlist: String?) -> Bool { current.fileName == playlist.fileName }

  func place(of playlist: String) -> PlaylistPlace? { places.last { FileName($0.playlist) == FileName(playlist) } }

  mutating func remember(_ place: PlaylistPlace) {
    places.removeAll { FileName($0.playlist) == FileName(place.playlist) }
    places.append(place)
    if places.count > Self.mostPlaces { places.removeFirst() }
  }
}

/// Where somebody left a playlist.
public struct PlaylistPlace: Hashable, Sendable {
  @NameOfFile public var playlist: String
  /// The track's name in the library.
  @NameOfFile public var track: String
  /// In frames at the board's rate.
  public var frame: Int

  public init(playlist: String, track: String, frame: Int) {
    self.playlist = playlist
    self.track = track
    self.frame = frame
  }
}

extension Library {
  /// Ids of a playlist's tracks, in the order of play without shuffle; of all tracks for nil.
  public func ids(in playlist: String?) -> [TrackID] {
    guard let playlist else { return ids }
    let beginning = Array("\(playlist)/".utf8)
    return playlist.isEmpty
      ? [] : tracks.indices.filter { tracks.name(at: $0, startsWith: beginning) }.map(id(at:))
  }

  /// The playlist that somebody means by a name; nil: there is none.
  func playlist(called name: String) -> String? { FileName.meant(by: name, of: playlists) }

  /// The names of all playlists, in the order of their first tracks.
  static func playlists(of tracks: TrackList) -> [String] {
    var (names, known): ([String], Set<FileName>) = ([], [])
    // With its slash.
    var last: [UInt8] = []
    for index in tracks.indices where last.isEmpty || !tracks.name(at: index, startsWith: last) {
      let name = tracks.nameBytes(at: index)
      guard let end = name.firstIndex(of: UInt8(ascii: "/")), end > name.startIndex else { continue }
      last = Array(name[...end])
      let playlist = String(decoding: name[..<end], as: UTF8.self)
      if known.insert(FileName(playlist)).inserted { names.append(playlist) }
    }
    return names
  }

  /// The number of each track in its playlist, from 1, by which buttons, tokens and the console name it while that is
  /// played; nil for one that lies in no folder.
  public var playlistNumbers: [(playlist: String, number: Int)?] {
    var counts: [FileName: Int] = [:]
    return tracks.map { track in
      guard let playlist = Self.playlist(of: track.name), !playlist.isEmpty else { return nil }
      let number = counts[FileName(playlist), default: 0] + 1
      counts[FileName(playlist)] = number
      return (playlist, number)
    }
  }

  /// The playlist of a track; nil for one that lies in no folder.
  public static func playlist(of track: String) -> String? {
    track.utf8.firstIndex(of: UInt8(ascii: "/")).map { String(track[..<$0]) }
  }
}
