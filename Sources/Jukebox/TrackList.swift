/// Tracks in order. What they are called stands in one piece of memory: a library may have a hundred thousand, and takes
/// 20 bytes for each beside its name.
public struct TrackList: RandomAccessCollection, Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The names, one behind the other, in UTF-8.
  private var text: [UInt8] = []
  /// Where each name ends.
  private var ends: [Int] = []
  private var versions: [Int] = []
  /// The place of each track's folder in `folders`.
  private var places: [UInt32] = []
  private var folders: [String] = []
  /// What is opened for a track, where that is another path than its folder and its name, by its index.
  private var paths: [Int: String] = [:]

  public init() {}

  public init(arrayLiteral elements: Track...) { self.init(elements) }

  public init(_ tracks: some Sequence<Track>) {
    if let list = tracks as? TrackList {
      self = list
    } else {
      for track in tracks { append(track) }
    }
  }

  public mutating func append(_ track: Track) {
    if track.path != Self.path(of: track.name, in: track.folder) { paths[count] = track.path }
    append(name: track.name, version: track.version, folder: track.folder)
  }

  /// Appends a track that is opened as its folder and its name say.
  public mutating func append(name: String, version: Int, folder: String) {
    text += name.utf8
    if folders.last != folder { folders.append(folder) }
    ends.append(text.count)
    versions.append(version)
    places.append(UInt32(truncatingIfNeeded: folders.count - 1))
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { ends.count }

  public subscript(index: Int) -> Track {
    let (name, folder) = (name(at: index), folders[Int(places[index])])
    let path = paths.isEmpty ? nil : paths[index]
    return Track(path: path ?? Self.path(of: name, in: folder), name: name, version: versions[index], folder: folder)
  }

  public func name(at index: Int) -> String { String(decoding: nameBytes(at: index), as: UTF8.self) }

  /// The name, byte by byte.
  public func nameBytes(at index: Int) -> ArraySlice<UInt8> { text[(index == 0 ? 0 : ends[index - 1])..<ends[index]] }

  /// The index of the first track of this name. Byte by byte: to the disk, names that look the same may be two.
  public func index(named name: String) -> Int? {
    let wanted = Array(name.utf8)
    return indices.first { nameBytes(at: $0).elementsEqual(wanted) }
  }

  private static func path(of name: String, in folder: String) -> String {
    folder.isEmpty ? name : folder.utf8.last == UInt8(ascii: "/") ? folder + name : "\(folder)/\(name)"
  }
}
