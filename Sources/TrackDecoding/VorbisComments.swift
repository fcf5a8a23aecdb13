import CDecoders

/// The tags of FLAC, Ogg Vorbis and Opus, from what their libraries have parsed.
struct VorbisComments {
  /// By name in upper case, in the file's order.
  private(set) var values: [String: [String]] = [:]

  subscript(name: String) -> String? { values[name]?.first }

  /// The names of the tags that are used; all others are skipped.
  private static let wanted: Set<String> = [
    "TITLE", "ARTIST", "ALBUM", "REPLAYGAIN_TRACK_GAIN", "REPLAYGAIN_TRACK_PEAK", "REPLAYGAIN_ALBUM_GAIN",
    "REPLAYGAIN_ALBUM_PEAK", "R128_TRACK_GAIN", "R128_ALBUM_GAIN",
  ]
  private static let longestName = 32
  /// The most values of one name that are kept.
  private static let mostValues = 16

  init(_ comments: vorbis_comment?) {
    guard let comments, let texts = comments.user_comments, let sizes = comments.comment_lengths else { return }
    for index in 0..<Int(comments.comments) { add(texts[index], Int(sizes[index])) }
  }

  init(_ comments: OpusTags?) {
    guard let comments, let texts = comments.user_comments, let sizes = comments.comment_lengths else { return }
    for index in 0..<Int(comments.comments) { add(texts[index], Int(sizes[index])) }
  }

  init(_ comments: FLAC__StreamMetadata_VorbisComment) {
    guard let entries = comments.comments else { return }
    for index in 0..<Int(comments.num_comments) { add(entries[index].entry, Int(entries[index].length)) }
  }

  private mutating func add(_ text: UnsafeRawPointer?, _ size: Int) {
    guard let text, size >= 0 else { return }
    // It may be a picture of many megabytes; `FileTags` cuts what is longer.
    let bytes = UnsafeRawBufferPointer(start: text, count: min(size, Self.longestName + 1 + FileTags.mostBytes))
    guard let split = bytes.prefix(Self.longestName + 1).firstIndex(of: UInt8(ascii: "=")) else { return }
    let name = String(decoding: bytes[..<split], as: UTF8.self).uppercased()
    guard Self.wanted.contains(name), values[name, default: []].count < Self.mostValues else { return }
    values[name, default: []].append(String(decoding: bytes[(split + 1)...], as: UTF8.self))
  }
}

extension FileTags {
  init(_ comments: VorbisComments) {
    self.init(
      title: Self.joined(comments.values["TITLE"] ?? []), artist: Self.joined(comments.values["ARTIST"] ?? []),
      album: Self.joined(comments.values["ALBUM"] ?? []))
  }
}
