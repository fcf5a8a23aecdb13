import Glibc

/// Environment variables.
enum Environment {
  /// A variable's value; nil where it is not set, or empty.
  static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }

  /// Whether the locale says that what is printed is UTF-8.
  static var isUTF8: Bool {
    for name in ["LC_ALL", "LC_CTYPE", "LANG"] {
      guard let locale = variable(name)?.lowercased() else { continue }
      return locale.hasSuffix("utf-8") || locale.hasSuffix("utf8")
    }
    return false
  }
}
