/// Names that are taken for those of sound files. Listing goes by names alone; the content is read on opening.
enum SoundFileName {
  /// Endings, in lower case; `bit` is what the ISO conformance streams of MPEG audio carry.
  static let endings: Set<String> = [
    "mp3", "mp2", "mp1", "mpga", "mpa", "bit", "wav", "wave", "w64", "rf64", "aif", "aiff", "aifc", "caf", "au",
    "flac", "ogg", "oga", "opus",
  ]
  static let refusal = "not a sound file name"

  /// The name without its ending; nil where the ending, in whatever case, is not one of `endings`, or nothing is before
  /// it.
  static func stem(_ name: String) -> String? {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return nil }
    return endings.contains(name[name.index(after: dot)...].lowercased()) ? String(name[..<dot]) : nil
  }
}
