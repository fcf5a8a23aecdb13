import AudioSession
import Jukebox

/// Checks what the log shows of an event: one line of plain ASCII, and where the locale is UTF-8, one without anything
/// that controls a terminal or cannot be seen.
func checkLine(_ event: Event, at now: Instant) throws {
  let line = event.line(at: now)
  try hold(line.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "not plain ASCII in the log: \(line)")
  let shown = event.line(at: now, unicode: true)
  let bad = shown.unicodeScalars.first { scalar in
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: true
    case .spaceSeparator: scalar != " "
    default: scalar.properties.isDefaultIgnorableCodePoint
    }
  }
  try hold(bad == nil, "U+\(String(bad?.value ?? 0, radix: 16)) in the log: \(line)")
}
