import AudioSession

/// How somebody names one track: a button of the board, the console, a scenario.
public enum TrackName: Hashable, Sendable {
  /// The library's number, from 1, as the log has it.
  case number(Int)
  /// The name in the log (the path below its music folder), or the file's name, each with or without its ending.
  case file(String)

  /// What somebody typed: digits are a number.
  public init(_ text: String) {
    self = (text.isDigits ? Int(text) : nil).map { .number($0) } ?? .file(text)
  }

  public var text: String {
    switch self {
    case .number(let number): String(number)
    case .file(let name): name
    }
  }

  /// The index of the track that is meant. Throws where there is none, or several.
  public func find(in library: some Sequence<Track>) throws(NotFound) -> Int {
    let list = TrackList(library)
    return try find(list.count, name: list.nameBytes)
  }

  /// The same among `count` tracks of these names, in UTF-8.
  func find(_ count: Int, name bytes: (Int) -> ArraySlice<UInt8>) throws(NotFound) -> Int {
    switch self {
    case .number(let number):
      guard number > 0, number <= count else { throw NotFound.number(number, count: count) }
      return number - 1
    case .file(let name):
      let wanted = Array(name.utf8)
      if let exact = (0..<count).first(where: { bytes($0).elementsEqual(wanted) }) { return exact }
      var called = (0..<count).filter { Self.isCalled(bytes($0), wanted) }
      if called.isEmpty { called = (0..<count).filter { Self.looksCalled(bytes($0), name) } }
      guard let first = called.first else { throw NotFound.file(name) }
      if called.count > 1 {
        throw NotFound.several(name, called.prefix(2).map { String(decoding: bytes($0), as: UTF8.self) })
      }
      return first
    }
  }

  /// Whether a track of this name and number in its playlist is meant, where several may be.
  func means(_ track: String, number: Int?) -> Bool {
    switch self {
    case .number(let wanted): return wanted == number
    case .file(let name):
      let bytes = Array(track.utf8)[...]
      return Self.isCalled(bytes, Array(name.utf8)) || Self.looksCalled(bytes, name)
    }
  }

  /// Whether a path, or its last part, is this name, with or without an ending. Byte by byte.
  private static func isCalled(_ path: ArraySlice<UInt8>, _ name: [UInt8]) -> Bool {
    isNamed(path, name) || isNamed(file(of: path), name)
  }

  private static func isNamed(_ file: ArraySlice<UInt8>, _ name: [UInt8]) -> Bool {
    guard file.starts(with: name) else { return false }
    let rest = file.dropFirst(name.count)
    return rest.isEmpty || rest.first == dot && !rest.dropFirst().contains { $0 == dot || $0 == slash }
  }

  /// The same by what the names look like: a Mac writes "é" as two characters.
  private static func looksCalled(_ path: ArraySlice<UInt8>, _ name: String) -> Bool {
    // Names of plain letters look like no other.
    guard path.contains(where: { $0 >= 0x80 }) else { return false }
    return [path, file(of: path)].contains { part in
      let stem = file(of: part).lastIndex(of: dot).map { part[..<$0] } ?? part
      return String(decoding: part, as: UTF8.self) == name || String(decoding: stem, as: UTF8.self) == name
    }
  }

  private static let slash = UInt8(ascii: "/")
  private static let dot = UInt8(ascii: ".")

  private static func file(of path: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    path[(path.lastIndex(of: slash).map(path.index(after:)) ?? path.startIndex)...]
  }

  /// Why no track is meant.
  public enum NotFound: Error, Hashable {
    case number(Int, count: Int)
    case file(String)
    /// Several are called so; the first two.
    case several(String, [String])

    public var message: String {
      switch self {
      case .number(_, 0): "there is no music"
      case .number(let number, let count): "there is no track \(number), expected 1 to \(count)"
      case .file(let name): "no track is called \(name)"
      case .several(let name, let tracks):
        "several tracks are called \(name), expected one with its folder, as \(tracks.joined(separator: " or "))"
      }
    }
  }
}
