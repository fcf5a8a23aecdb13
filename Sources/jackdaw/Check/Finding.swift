import Files

/// One result of `jackdaw check`, and what to do about it.
struct Finding {
  enum Grade {
    case good
    /// It is missing here and may be: the firmware runs without it.
    case missing
    /// It runs as it is, and perhaps not as it is meant.
    case warning
    case bad

    fileprivate var word: String {
      switch self {
      case .good: "ok    "
      case .missing: "none  "
      case .warning: "warn  "
      case .bad: "FAIL  "
      }
    }
  }

  /// What was checked, such as `line JACK_SENSE`.
  var subject: String
  var grade: Grade
  /// What was found there.
  var what: String
  /// What to do; empty where it is good.
  var advice: [String] = []

  static func good(_ subject: String, _ what: String) -> Finding {
    Finding(subject: subject, grade: .good, what: what)
  }

  static func missing(_ subject: String, _ what: String) -> Finding {
    Finding(subject: subject, grade: .missing, what: what)
  }

  static func warning(_ subject: String, _ what: String, _ advice: String...) -> Finding {
    Finding(subject: subject, grade: .warning, what: what, advice: advice.filter { !$0.isEmpty })
  }

  static func bad(_ subject: String, _ what: String, _ advice: String...) -> Finding {
    Finding(subject: subject, grade: .bad, what: what, advice: advice.filter { !$0.isEmpty })
  }
}

/// Findings as a plain-text list for a terminal of 80 columns.
struct FindingList {
  private static let columns = 79
  private static let widestSubject = 26

  var findings: [Finding]

  var text: String {
    let widest = findings.map { Wording.oneLine($0.subject).count }.max() ?? 0
    let width = min(widest, FindingList.widestSubject)
    let margin = String(repeating: " ", count: "FAIL  ".count + width + 2)
    var lines: [String] = []
    for finding in findings {
      let subject = Wording.oneLine(finding.subject)
      let start = finding.grade.word + subject
      let gap = String(repeating: " ", count: max(0, margin.count - start.count))
      // A long name gets a line of its own.
      if gap.isEmpty { lines.append(start) }
      lines += FindingList.wrapped(finding.what, first: gap.isEmpty ? margin : start + gap, rest: margin)
      for advice in finding.advice {
        lines += FindingList.wrapped(advice, first: "\(margin)-> ", rest: "\(margin)   ")
      }
    }
    let counts = [(Finding.Grade.missing, "not here"), (.warning, "to look at")].map { grade, words in
      (findings.count { $0.grade == grade }, words)
    }
    let rest = counts.filter { $0.0 > 0 }.map { ", \($0) \($1)" }.joined()
    let good = findings.count { $0.grade == .good }
    return (lines + ["\(good) of \(findings.count) good\(rest)"]).joined(separator: "\n")
  }

  /// Breaks at blanks; a word that is longer than a line stays whole.
  private static func wrapped(_ text: String, first: String, rest: String) -> [String] {
    var lines: [String] = []
    var line = first
    var isEmpty = true
    for word in Wording.oneLine(text).split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > columns {
        lines.append(line)
        line = rest
        isEmpty = true
      }
      line += (isEmpty ? "" : " ") + word
      isEmpty = false
    }
    return lines + [line]
  }
}
