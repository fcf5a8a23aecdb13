import CTOML
import Files

extension TOMLTable {
  /// The root table of a TOML text. `file` is only named in errors.
  ///
  /// `text` may be any bytes: where it is not TOML 1.0 in UTF-8, or nested deeper than 32, the error has the line.
  public init(parsing text: [UInt8], file: String) throws(FileError) {
    switch try TOMLDocument.parse(text, file: file, words: [:]) {
    case .values(let entries): self.init(file: file, path: "", line: 1, entries: entries)
    case .fault(let fault): throw fault.error(file: file, field: "")
    }
  }

  /// Reads on past whatever is not TOML. A word without quotes becomes a value of a kind of its own, and the field that takes
  /// it reports what it should be. Any other statement that cannot be parsed is kept in `faults` and left out.
  init(mending text: [UInt8], file: String, faults: TOMLFaults) throws(FileError) {
    var mended = TOMLMending(text)
    while true {
      switch try TOMLDocument.parse(mended.text, file: file, words: mended.places) {
      case .values(let entries):
        self.init(file: file, path: "", line: 1, entries: entries, faults: faults)
        return
      case .fault(let fault):
        if mended.replaceWords(faults) { continue }
        let statement = mended.removeStatement(at: fault.line)
        let error = statement?.error(file: file) ?? fault.error(file: file, field: statement?.field ?? "")
        faults.add(gap: error)
        guard statement != nil, !faults.isFull else { throw error }
      }
    }
  }
}

/// A text on its way to become TOML.
struct TOMLMending {
  private(set) var text: [UInt8]
  /// The words that were replaced.
  private(set) var places: [TOMLPlace: String] = [:]
  private var statements: [TOMLStatement]?

  init(_ text: [UInt8]) { self.text = text }

  /// Replaces all words that are no values of TOML, the first time that it is called. False where there are none.
  mutating func replaceWords(_ faults: TOMLFaults) -> Bool {
    guard statements == nil else { return false }
    let found = TOMLScanner.statements(of: text)
    statements = found
    for statement in found.reversed() {
      for word in statement.words.reversed() where !TOMLDocument.isValue(word.text) {
        places[TOMLPlace(line: word.line, column: word.column)] = word.text
        faults.expect(word, field: statement.field)
        text.replaceSubrange(word.range, with: word.placeholder)
      }
    }
    if places.isEmpty { return false }
    // They have moved where a placeholder is not as many bytes as its word.
    statements = TOMLScanner.statements(of: text)
    return true
  }

  /// Empties the statement that is to blame for a fault on a line, a header together with all that stands under it; nil:
  /// there is none. It may stand further up, as the parser notices only later that something is not closed.
  mutating func removeStatement(at line: Int) -> TOMLStatement? {
    guard var statements else { return nil }
    let candidates = statements.indices.filter { statements[$0].lines.lowerBound <= line }
    let unclosed = candidates.last { statements[$0].unclosed != nil }
    // What stands in a comment, bytes that are no text, say, is no statement's.
    guard let index = unclosed ?? candidates.last(where: { statements[$0].lines.contains(line) }) else { return nil }
    let removed = statements[index]
    let next = statements[(index + 1)...].firstIndex { !removed.isHeader || $0.isHeader } ?? statements.endIndex
    for statement in statements[index..<next] {
      for at in statement.range where text[at] != UInt8(ascii: "\n") { text[at] = UInt8(ascii: " ") }
    }
    statements.removeSubrange(index..<next)
    self.statements = statements
    return removed
  }
}

extension TOMLStatement {
  /// What is wrong with it, where that shows without parsing it.
  fileprivate func error(file: String) -> FileError? {
    guard let unclosed else { return nil }
    let message = "not valid TOML: a \(unclosed) is not closed"
    return FileError(file: file, line: lines.lowerBound, field: field, message: message)
  }
}

/// Where a value begins; its column in code points.
struct TOMLPlace: Hashable {
  var line: Int
  var column: Int
}

/// What the parser makes of a text.
enum TOMLDocument {
  case values([TOMLEntry])
  case fault(Fault)

  /// Why and where it is not TOML.
  struct Fault {
    var line: Int
    var column: Int
    var reason: String

    func error(file: String, field: String) -> FileError {
      FileError(file: file, line: line, field: field, message: "not valid TOML at column \(column): \(reason)")
    }
  }

  /// - Parameter words: become values of their kind where they stand.
  static func parse(
    _ text: [UInt8], file: String, words: [TOMLPlace: String]
  ) throws(FileError) -> TOMLDocument {
    guard let document = open(text) else { throw FileError(file: file, message: "not enough memory to read it") }
    defer { ctoml_free(document) }
    if let error = ctoml_parse_error(document)?.pointee {
      let reason = Wording.oneLine(String(error.message))
      return .fault(Fault(line: Int(error.line), column: Int(error.column), reason: reason))
    }
    let nodes = UnsafeBufferPointer(start: ctoml_nodes(document), count: ctoml_node_count(document))
    return .values(entries(of: nodes, words: words))
  }

  /// Whether a text is a value by itself.
  static func isValue(_ text: String) -> Bool {
    guard let document = open(Array("a = \(text)".utf8)) else { return true }
    defer { ctoml_free(document) }
    return ctoml_parse_error(document) == nil
  }

  private static func open(_ text: [UInt8]) -> OpaquePointer? {
    text.withUnsafeBytes { ctoml_parse($0.baseAddress?.assumingMemoryBound(to: CChar.self), $0.count) }
  }

  /// The root's entries. Members come behind the table or array that holds them, so that in reverse order every value
  /// is complete before it is needed.
  private static func entries(of nodes: UnsafeBufferPointer<ctoml_node>, words: [TOMLPlace: String]) -> [TOMLEntry] {
    var members = [[TOMLEntry]](repeating: [], count: nodes.count)
    for (index, node) in nodes.enumerated().dropFirst().reversed() {
      var value = TOMLValue(node, members: members[index])
      if let word = words[TOMLPlace(line: value.line, column: value.column)] { value.kind = .word(word) }
      members[index] = []
      members[node.parent].append(TOMLEntry(key: String(node.key), value: value))
    }
    return inFileOrder(members.first ?? [])
  }

  fileprivate static func inFileOrder(_ entries: [TOMLEntry]) -> [TOMLEntry] {
    entries.sorted { a, b in
      (a.value.line, a.value.column, a.key) < (b.value.line, b.value.column, b.key)
    }
  }
}

extension TOMLValue {
  /// `members` are in reverse order.
  fileprivate init(_ node: ctoml_node, members: [TOMLEntry]) {
    let kind: Kind =
      switch node.kind {
      case CTOML_STRING: .string(String(node.string))
      case CTOML_INTEGER: .integer(node.integer)
      case CTOML_FLOAT: .float(node.floating)
      case CTOML_BOOLEAN: .boolean(node.boolean)
      case CTOML_ARRAY: .array(members.reversed().map(\.value))
      case CTOML_TABLE: .table(TOMLDocument.inFileOrder(members))
      default: .dateOrTime
      }
    self.init(kind, line: Int(node.line), column: Int(node.column))
  }
}

extension String {
  fileprivate init(_ text: ctoml_text) {
    let bytes = UnsafeRawBufferPointer(start: text.bytes, count: text.length)
    self.init(decoding: bytes, as: UTF8.self)
  }
}
