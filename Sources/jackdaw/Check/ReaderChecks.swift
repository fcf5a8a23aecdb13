import Files
import Jukebox

/// Whether what is named can be typed at the board's readers (T5.3).
enum ReaderChecks {
  static func findings(_ kiosk: ChosenSettings) -> [Finding] {
    let readers = kiosk.chosenBoard.board.readers.filter { $0.lift == nil }
    // Where a reader takes any number of characters, everything can be typed; without a reader, at the console.
    let lengths = readers.compactMap(\.length)
    guard !readers.isEmpty, readers.count == kiosk.chosenBoard.board.readers.count, lengths.count == readers.count
    else { return [] }
    let untypable = kiosk.settings.tokenLines.sorted { $0.value < $1.value }
      .filter { !lengths.contains($0.key.utf8.count) }
    return untypable.map { token, line in
      .warning(
        "token \(token)",
        "has \(token.utf8.count) \(token.utf8.count == 1 ? "character" : "characters"), and so many can be typed at no reader",
        "line \(line) of the settings; `length` of " + Wording.list(readers.map(\.name)) + " in the board file is "
          + Wording.list(Set(lengths).sorted().map(String.init)))
    }
  }
}
