import AudioSession
import Files

/// The type and values that a field takes: how its value is read, and how an error names what was expected.
public struct TOMLShape<Value>: Sendable {
  enum Reading {
    case good(Value)
    case wrongType
    /// The right type with a value that is not allowed: what was found, and its line.
    case bad(String, line: Int)
    /// What was found of each wrong element of an array, and its line.
    case badElements([(what: String, line: Int)])
  }

  /// The type, where `expected` alone does not name it; else empty.
  let type: String
  private let values: @Sendable () -> String
  let read: @Sendable (TOMLValue) -> Reading

  /// - Parameter expected: the values that are allowed, in words. It is evaluated only for an error, because a start
  ///   reads a hundred fields.
  init(
    type: String = "", expected: @autoclosure @escaping @Sendable () -> String,
    read: @escaping @Sendable (TOMLValue) -> Reading
  ) {
    (self.type, values, self.read) = (type, expected, read)
  }

  var expected: String { values() }

  /// Type and values.
  var full: String { type.isEmpty ? expected : "\(type) \(expected)" }

  /// The same without the value. What errors say of a shape is compiled for this alone, and not once for each type.
  var untyped: TOMLShape<Void> { TOMLShape<Void>(type: type, expected: expected) { read($0).map { _ in } } }
}

extension TOMLShape.Reading {
  /// The same of another value that is made of a good one.
  func map<Other>(_ transform: (Value) -> Other) -> TOMLShape<Other>.Reading {
    switch self {
    case .good(let value): .good(transform(value))
    case .wrongType: .wrongType
    case .bad(let what, let line): .bad(what, line: line)
    case .badElements(let flaws): .badElements(flaws)
    }
  }
}

extension TOMLShape {
  /// A whole number, or a text in its place.
  static func number(
    in range: ClosedRange<Int>, _ number: @escaping @Sendable (Int) -> Value,
    orText text: @escaping @Sendable (String) -> Value, expected: String
  ) -> Self {
    Self(expected: expected) { value in
      if case .string = value.kind { return TOMLShape<String>.text.read(value).map(text) }
      return TOMLShape<Int>.integer(in: range).read(value).map(number)
    }
  }
}

extension TOMLShape where Value == Bool {
  public static var boolean: Self {
    Self(expected: "true or false") { value in
      if case .boolean(let truth) = value.kind { .good(truth) } else { .wrongType }
    }
  }
}

extension TOMLShape where Value == Int {
  public static func integer(in range: ClosedRange<Int>) -> Self {
    Self(type: "a whole number", expected: "\(range.lowerBound)...\(range.upperBound)") { value in
      guard case .integer(let number) = value.kind else { return .wrongType }
      guard let number = Int(exactly: number), range.contains(number) else {
        return .bad("\(number) is out of range", line: value.line)
      }
      return .good(number)
    }
  }

  /// One of a few numbers.
  public static func integer(of numbers: [Int]) -> Self {
    Self(expected: Wording.list(numbers.map(String.init))) { value in
      guard case .integer(let number) = value.kind else { return .wrongType }
      guard let number = Int(exactly: number), numbers.contains(number) else {
        return .bad("\(number) is not supported", line: value.line)
      }
      return .good(number)
    }
  }
}

extension TOMLShape where Value == [Int] {
  /// Any number of whole numbers.
  package static func integers(in range: ClosedRange<Int>) -> Self {
    Self(expected: "an array of whole numbers \(range.lowerBound)...\(range.upperBound)") { value in
      guard case .array(let elements) = value.kind else { return .wrongType }
      let numbers = elements.compactMap { element -> Int? in
        guard case .integer(let number) = element.kind else { return nil }
        return Int(exactly: number).flatMap { range.contains($0) ? $0 : nil }
      }
      return numbers.count == elements.count ? .good(numbers) : .bad("found something else in it", line: value.line)
    }
  }
}

extension TOMLShape where Value == Double {
  /// With or without a fraction.
  public static func number(in range: ClosedRange<Int>) -> Self {
    Self(type: "a number", expected: "\(range.lowerBound)...\(range.upperBound)") { value in
      let number: Double
      switch value.kind {
      case .integer(let whole): number = Double(whole)
      case .float(let fraction): number = fraction
      case .string, .boolean, .array, .table, .dateOrTime, .word: return .wrongType
      }
      let isAllowed = number >= Double(range.lowerBound) && number <= Double(range.upperBound)
      return isAllowed ? .good(number) : .bad("\(value.found) is out of range", line: value.line)
    }
  }
}

