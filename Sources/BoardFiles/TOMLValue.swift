import Files

/// One value of a TOML file, with its position.
public struct TOMLValue: Hashable, Sendable {
  public enum Kind: Hashable, Sendable {
    case string(String)
    case integer(Int64)
    case float(Double)
    case boolean(Bool)
    case array([TOMLValue])
    /// The entries in the order of the file.
    case table([TOMLEntry])
    /// Legal TOML that no field takes.
    case dateOrTime
    /// A text without quotes that is no TOML, or nothing where a value should be; only where a file is read past its
    /// errors. No field takes it.
    case word(String)
  }

  public var kind: Kind
  /// Counted from 1.
  public var line: Int
  /// Counted in code points, from 1.
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
    case .word(let text): text.isEmpty ? "no value" : Wording.truncated(text)
    }
  }
}

/// A key of a table and its value.
public struct TOMLEntry: Hashable, Sendable {
  public var key: String
  public var value: TOMLValue
}
