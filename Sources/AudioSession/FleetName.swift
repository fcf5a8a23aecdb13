/// How the boards of a fleet and their groups may be called, because their names are parts of topics.
public enum FleetName {
  /// The rule, as errors quote it.
  public static let rule = "1 to 64 letters, digits, - and _"

  /// Whether `text` can be a name in a topic: 1 to 64 letters, digits, `-` and `_` of ASCII.
  public static func isGood(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count)
      && text.unicodeScalars.allSatisfy { scalar in
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
      }
  }

  /// Whether `text` can be a board's id: `all` and `group` mean several boards.
  public static func isID(_ text: String) -> Bool { isGood(text) && text != "all" && text != "group" }
}
