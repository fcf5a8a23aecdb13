import CDecoders

/// Title, artist and album of a file, each of at most `mostBytes`. Control characters stay as they are: whoever prints
/// them escapes them.
struct FileTags: Equatable {
  /// The longest text of a file, in bytes of UTF-8; what is longer is cut.
  static let mostBytes = 1024

  var title: String?
  var artist: String?
  var album: String?
}

extension FileTags {
  /// ID3v2 where it has the text, else ID3v1.
  init(_ handle: borrowing MPEGHandle) {
    (title, artist, album) = handle.withTags { first, second in
      (
        Self.text(second?.title) ?? Self.text(first?.title),
        Self.text(second?.artist) ?? Self.text(first?.artist),
        Self.text(second?.album) ?? Self.text(first?.album)
      )
    }
  }

  private static func text(_ string: UnsafeMutablePointer<mpg123_string>?) -> String? {
    string.flatMap { text($0.pointee) }
  }

  /// A text of ID3v2 as it is in the file, with its encoding first.
  static func text(_ string: mpg123_string) -> String? {
    guard let bytes = string.p else { return nil }
    return joined(ID3Text.values(UnsafeRawBufferPointer(start: bytes, count: Int(string.fill))))
  }

  private static func text(_ field: FixedText?) -> String? {
    guard let field else { return nil }
    return text(withUnsafeBytes(of: field) { Array($0.prefix { $0 != 0 }) })
  }

  /// ID3v1 and RIFF name no encoding: the bytes are read as UTF-8 where that is valid, else as Latin-1.
  static func text(_ bytes: some BidirectionalCollection<UInt8>) -> String? {
    let bytes = cut(bytes)
    let latin = String(String.UnicodeScalarView(bytes.map(Unicode.Scalar.init)))
    return joined([String(validating: bytes, as: UTF8.self) ?? latin])
  }

  /// One text for several values; ID3v2.4 separates several artists by NUL.
  static func joined(_ values: [String]) -> String? {
    let kept = values.map(trimmed).filter { !$0.isEmpty }
    return kept.isEmpty ? nil : String(decoding: cut(kept.joined(separator: " / ").utf8), as: UTF8.self)
  }

  /// The first `mostBytes`, without the bytes of a character of UTF-8 that is not whole.
  private static func cut<Bytes: BidirectionalCollection<UInt8>>(_ bytes: Bytes) -> Bytes.SubSequence {
    var kept = bytes.prefix(mostBytes)
    guard kept.endIndex != bytes.endIndex else { return kept }
    while kept.endIndex > kept.startIndex, bytes[kept.endIndex] & 0xc0 == 0x80 { kept.removeLast() }
    return kept
  }

  private static func trimmed(_ value: String) -> String {
    var text = value[...]
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  private typealias FixedText = (
    CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar,
    CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar, CChar
  )
}
