import AudioSession
import Jukebox
import Threads

/// The music folders as they were listed last. A start that has it need not read every folder before the first sample; it
/// lists them afterwards to see what has changed.
package struct KeptListing: Hashable, Sendable {
  package struct Folder: Hashable, Sendable {
    /// The folder's path as the settings name it.
    @NameOfFile package var path: String
    /// The folder itself, not what lies in it: its inode number and when it was changed last, nanoseconds since 1970.
    package var number: Int
    package var modified: Int
    /// The tracks in the order of play; their versions show whether they have changed.
    package var tracks = TrackList()
    package var unplayed: [Unplayed] = []

    package init(path: String, number: Int, modified: Int) {
      self.path = path
      (self.number, self.modified) = (number, modified)
    }
  }

  /// Music of a format that is not played.
  package struct Unplayed: Hashable, Sendable {
    /// Below the folder, as it is shown.
    @NameOfFile package var name: String
    package var reason: String

    package init(name: String, reason: String) {
      self.name = name
      self.reason = reason
    }
  }

  package var folders: [Folder]

  package init(_ folders: [Folder] = []) { self.folders = folders }
}

/// Keeps the listing in the database. One thread at a time; every call blocks as long as the storage does.
package final class ListingStore: @unchecked Sendable {
  /// A row for each folder, and not for each track, of which a start would read ten thousand. `names` has all of them, one
  /// behind the other, and `ends` and `versions` eight bytes for each, the least significant one first.
  static let schema = """
    CREATE TABLE folders (place INTEGER PRIMARY KEY, path TEXT NOT NULL, number INTEGER NOT NULL,
      modified INTEGER NOT NULL, names BLOB NOT NULL, ends BLOB NOT NULL, versions BLOB NOT NULL);
    CREATE TABLE paths (folder INTEGER NOT NULL, track INTEGER NOT NULL, path TEXT NOT NULL);
    CREATE TABLE unplayed (folder INTEGER NOT NULL, name TEXT NOT NULL, reason TEXT NOT NULL);
    """

  private let database: KeptDatabase
  /// The hash of what is kept; nil: nothing that can be read.
  private let kept = Locked<Int?>(nil)

  package init(_ database: KeptDatabase) {
    self.database = database
    // The next listing is written into it, also where nothing has changed.
    database.whenNew { [kept] _ in kept.withLock { $0 = nil } }
  }

  /// Returns nil where there is none: then all is listed.
  package func read() throws(DatabaseError) -> KeptListing? {
    let listing = try database.use(Self.read)
    if listing.folders.isEmpty { return nil }
    let hash = listing.hashValue
    kept.withLock { $0 = hash }
    return listing
  }

  /// Writes it, unless it is kept already. A storage that takes nothing does no harm: the next start only takes longer.
  package func write(_ listing: KeptListing) {
    let hash = listing.hashValue
    guard kept.withLock({ $0 }) != hash else { return }
    kept.withLock { $0 = nil }
    try? database.use { (connection) throws(DatabaseError) in
      try Self.write(listing, connection)
      kept.withLock { $0 = hash }
    }
  }

  // MARK: - Rows

  private static func read(_ connection: DatabaseConnection) throws(DatabaseError) -> KeptListing {
    var paths: [Int: [Int: String]] = [:]
    try connection.run("SELECT folder, track, path FROM paths") { row in
      paths[row.integer(0), default: [:]][row.integer(1)] = row.text(2)
    }
    var listing = KeptListing()
    try connection.run("SELECT path, number, modified, names, ends, versions, place FROM folders ORDER BY place") {
      row in
      var folder = KeptListing.Folder(path: row.text(0), number: row.integer(1), modified: row.integer(2))
      let tracks = TrackList(
        text: row.bytes(3), ends: numbers(row.bytes(4)), versions: numbers(row.bytes(5)), folder: folder.path,
        paths: paths[row.integer(6)] ?? [:])
      guard let tracks else { return }
      folder.tracks = tracks
      listing.folders.append(folder)
    }
    try connection.run("SELECT folder, name, reason FROM unplayed ORDER BY rowid") { row in
      guard listing.folders.indices.contains(row.integer(0)) else { return }
      listing.folders[row.integer(0)].unplayed.append(KeptListing.Unplayed(name: row.text(1), reason: row.text(2)))
    }
    return listing
  }

  private static func write(_ listing: KeptListing, _ connection: DatabaseConnection) throws(DatabaseError) {
    try connection.transaction { () throws(DatabaseError) in
      try connection.execute("DELETE FROM folders; DELETE FROM paths; DELETE FROM unplayed")
      for (place, folder) in listing.folders.enumerated() { try write(folder, place, connection) }
    }
  }

  private static func write(
    _ folder: KeptListing.Folder, _ place: Int, _ connection: DatabaseConnection
  ) throws(DatabaseError) {
    let tracks = folder.tracks
    var (names, ends): ([UInt8], [Int]) = ([], [])
    for index in tracks.indices {
      names += tracks.nameBytes(at: index)
      ends.append(names.count)
    }
    try connection.run(
      "INSERT INTO folders VALUES (?, ?, ?, ?, ?, ?, ?)",
      [
        .integer(place), .text(folder.path), .integer(folder.number), .integer(folder.modified), .bytes(names),
        .bytes(bytes(ends)), .bytes(bytes(tracks.indices.map { tracks.version(at: $0) })),
      ])
    for (track, path) in tracks.paths {
      try connection.run("INSERT INTO paths VALUES (?, ?, ?)", [.integer(place), .integer(track), .text(path)])
    }
    for file in folder.unplayed {
      try connection.run(
        "INSERT INTO unplayed VALUES (?, ?, ?)", [.integer(place), .text(file.name), .text(file.reason)])
    }
  }

  private static func bytes(_ numbers: [Int]) -> [UInt8] {
    numbers.map { $0.littleEndian }.withUnsafeBytes { Array($0) }
  }

  private static func numbers(_ bytes: [UInt8]) -> [Int] {
    bytes.withUnsafeBytes { bytes in
      (0..<bytes.count / 8).map { Int(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * $0, as: Int.self)) }
    }
  }
}