extension TOMLShape where Value == String {
  /// A text that is not empty and has no control characters.
  public static var text: Self {
    Self(expected: "a text in quotes") { value in
      guard case .string(let text) = value.kind else { return .wrongType }
      if text.isEmpty { return .bad("found an empty text", line: value.line) }
      let isPrintable = text.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 }
      return isPrintable ? .good(text) : .bad("found a control character in \(value.found)", line: value.line)
    }
  }

  /// The path of a folder. `~` is known to shells only, and would be the name of a folder here.
  static var folder: Self {
    Self(expected: "a path in quotes, from / on or from the folder of this file") { value in
      let reading = TOMLShape.text.read(value)
      guard case .good(let path) = reading, path.hasPrefix("~") else { return reading }
      return .bad("found \(value.found)", line: value.line)
    }
  }

  /// Any text at all, as a file name may be.
  package static var anyText: Self {
    Self(expected: "a text in quotes") { value in
      guard case .string(let text) = value.kind else { return .wrongType }
      return .good(text)
    }
  }

  /// An input device. The end of a name behind a `*` is for the keys of headsets alone, whose absence nobody reports.
  static var inputDevice: Self {
    Self(expected: "a whole name or a path in quotes") { value in
      let reading = TOMLShape.text.read(value)
      guard case .good(let device) = reading, device.hasPrefix("*") else { return reading }
      return .bad("found \(value.found)", line: value.line)
    }
  }

  /// An absolute path.
  public static var absolutePath: Self {
    Self(expected: "a path that starts with /") { value in
      let reading = TOMLShape.text.read(value)
      guard case .good(let path) = reading, !path.hasPrefix("/") else { return reading }
      return .bad("found \(value.found)", line: value.line)
    }
  }
}

extension TOMLShape where Value == [String] {
  /// Any number of texts.
  public static var texts: Self { array(of: .text, expected: "an array of texts in quotes") }

  /// Any number of paths of folders.
  static var folders: Self {
    array(of: .folder, expected: "an array of paths in quotes, from / on or from the folder of this file")
  }

  static func array(of shape: TOMLShape<String>, expected: String) -> Self {
    Self(expected: expected) { elements(of: $0, shape) }
  }
}

extension TOMLShape where Value == [BluetoothAddress] {
  /// Any number of addresses.
  static var bluetoothAddresses: Self {
    Self(expected: "an array of Bluetooth addresses such as \"00:1A:7D:DA:71:13\"") {
      elements(of: $0, .bluetoothAddress)
    }
  }
}

extension TOMLShape where Value == [Port] {
  /// Any of these ports.
  /// - Parameter others: are taken as well, and not expected.
  static func ports(_ ports: [Port], orOf others: [Port] = []) -> Self {
    let port = TOMLShape<Port>.choice(Set(ports + others).map { ($0.rawValue, $0) })
    return Self(expected: "an array of \(Wording.list(ports.map(\.rawValue))) in quotes") { elements(of: $0, port) }
  }
}

extension TOMLShape {
  /// One value of a shape, or an array of them that is not empty.
  static func list<Element>(of shape: TOMLShape<Element>) -> Self where Value == [Element] {
    list(of: shape, expected: "\(shape.expected), or an array of them", empty: "found an empty array")
  }

  /// - Parameter empty: what is said of an empty array.
  static func list<Element>(
    of shape: TOMLShape<Element>, expected: @autoclosure @escaping @Sendable () -> String, empty: String
  ) -> Self where Value == [Element] {
    Self(expected: expected()) { value in
      guard case .array(let all) = value.kind else { return shape.read(value).map { [$0] } }
      return all.isEmpty ? .bad(empty, line: value.line) : elements(of: value, shape)
    }
  }

  /// Reads an array.
  static func elements<Element>(
    of value: TOMLValue, _ shape: TOMLShape<Element>
  ) -> TOMLShape<[Element]>.Reading {
    guard case .array(let elements) = value.kind else { return .wrongType }
    var found: [Element] = []
    var flaws: [(what: String, line: Int)] = []
    for element in elements {
      switch shape.read(element) {
      case .good(let one): found.append(one)
      case .wrongType: flaws.append(("found \(shape.untyped.found(element)) in it", element.line))
      case .bad(let what, let line): flaws.append(("\(what) in it", line))
      case .badElements(let more): flaws += more
      }
    }
    return flaws.isEmpty ? .good(found) : .badElements(flaws)
  }
}

extension TOMLShape where Value == Duration {
  /// A number with a unit in quotes, or a plain number of seconds. With `orZero`, 0 is allowed
  /// even if it is not in the range.
  public static func duration(in range: ClosedRange<Duration>, orZero: Bool = false) -> Self {
    let bounds = "\(DurationText.format(range.lowerBound))...\(DurationText.format(range.upperBound))"
    return Self(type: "a duration", expected: orZero ? "0 or \(bounds)" : bounds) { value in
      let duration: Duration
      switch value.kind {
      case .string(let text):
        guard let parsed = DurationText.parse(text) else {
          return .bad("\(value.found) is no number with ms, s, min, h or d", line: value.line)
        }
        duration = parsed
      case .integer(let seconds): duration = .seconds(seconds)
      case .float(let seconds):
        guard abs(seconds) < 1e9 else { return .bad("\(seconds) is out of range", line: value.line) }
        duration = .nanoseconds(Int64((seconds * 1e9).rounded()))
      case .boolean, .array, .table, .dateOrTime, .word: return .wrongType
      }
      let isAllowed = range.contains(duration) || (orZero && duration == .zero)
      return isAllowed ? .good(duration) : .bad("\(value.found) is out of range", line: value.line)
    }
  }
}
