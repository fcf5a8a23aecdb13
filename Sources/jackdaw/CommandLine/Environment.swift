import Glibc

/// Environment variables.
enum Environment {
  /// A variable's value; nil where it is not set, or empty.
  static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
