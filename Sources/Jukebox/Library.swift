import AudioSession

/// A track as the brain knows it.
public struct Track: Hashable, Sendable {
  /// What to open.
  @NameOfFile public var path: String
  /// What to call it in the log: the path below its music folder.
  @NameOfFile public var name: String
  /// Another one where the file was replaced: its content may be other than before.
  public var version: Int
  /// The folder of music that it lies in: each may be on a storage of its own.
  @NameOfFile public var folder: String

  public init(path: String, name: String, version: Int = 0, folder: String = "") {
    self.path = path
    self.name = name
    self.version = version
    self.folder = folder
  }
}

/// What commands, reports and positions call a track. It belongs to a name forever: what was said of one library is
/// never taken for another track in the next.
public struct TrackID: Hashable, Sendable, BitwiseCopyable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  public let number: Int

  public init(_ number: Int) { self.number = number }

  public init(integerLiteral number: Int) { self.number = number }

  public var description: String { String(number) }
}

/// The music as it was listed at one moment. Another takes its place when the music has changed (X1).
///
/// Every track has an id.
public struct Library: Hashable, Sendable {
  /// How it differs from the one before.
  public struct Difference: Hashable, Sendable {
    public var added = 0
    public var removed = 0
    public var replaced = 0
  }

  /// In the order of play without shuffle.
  public let tracks: TrackList
  /// The names of all playlists, in the order of their first tracks: found once, because every status has them.
  public let playlists: [String]
  /// The ids of the tracks; nil: each one's id is its index, as in the first library.
  private let givenIDs: [TrackID]?
  /// The tracks' indices, sorted by id; nil as `givenIDs`.
  private let byID: [UInt32]?
  private let nextID: Int
  public let difference: Difference

  /// Ids of tracks that are gone, by name, the next to be given at the end: what comes back is what it was.
  private let departed: [FileName: [TrackID]]
  /// How many names of tracks that are gone are kept.
  private static let mostDeparted = 200_000

  /// The first library: ids are indices.
  public init(_ tracks: some Sequence<Track> = TrackList()) {
    let tracks = TrackList(tracks)
    self.tracks = tracks
    playlists = Self.playlists(of: tracks)
    (givenIDs, byID, nextID, departed, difference) = (nil, nil, tracks.count, [:], Difference())
  }

  /// A first library of tracks that are called as what is opened.
  public init(paths: [String]) { self.init(paths.lazy.map { Track(path: $0, name: $0) }) }

  /// The library that follows `former`. Takes as long as both are large: not for the control thread.
  public init(_ tracks: some Sequence<Track>, after former: Library) {
    let tracks = TrackList(tracks)
    var known = NameTable(former.tracks)
    var (departed, next, difference) = (former.departed, former.nextID, Difference())
    let ids = tracks.indices.map { index in
      if let place = known.take(tracks.nameBytes(at: index)) {
        if former.tracks[place] != tracks[index] { difference.replaced += 1 }
        return former.id(at: place)
      }
      difference.added += 1
      if !departed.isEmpty, let id = departed[FileName(tracks.name(at: index))]?.popLast() { return id }
      next += 1
      return TrackID(next - 1)
    }
    // Two folders may each have a track of one name: the second stays the second.
    let gone = known.rest.reversed()
    for place in gone { departed[FileName(former.tracks.name(at: place)), default: []].append(former.id(at: place)) }
    difference.removed = gone.count
    departed = departed.filter { !$0.value.isEmpty }
    self.tracks = tracks
    playlists = Self.playlists(of: tracks)
    givenIDs = ids
    byID = ids.indices.map { UInt32(truncatingIfNeeded: $0) }.sorted { ids[Int($0)].number < ids[Int($1)].number }
    nextID = next
    self.departed = departed.count > Self.mostDeparted ? [:] : departed
    self.difference = difference
  }

  public var count: Int { tracks.count }
  public var isEmpty: Bool { tracks.isEmpty }
  /// In the order of the tracks.
  public var ids: [TrackID] { givenIDs ?? tracks.indices.map { TrackID($0) } }

  public func id(at index: Int) -> TrackID { givenIDs?[index] ?? TrackID(index) }

  /// The index of the track; nil: it is gone.
  public func index(of id: TrackID) -> Int? {
    guard let givenIDs, let byID else { return tracks.indices.contains(id.number) ? id.number : nil }
    var (low, high) = (0, byID.count)
    while low < high {
      let middle = (low + high) / 2
      if givenIDs[Int(byID[middle])].number < id.number { low = middle + 1 } else { high = middle }
    }
    guard low < byID.count, givenIDs[Int(byID[low])] == id else { return nil }
    return Int(byID[low])
  }

  public subscript(id: TrackID) -> Track? { index(of: id).map { tracks[$0] } }

  /// The id of the track of this name. Byte by byte: to the disk, names that look the same may be two.
  public func id(named name: String) -> TrackID? {
    tracks.index(named: name).map(id(at:))
  }
}

/// What was found when the music folders were listed.
public struct LibraryReport: Hashable, Sendable {
  /// A music folder that is not there, or cannot be read.
  public struct Missing: Hashable, Sendable {
    @NameOfFile public var folder: String
    /// Where the settings name it, as `jackdaw.toml:12`; nil: the command line does.
    public var setting: String?
    /// One clause, e.g. `no such file or folder`.
    public var reason: String

    public init(folder: String, setting: String? = nil, reason: String) {
      self.folder = folder
      self.setting = setting
      self.reason = reason
    }
  }

  public var library: Library
  public var missing: [Missing]
  /// Some of it is as it was listed before power on (X6).
  public var isKept: Bool

  public init(_ library: Library, missing: [Missing] = [], isKept: Bool = false) {
    self.library = library
    self.missing = missing
    self.isKept = isKept
  }
}
