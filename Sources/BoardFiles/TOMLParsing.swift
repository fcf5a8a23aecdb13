import CTOML
import Files

extension TOMLTable {
  /// The root table of a TOML text. `file` is only named in errors.
  ///
  /// `text` may be any bytes: where it is not TOML 1.0 in UTF-8, or nested deeper than 32, the error has the line.
  public init(parsing text: [UInt8], file: String) throws(FileError) {
    try self.init(parsing: text, file: file, faults: nil)
  }

  /// With `faults`, a text without quotes is kept there and taken for an empty one, so that the file is read on.
  init(parsing text: [UInt8], file: String, faults: TOMLFaults?) throws(FileError) {
    var text = text
    var mistaken = (line: 0, column: 0)
    while true {
      let document = text.withUnsafeBytes { bytes in
        ctoml_parse(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
      }
      guard let document else { throw FileError(file: file, message: "not enough memory to read it") }
      defer { ctoml_free(document) }
      guard let error = ctoml_parse_error(document) else {
        let nodes = UnsafeBufferPointer(start: ctoml_nodes(document), count: ctoml_node_count(document))
        self.init(file: file, path: "", line: 1, entries: Self.entries(of: nodes), faults: faults)
        return
      }
      let place = (line: Int(error.pointee.line), column: Int(error.pointee.column))
      guard let word = TOMLBareWord(in: text, line: place.line, column: place.column) else {
        let reason = Wording.oneLine(String(error.pointee.message))
        let message = "not valid TOML at column \(place.column): \(reason)"
        throw FileError(file: file, line: place.line, message: message)
      }
      let fault = word.error(file: file, line: place.line)
      // Each turn must come further, or a word that cannot be taken for a value would be met for ever.
      guard let faults, !faults.isFull, place > mistaken else { throw fault }
      faults.add(unreadable: fault)
      mistaken = place
      text.replaceSubrange(word.range, with: word.empty)
    }
  }

  /// The root's entries. Members come behind the table or array that holds them, so that in reverse order every value
  /// is complete before it is needed.
  private static func entries(of nodes: UnsafeBufferPointer<ctoml_node>) -> [TOMLEntry] {
    var members = [[TOMLEntry]](repeating: [], count: nodes.count)
    for (index, node) in nodes.enumerated().dropFirst().reversed() {
      let value = TOMLValue(node, members: members[index])
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
      case CTOML_TABLE: .table(TOMLTable.inFileOrder(members))
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
