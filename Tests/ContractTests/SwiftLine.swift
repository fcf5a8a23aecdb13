/// Reads single lines of Swift.
enum SwiftLine {
  /// A line without its comment and without what is in quotes; an interpolation goes with them.
  static func code(_ line: Substring) -> String {
    var code = ""
    var isQuoted = false
    var previous: Character = " "
    for character in line {
      if character == "\"" && previous != "\\" {
        isQuoted.toggle()
      } else if !isQuoted {
        if character == "/" && previous == "/" { return String(code.dropLast()) }
        code.append(character)
      }
      previous = character
    }
    return code
  }
}
