import CSDBus
import Glibc

/// A value on the bus: that of a property, or an argument of a call.
indirect enum Variant: Hashable, Sendable {
  case string(String)
  case objectPath(String)
  case boolean(Bool)
  case number(UInt16)
  case strings([String])
  /// A value in a variant, as an argument may be.
  case variant(Variant)
  /// `a{sv}`
  case properties([String: Variant])
  /// A value of a type that nothing here uses.
  case other

  /// A string or an object path; nil: something else.
  var text: String? {
    switch self {
    case .string(let text), .objectPath(let text): text
    case .boolean, .number, .strings, .variant, .properties, .other: nil
    }
  }

  var boolean: Bool? { if case .boolean(let value) = self { value } else { nil } }
  var number: UInt16? { if case .number(let value) = self { value } else { nil } }
  var strings: [String]? { if case .strings(let values) = self { values } else { nil } }
}

extension Variant {
  /// As an argument; empty for what is never one.
  private var signature: String {
    switch self {
    case .string: "s"
    case .objectPath: "o"
    case .boolean: "b"
    case .number: "q"
    case .variant: "v"
    case .properties: "a{sv}"
    case .strings, .other: ""
    }
  }

  /// Appends it to a call that is being made.
  func append(to call: OpaquePointer) throws(MessageBusFailure) {
    switch self {
    case .string(let text): try MessageBusFailure.check(csdbus_append(call, Character("s").code, text))
    case .objectPath(let path): try MessageBusFailure.check(csdbus_append(call, Character("o").code, path))
    case .boolean(let value):
      try MessageBusFailure.check(csdbus_append(call, Character("b").code, [CInt(value ? 1 : 0)]))
    case .number(let value): try MessageBusFailure.check(csdbus_append(call, Character("q").code, [value]))
    case .variant(let value):
      try Self.enclose("v", value.signature, in: call) { () throws(MessageBusFailure) in try value.append(to: call) }
    case .properties(let properties):
      try Self.enclose("a", "{sv}", in: call) { () throws(MessageBusFailure) in
        for (name, value) in properties.sorted(by: { $0.key < $1.key }) {
          try Self.enclose("e", "sv", in: call) { () throws(MessageBusFailure) in
            try Variant.string(name).append(to: call)
            try Variant.variant(value).append(to: call)
          }
        }
      }
    case .strings, .other: throw MessageBusFailure(code: EINVAL)
    }
  }

  private static func enclose(
    _ type: Character, _ contents: String, in call: OpaquePointer, _ body: () throws(MessageBusFailure) -> Void
  ) throws(MessageBusFailure) {
    try MessageBusFailure.check(csdbus_begin(call, type.code, contents))
    try body()
    try MessageBusFailure.check(csdbus_end(call))
  }
}
