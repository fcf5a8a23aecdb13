import CTOML
import Files

extension TOMLTable {
  /// The root table of a TOML text. `file` is only named in errors.
  ///
  /// Any bytes will do: what is not TOML 1.0 in UTF-8, or nested deeper than 32, is an error at its line.
  public init(parsing text: [UInt8], file: String) throws(FileError) {
    let document = text.withUnsafeBytes { bytes in
      ctoml_parse(bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count)
    }
    guard let document else { throw FileError(file: file, message: "not enough memory to read it") }
    defer { ctoml_free(document) }
    if let error = ctoml_parse_error(document) {
      let reason = Wording.oneLine(String(error.pointee.message))
      let message = "not valid TOML at column \(error.pointee.column): \(reason)"
      throw FileError(file: file, line: Int(error.pointee.line), message: message)
    }
    let nodes = UnsafeBufferPointer(start: ctoml_nodes(document), count: ctoml_node_count(document))
    self.init(file: file, path: "", line: 1, entries: Self.entries(of: nodes))
  }

  /// The root's entries. Members stand behind what they are in, so that from the back every value is complete when
  /// its turn comes.
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
  /// `members` come last first.
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
