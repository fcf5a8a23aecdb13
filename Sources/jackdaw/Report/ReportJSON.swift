import AudioSession
import Jukebox

/// The report for programs. New keys may come; those that are there keep their meaning.
struct ReportJSON {
  let report: ListeningReport

  var text: String {
    let days = report.days.map { Self.object([("date", Self.quoted($0.text))] + Self.fields($0.sum)) }
    let tracks = report.tracks.map { name, counts in
      let key = name == CountedPeriod.others ? ("others", "true") : ("name", Self.quoted(name))
      return Self.object([key] + Self.fields(counts) + [("tenths", Self.list(counts.tenths.map(String.init)))])
    }
    var board = BoardCount.allCases.map { ($0.rawValue, String(report.board[$0] ?? 0)) }
    board.append(("seconds-played", report.played.map { String($0.components.seconds) } ?? "null"))
    return Self.object([
      ("version", "1"),
      ("from", report.range.map { Self.quoted($0.lowerBound.text) } ?? "null"),
      ("to", report.range.map { Self.quoted($0.upperBound.text) } ?? "null"),
      ("sum", Self.object(Self.fields(report.sum))),
      ("tracks", Self.list(tracks, separator: ",\n")), ("days", Self.list(days, separator: ",\n")),
      ("hours", Self.list(report.hours.map(String.init))),
      ("undated", report.undated.map { Self.object(Self.fields($0)) } ?? "null"),
      ("periods-left-out", String(report.leftOut)), ("board", Self.object(board)),
    ])
  }

  private static func fields(_ counts: TrackCounts) -> [(String, String)] {
    let left = Leaving.allCases.map { ($0.rawValue, String(counts.left[$0] ?? 0)) }
    return [
      ("starts", String(counts.starts)), ("seconds", String(counts.milliseconds / 1_000)), ("left", object(left)),
    ]
  }

  private static func object(_ fields: [(String, String)]) -> String {
    "{\(fields.map { "\(quoted($0.0)): \($0.1)" }.joined(separator: ", "))}"
  }

  private static func list(_ values: [String], separator: String = ", ") -> String {
    "[\(values.joined(separator: separator))]"
  }

  /// A JSON string. Control characters and line separators are escaped, so that one line stays one line anywhere.
  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5C: result += "\\\(scalar)"
      case 0..<32, 127..<160, 0x2028, 0x2029:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
