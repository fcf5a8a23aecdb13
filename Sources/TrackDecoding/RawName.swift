import Glibc

/// Names of files as text. To the kernel a name is bytes; most are UTF-8, but a stick from an old machine may have
/// others. In the text, each byte that is not UTF-8 is replaced by a private scalar of its own, so that the text still
/// opens the file. Whoever shows a name passes it through `shown`.
public enum RawName {
  private static let scalars: ClosedRange<UInt32> = 0x10_FE80...0x10_FEFF
  /// The first byte in UTF-8 of all of `scalars`.
  private static let lead: UInt8 = 0xF4

  /// The text for a name or path. No two names have the same text; `bytes(of:)` reverses it.
  static func text(_ bytes: [UInt8]) -> String {
    if !bytes.contains(lead), let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = ""
    var rest = bytes[...]
    while let first = rest.first {
      let length = length(from: first)
      let good = String(validating: rest.prefix(length), as: UTF8.self)
      if let good, !good.unicodeScalars.contains(where: isByte) {
        text += good
        rest = rest.dropFirst(length)
      } else {
        if let scalar = Unicode.Scalar(scalars.lowerBound - 0x80 + UInt32(first)) { text.unicodeScalars.append(scalar) }
        rest = rest.dropFirst()
      }
    }
    return text
  }

  static func bytes(of text: String) -> [UInt8] {
    guard text.utf8.contains(lead) else { return Array(text.utf8) }
    return text.unicodeScalars.reduce(into: []) { bytes, scalar in
      if isByte(scalar) { bytes.append(byte(scalar)) } else { bytes += Array(String(scalar).utf8) }
    }
  }

  /// Calls `body` with the bytes of the path, for a call of the kernel.
  static func withPath<Result>(_ text: String, _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    let path = bytes(of: text).map(CChar.init(bitPattern:)) + [0]
    return path.withUnsafeBufferPointer { buffer in buffer.baseAddress.map(body) ?? body("") }
  }

  /// The name to print: a byte that is not UTF-8 becomes `\xe9` or the like.
  public static func shown(_ text: String) -> String {
    guard text.utf8.contains(lead) else { return text }
    return text.unicodeScalars.reduce(into: "") { shown, scalar in
      if isByte(scalar) {
        shown += "\\x" + String(byte(scalar), radix: 16)
      } else {
        shown.unicodeScalars.append(scalar)
      }
    }
  }

  private static func isByte(_ scalar: Unicode.Scalar) -> Bool { scalars.contains(scalar.value) }

  private static func byte(_ scalar: Unicode.Scalar) -> UInt8 { UInt8(truncatingIfNeeded: scalar.value) }

  /// The length of the UTF-8 character whose first byte is `first`.
  private static func length(from first: UInt8) -> Int {
    switch first {
    case 0xC0..<0xE0: 2
    case 0xE0..<0xF0: 3
    case 0xF0...: 4
    default: 1
    }
  }
}
