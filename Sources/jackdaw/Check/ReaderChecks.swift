import Files
import Jukebox

/// Whether what is named can be typed at the board's readers (T5.3).
enum ReaderChecks {
  static func findings(_ kiosk: ChosenSettings) -> [Finding] {
    let readers = kiosk.chosenBoard.board.readers
    // Where a reader takes any number of characters, everything can be typed; without a reader, at the console.
    guard !readers.isEmpty, let longest = readers.map({ $0.length ?? .max }).max() else { return [] }
    let tooLong = kiosk.settings.tokenLines.sorted { $0.value < $1.value }.filter { $0.key.utf8.count > longest }
    return tooLong.map { token, line in
      .warning(
        "token \(token)", "has \(token.utf8.count) characters, and so many can be typed at no reader",
        "line \(line) of the settings; `length` of "
          + Wording.list(readers.map(\.name)) + " in the board file is \(longest) at most")
    }
  }
}
