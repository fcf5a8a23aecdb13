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

  /// The same, where a word without quotes becomes a value of a kind of its own, and the field that takes it reports what to
  /// write instead. Throws the first error of any other kind.
  init(reading text: [UInt8], file: String, faults: TOMLFaults) throws(FileError) {
    var words = TOMLWords(text)
    while true {
      let places = Dictionary(words.found.map { ($0.place, $0.text) }) { first, _ in first }
      switch try TOMLDocument.parse(words.text, file: file, words: places) {
      case .values(let entries):
        for word in words.found { faults.expect(word, field: words.field(atLine: word.place.line)) }
        self.init(file: file, path: "", line: 1, entries: entries, faults: faults)
        return
      case .fault(let fault):
        if words.replace(at: fault.place) { continue }
        throw fault.error(file: file, field: words.field(atLine: fault.place.line))
      }
    }
  }
}

/// What the parser makes of a text.
enum TOMLDocument {
  case values([TOMLEntry])
  case fault(Fault)

  /// Why and where it is not TOML.
  struct Fault {
    var place: TOMLPlace
    var reason: String

    func error(file: String, field: String) -> FileError {
      FileError(
        file: file, line: place.line, field: field, message: "not valid TOML at column \(place.column): \(reason)")
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
      return .fault(Fault(place: TOMLPlace(line: Int(error.line), column: Int(error.column)), reason: reason))
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
