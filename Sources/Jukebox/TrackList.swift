import AudioSession

/// Tracks in order. Their names are in one piece of memory: a library may have a hundred thousand, and takes
/// 20 bytes for each beside its name.
public struct TrackList: RandomAccessCollection, Hashable, Sendable, ExpressibleByArrayLiteral {
  /// The names, one after the other, in UTF-8.
  private var text: [UInt8] = []
  /// Where each name ends.
  private var ends: [Int] = []
  private var versions: [Int] = []
  /// The place of each track's folder in `folders`.
  private var places: [UInt32] = []
  private var folders: [FileName] = []
  /// What is opened for a track, where that is another path than its folder and its name, by its index.
  package var paths: [Int: String] { otherPaths.mapValues(\.text) }
  private var otherPaths: [Int: FileName] = [:]

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
    let usual = Self.path(of: track.name, in: track.folder)
    if FileName(track.path) != FileName(usual) { otherPaths[count] = FileName(track.path) }
    append(name: track.name, version: track.version, folder: track.folder)
  }

  /// Tracks of one folder, as `text`, `ends` and `versions` have them; `paths` are those of tracks that are not opened as
  /// the folder and their names say. nil where they do not fit together.
  package init?(text: [UInt8], ends: [Int], versions: [Int], folder: String, paths: [Int: String]) {
    guard ends.count == versions.count, ends.last ?? 0 == text.count, paths.keys.allSatisfy(ends.indices.contains)
    else { return nil }
    var start = 0
    for end in ends {
      guard start <= end else { return nil }
      start = end
    }
    (self.text, self.ends, self.versions) = (text, ends, versions)
    otherPaths = paths.mapValues { FileName($0) }
    if !ends.isEmpty { folders = [FileName(folder)] }
    places = Array(repeating: 0, count: ends.count)
  }

  public mutating func append(contentsOf other: TrackList) {
    if isEmpty { return self = other }
    let (bytes, tracks) = (text.count, count)
    let shared = folders.last == other.folders.first ? 1 : 0
    let moved = UInt32(truncatingIfNeeded: folders.count - shared)
    text += other.text
    ends += other.ends.lazy.map { $0 + bytes }
    versions += other.versions
    places += other.places.lazy.map { $0 + moved }
    folders += other.folders.dropFirst(shared)
    for (index, path) in other.otherPaths { otherPaths[tracks + index] = path }
  }

  /// Appends a track that is opened as its folder and its name say.
  public mutating func append(name: String, version: Int, folder: String) {
    text += name.utf8
    if folders.last != FileName(folder) { folders.append(FileName(folder)) }
    ends.append(text.count)
    versions.append(version)
    places.append(UInt32(truncatingIfNeeded: folders.count - 1))
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { ends.count }

  public subscript(index: Int) -> Track {
    let (name, folder) = (name(at: index), folders[Int(places[index])].text)
    let path = otherPaths.isEmpty ? nil : otherPaths[index]?.text
    return Track(path: path ?? Self.path(of: name, in: folder), name: name, version: versions[index], folder: folder)
  }

  package func version(at index: Int) -> Int { versions[index] }

  public func name(at index: Int) -> String { String(decoding: nameBytes(at: index), as: UTF8.self) }

  /// The name, byte by byte.
  public func nameBytes(at index: Int) -> ArraySlice<UInt8> { text[place(of: index)] }

  /// Whether the name begins with these bytes.
  func name(at index: Int, startsWith beginning: [UInt8]) -> Bool {
    let place = place(of: index)
    guard place.count >= beginning.count else { return false }
    // A start asks this of every track, and slices and closures take several times as long.
    return text.withUnsafeBufferPointer { text in
      var (next, at) = (0, place.lowerBound)
      while next < beginning.count, text[at] == beginning[next] { (next, at) = (next &+ 1, at &+ 1) }
      return next == beginning.count
    }
  }

  /// The index of the first track of this name. Byte by byte: to the disk, names that look the same may be two.
  public func index(named name: String) -> Int? {
    let wanted = Array(name.utf8)
    return indices.first { place(of: $0).count == wanted.count && self.name(at: $0, startsWith: wanted) }
  }

  private func place(of index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

  private static func path(of name: String, in folder: String) -> String {
    folder.isEmpty ? name : folder.utf8.last == UInt8(ascii: "/") ? folder + name : "\(folder)/\(name)"
  }
}
