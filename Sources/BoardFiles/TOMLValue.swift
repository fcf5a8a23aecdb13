import Files

/// One value of a TOML file and where it stands.
public struct TOMLValue: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case float(Double)
    case boolean(Bool)
    case array([TOMLValue])
    /// In the order of the file.
    case table([TOMLEntry])
    /// Legal TOML that no field of ours takes.
    case dateOrTime
  }

  public var kind: Kind
  /// From 1.
  public var line: Int
  /// In code points, from 1.
  public var column: Int

  public init(_ kind: Kind, line: Int, column: Int) {
    self.kind = kind
    self.line = line
    self.column = column
  }

  /// The value as an error names it.
  var found: String {
    switch kind {
    case .string(let text): Wording.quoted(text)
    case .integer(let number): "\(number)"
    case .float(let number): "\(number)"
    case .boolean(let truth): "\(truth)"
    case .array: "an array"
    case .table: "a table"
    case .dateOrTime: "a date or time"
    }
  }
}

/// A key of a table and its value.
public struct TOMLEntry: Hashable, Sendable {
  public var key: String
  public var value: TOMLValue

  public init(key: String, value: TOMLValue) {
    self.key = key
    self.value = value
  }
}
