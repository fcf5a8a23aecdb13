/// How names and paths of files and folders are compared, wherever they are: tracks, playlists, cues, counts, places.
///
/// To the disk, names that look the same may be two: one of a Mac writes "é" as two characters. `String` takes them for
/// one. So a name that comes from the disk, or was kept of it, is compared byte by byte; what somebody types means the
/// name of the same bytes, and where there is none the one that looks the same (canonical equivalence).
public struct FileName: Hashable, Sendable, ExpressibleByStringLiteral {
  public let text: String

  public init(_ text: String) { self.text = text }

  public init(stringLiteral text: String) { self.init(text) }

  public static func == (left: FileName, right: FileName) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

  public func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    // No name is the beginning of another.
    hasher.combine(UInt8.max)
  }

  /// The one of `names` that is meant by what somebody typed.
  public static func meant(by typed: String, of names: [String]) -> String? {
    index(meantBy: typed, of: names).map { names[$0] }
  }

  /// Where it stands among them.
  public static func index(meantBy typed: String, of names: [String]) -> Int? {
    names.firstIndex { FileName($0) == FileName(typed) } ?? names.firstIndex { $0 == typed }
  }
}

/// A text, or none, that `FileName` compares.
public protocol FileText: Sendable {
  var fileName: FileName? { get }
}

extension String: FileText {
  public var fileName: FileName? { FileName(self) }
}

extension String?: FileText {
  public var fileName: FileName? { map { FileName($0) } }
}

/// A property that is the name of a file or folder, or the path of one: what has it is compared by its bytes.
@propertyWrapper
public struct NameOfFile<Text: FileText>: Hashable, Sendable {
  public var wrappedValue: Text

  public init(wrappedValue: Text) { self.wrappedValue = wrappedValue }

  public static func == (left: NameOfFile, right: NameOfFile) -> Bool {
    left.wrappedValue.fileName == right.wrappedValue.fileName
  }

  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue.fileName) }
}
