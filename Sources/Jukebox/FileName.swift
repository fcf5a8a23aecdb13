/// How names of files and folders are compared.
///
/// To the disk, names that look the same may be two: one of a Mac writes "é" as two characters. So a name that comes from
/// the disk, or was kept of it, is compared byte by byte; what somebody types means the name of the same bytes, and where
/// there is none the one that looks the same (canonical equivalence).
struct FileName: Hashable, Sendable {
  let text: String

  init(_ text: String) { self.text = text }

  static func == (left: FileName, right: FileName) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

  func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
  }

  /// The one of `names` that is meant by what somebody typed.
  static func meant(by typed: String, of names: [String]) -> String? {
    names.first { FileName($0) == FileName(typed) } ?? names.first { $0 == typed }
  }
}
