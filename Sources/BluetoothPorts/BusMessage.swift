import CSDBus

/// A message from the bus, read from its beginning. Every reader returns nil where the message has something else in that
/// place; what follows can then not be read either.
struct BusMessage: ~Copyable {
  private let message: OpaquePointer

  init(_ message: OpaquePointer) { self.message = message }

  /// The unique name of who sent it.
  var sender: String? { csdbus_sender(message).map { String(cString: $0) } }

  var path: String? { csdbus_path(message).map { String(cString: $0) } }
  var interface: String? { csdbus_interface(message).map { String(cString: $0) } }
  var member: String? { csdbus_member(message).map { String(cString: $0) } }

  /// The error's name; nil for any other message.
  var error: String? { csdbus_error(message).map { String(cString: $0) } }
  /// The text of the error for people, else its name; nil for any other message.
  var failure: String? {
    let text = csdbus_error_text(message).map { String(cString: $0) } ?? ""
    return text.isEmpty ? error : text
  }

  /// Whether it is the bus that replied, because nobody has the service's name, or it went without a reply.
  var saysServiceIsGone: Bool {
    let names = ["ServiceUnknown", "NameHasNoOwner", "NoReply"]
    return names.contains { error == "org.freedesktop.DBus.Error.\($0)" }
  }

  /// Replies to a call of a method. A reply that cannot be queued is one that the bus has lost with everything else.
  func reply(_ text: String? = nil) { csdbus_reply(message, text) }

  func refuse(_ error: String, _ text: String) { csdbus_refuse(message, error, text) }

  func string() -> String? { text("s") }

  func objectPath() -> String? { text("o") }

  /// Reads an array of strings.
  func strings() -> [String]? {
    guard enter("a", "s") else { return nil }
    var found: [String] = []
    while let text = string() { found.append(text) }
    return leave() ? found : nil
  }

  /// Reads an object's path and interfaces, as a signal about one that was added has them.
  func object() -> BusObject? {
    guard let path = objectPath(), let interfaces = interfaces() else { return nil }
    return BusObject(path: path, interfaces: interfaces)
  }

  /// Reads the objects of a service, in its order.
  func objects() -> [BusObject]? {
    entries("o", "a{sa{sv}}") { interfaces() }?.map { BusObject(path: $0.key, interfaces: $0.value) }
  }

  private func interfaces() -> [String: [String: Variant]]? {
    entries("s", "a{sv}") { properties() }.map { Dictionary($0) { $1 } }
  }

  /// Reads the properties of an interface.
  func properties() -> [String: Variant]? {
    entries("s", "v") { variant() }.map { Dictionary($0) { $1 } }
  }

  private func variant() -> Variant? {
    guard let contents = csdbus_variant_contents(message).map({ String(cString: $0) }) else { return nil }
    guard enter("v", contents), let value = value(contents), leave() else { return nil }
    return value
  }

  private func value(_ type: String) -> Variant? {
    switch type {
    case "s": return text("s").map { .string($0) }
    case "o": return text("o").map { .objectPath($0) }
    case "b":
      var value: CInt = 0
      return read("b", &value) ? .boolean(value != 0) : nil
    case "q":
      var value: UInt16 = 0
      return read("q", &value) ? .number(value) : nil
    case "as": return strings().map { .strings($0) }
    case _: return csdbus_skip(message, type) < 0 ? nil : .other
    }
  }

  /// Reads an array of entries, each a key of type `key` with a value of type `value`, which `read` reads.
  func entries<Value>(
    _ key: Character, _ value: String, _ read: () -> Value?
  ) -> [(key: String, value: Value)]? {
    let contents = "\(key)\(value)"
    guard enter("a", "{\(contents)}") else { return nil }
    var found: [(key: String, value: Value)] = []
    while enter("e", contents) {
      guard let name = text(key), let value = read(), leave() else { return nil }
      found.append((name, value))
    }
    return leave() ? found : nil
  }

  private func text(_ type: Character) -> String? {
    var text: UnsafePointer<CChar>?
    return read(type, &text) ? text.map { String(cString: $0) } : nil
  }

  private func read(_ type: Character, _ value: UnsafeMutableRawPointer) -> Bool {
    csdbus_read(message, type.code, value) >= 0
  }

  private func enter(_ type: Character, _ contents: String) -> Bool { csdbus_enter(message, type.code, contents) > 0 }

  private func leave() -> Bool { csdbus_leave(message) >= 0 }
}

/// An object of a service, and the properties of its interfaces.
struct BusObject: Hashable, Sendable {
  var path: String
  var interfaces: [String: [String: Variant]]
}

extension Character {
  var code: CChar { CChar(bitPattern: asciiValue ?? 0) }
}
