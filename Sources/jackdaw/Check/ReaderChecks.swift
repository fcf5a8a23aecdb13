import Files
import Jukebox

/// Whether what is named can be typed at the board's readers (T5.3), and `without_card` has one to go by (L4).
enum ReaderChecks {
  static func findings(_ kiosk: ChosenSettings) -> [Finding] { cardless(kiosk) + untypable(kiosk) }

  private static func cardless(_ kiosk: ChosenSettings) -> [Finding] {
    let board = kiosk.chosenBoard.board
    guard kiosk.settings.settings.withoutCard == .silent, board.readers.allSatisfy({ $0.lift == nil })
    else { return [] }
    return [
      .warning(
        "without_card", "changes nothing: no reader of this board says whether a card lies on it",
        "a reader of kind = \"presence\" in the board file")
    ]
  }

  private static func untypable(_ kiosk: ChosenSettings) -> [Finding] {
    let readers = kiosk.chosenBoard.board.readers.filter { $0.lift == nil }
    // If a reader takes any number of characters, everything can be typed; without a reader, at the console.
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
