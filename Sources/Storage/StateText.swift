import AudioSession
import BoardFiles
import Files
import Jukebox

/// The saved state as a TOML text whose last line is a comment with the checksum of all lines before it. Version
/// 1, which had neither version nor checksum, is still read.
package enum StateText {
  private static let version = 2
  /// Larger than any position that is written, and small enough that no sum of frames overflows.
  private static let mostFrames = 1 << 40
  private static let mostSeconds = 1 << 32
  private static let sumField = "crc-32"
  private static let sumPrefix = "# \(sumField) "

  private static let oldKeys = ["track", "frame", "intent", "port", "volumes"]
  private static let keys =
    ["version", "seed", "route", "category", "played", "chosen", "playlist", "places"] + oldKeys

  // MARK: - Writing

  package static func encode(_ state: SavedState) -> [UInt8] {
    var text = "version = \(version)\nintent = \"\(state.intent.rawValue)\"\nframe = \(state.frame)\n"
    text += "played = \(state.played)\n"
    if let track = state.track { text += "track = \(quoted(track))\n" }
    if state.isChosen { text += "chosen = true\n" }
    if let playlist = state.playlist { text += "playlist = \(quoted(playlist))\n" }
    if let port = state.port { text += "port = \"\(port.rawValue)\"\n" }
    // TOML's integers are signed.
    if let seed = state.seed { text += "seed = \(Int64(bitPattern: seed))\n" }
    if let override = state.override { text += "route = \"\(override.word)\"\n" }
    if let category = state.category { text += "category = \"\(category.rawValue)\"\n" }
    text += "[volumes]\n"
    for (port, volume) in state.volumes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      text += "\(port.rawValue) = \(volume)\n"
    }
    for place in state.places {
      text += "[places.\(quoted(place.playlist))]\ntrack = \(quoted(place.track))\nframe = \(place.frame)\n"
    }
    for done in state.doneCues { text += DoneCueText.line(done) }
    for pick in state.picks { text += FolderPickText.line(pick) }
    if let hours = state.hours { text += HoursText.line(hours) }
    if let timetable = state.timetable { text += TimetableText.line(timetable) }
    if let request = state.request { text += RequestText.line(request) }
    return sealed(Array(text.utf8))
  }

  /// `text` with its checksum appended as one more line.
  package static func sealed(_ text: [UInt8]) -> [UInt8] { text + Array("\(sumPrefix)\(sum(of: text[...]))\n".utf8) }

  /// The lines of TOML that are in comments. All other lines are left empty, so that errors name the right one.
  private static func comments(_ bytes: [UInt8]) -> [UInt8] {
    let newline = UInt8(ascii: "\n")
    let beginnings =
      DoneCueText.beginnings + FolderPickText.beginnings + [HoursText.prefix, TimetableText.prefix, RequestText.prefix]
    var text: [UInt8] = []
    for line in bytes.split(separator: newline, omittingEmptySubsequences: false) {
      if beginnings.contains(where: { line.starts(with: $0.utf8) }) { text += line.dropFirst(2) }
      text.append(newline)
    }
    return text
  }

  /// A TOML basic string.
  static func quoted(_ text: String) -> String {
    var result = "\""
    // The parser takes no line with many dots.
    let hidesDots = text.utf8.count { $0 == UInt8(ascii: ".") } > 20
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x2E where hidesDots: result += "\\u002e"
      case 0x22, 0x5C: result += "\\\(scalar)"
      case 0..<32, 127: result += "\\u" + hexadecimal(scalar.value, digits: 4)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  private static func hexadecimal(_ number: UInt32, digits: Int) -> String {
    String(number, radix: 16).zeroPadded(to: digits)
  }

  private static func sum(of bytes: ArraySlice<UInt8>) -> String { hexadecimal(CRC32.of(bytes), digits: 8) }

  // MARK: - Reading

  /// Whether a newer version of this program has written these bytes.
  package static func isOfNewerVersion(_ bytes: [UInt8]) -> Bool {
    let table = try? TOMLTable(parsing: bytes, file: "")
    let found = try? table?.optional("version", .integer(in: 1...Int.max))
    return found.map { $0 > version } ?? false
  }

  /// Parses any bytes; throws at the first mistake in them. `file` is used in error messages only.
  package static func decode(_ bytes: [UInt8], file: String) throws(FileError) -> SavedState {
    if bytes.isEmpty { throw FileError(file: file, message: "is empty, expected a saved state") }
    let hasSum = try checkSum(bytes, file)
    let table = try TOMLTable(parsing: bytes, file: file)
    let found = try table.optional("version", .integer(in: 1...version)) ?? 1
    if found > 1 && !hasSum {
      throw FileError(
        file: file, line: lines(bytes[...]), field: sumField,
        message: "missing, expected \(sumPrefix)and 8 digits as the last line")
    }
    try table.allowOnly(found == 1 ? oldKeys : keys)
    var state = try state(table)
    if found > 1 {
      let comments = try TOMLTable(parsing: comments(bytes), file: file)
      state.doneCues = try DoneCueText.decode(comments)
      state.picks = try FolderPickText.decode(comments)
      state.hours = try HoursText.decode(comments)
      state.timetable = try TimetableText.decode(comments)
      state.request = try RequestText.decode(comments)
    }
    return state
  }

  /// Returns whether there is a checksum; throws where it does not match the bytes.
  static func checkSum(_ bytes: [UInt8], _ file: String) throws(FileError) -> Bool {
    let newline = UInt8(ascii: "\n")
    let text = bytes.last == newline ? bytes.dropLast() : bytes[...]
    let start = text.lastIndex(of: newline).map { $0 + 1 } ?? 0
    guard text[start...].starts(with: sumPrefix.utf8) else { return false }
    let found = String(decoding: text[start...].dropFirst(sumPrefix.utf8.count), as: UTF8.self)
    let expected = sum(of: bytes[..<start])
    if found == expected { return true }
    throw FileError(
      file: file, line: lines(text), field: sumField,
      message: "found \(Wording.quoted(found)), expected \(expected): the file is damaged")
  }

  private static func lines(_ bytes: ArraySlice<UInt8>) -> Int {
    bytes.dropLast().filter { $0 == UInt8(ascii: "\n") }.count + 1
  }

  private static func state(_ table: TOMLTable) throws(FileError) -> SavedState {
    var volumes: [Port: Int] = [:]
    if let saved = try table.table("volumes") {
      for port in Port.allCases { volumes[port] = try saved.optional(port.rawValue, .integer(in: 0...100)) }
    }
    let overrides = [SavedState.Override.auto] + Port.allCases.map { .port($0) }
    // What only a newer version knows, as a port, is as if it were not there: the rest is of use.
    func word(_ key: String) throws(FileError) -> String? { try table.optional(key, .anyText) }
    return SavedState(
      volumes: volumes, track: try table.optional("track", .anyText),
      frame: try table.optional("frame", .integer(in: 0...mostFrames)) ?? 0,
      intent: try table.required("intent", .word), port: try word("port").flatMap(Port.init(rawValue:)),
      seed: try table.optional("seed", .integer(in: Int.min...Int.max)).map { UInt64(bitPattern: Int64($0)) },
      override: try word("route").flatMap { word in overrides.first { $0.word == word } },
      category: try word("category").flatMap(SessionCategory.init(rawValue:)),
      played: try table.optional("played", .integer(in: 0...mostSeconds)) ?? 0,
      isChosen: try table.optional("chosen", .boolean) ?? false, playlist: try table.optional("playlist", .anyText),
      places: try places(table))
  }

  private static func places(_ table: TOMLTable) throws(FileError) -> [PlaylistPlace] {
    var places: [PlaylistPlace] = []
    for (name, place) in try table.table("places")?.tables() ?? [] {
      try place.allowOnly(["track", "frame"])
      places.append(
        PlaylistPlace(
          playlist: name, track: try place.required("track", .anyText),
          frame: try place.required("frame", .integer(in: 0...mostFrames))))
    }
    return places
  }
}
