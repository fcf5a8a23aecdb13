import CSDBus

/// A message from the bus, read from its beginning. Every reader returns nil, or false, where the message has something
/// else in that place; what follows can then not be read either.
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
  /// What the error says to people, else its name; nil for any other message.
  var failure: String? {
    let text = csdbus_error_text(message).map { String(cString: $0) } ?? ""
    return text.isEmpty ? error : text
  }

  /// Whether it is the bus that replied, as nobody has the service's name, or as it went without a reply.
  var saysServiceIsGone: Bool {
    let names = ["ServiceUnknown", "NameHasNoOwner", "NoReply"]
    return names.contains { error == "org.freedesktop.DBus.Error.\($0)" }
  }

  /// Replies to a call of a method. A reply that cannot be queued is one that the bus has lost with everything else.
  func reply(_ text: String? = nil) { csdbus_reply(message, text) }

  func refuse(_ error: String, _ text: String) { csdbus_refuse(message, error, text) }

  func string() -> String? { text("s") }

  func objectPath() -> String? { text("o") }

  /// Reads an array of entries, each a key of type `key` with a value of type `value`; `body` reads both.
  func entries(_ key: Character, _ value: String, _ body: () -> Bool) -> Bool {
    let contents = "\(key)\(value)"
    guard enter("a", "{\(contents)}") else { return false }
    while enter("e", contents) {
      guard body(), leave() else { return false }
    }
    return leave()
  }

  /// Reads an array of strings.
  func strings() -> [String]? {
    guard enter("a", "s") else { return nil }
    var found: [String] = []
    while let text = string() { found.append(text) }
    return leave() ? found : nil
  }

  /// Reads a variant; nil unless it holds a string or an object path, else it is skipped.
  func variantText() -> String? {
    for type in ["s", "o"] as [Character] where isNextVariant(of: type) {
      guard enter("v", String(type)) else { return nil }
      let found = text(type)
      return leave() ? found : nil
    }
    skip("v")
    return nil
  }

  /// Reads a variant with a Boolean; nil for any other, which is skipped.
  func variantBoolean() -> Bool? {
    guard isNextVariant(of: "b"), enter("v", "b") else {
      skip("v")
      return nil
    }
    var value = false
    guard csdbus_read_boolean(message, &value) >= 0 else { return nil }
    return leave() ? value : nil
  }

  /// Reads a variant with a number of 16 bits without a sign; nil for any other, which is skipped.
  func variantNumber() -> UInt16? {
    guard isNextVariant(of: "q"), enter("v", "q") else {
      skip("v")
      return nil
    }
    var value: UInt16 = 0
    guard csdbus_read_uint16(message, &value) >= 0 else { return nil }
    return leave() ? value : nil
  }

  /// Reads a variant with an array of strings; nil for any other, which is skipped.
  func variantStrings() -> [String]? {
    guard csdbus_is_next(message, Character("v").code, "as"), enter("v", "as") else {
      skip("v")
      return nil
    }
    guard let found = strings() else { return nil }
    return leave() ? found : nil
  }

  @discardableResult
  func skip(_ types: String) -> Bool { csdbus_skip(message, types) >= 0 }

  private func isNextVariant(of type: Character) -> Bool { csdbus_is_next(message, Character("v").code, String(type)) }

  private func text(_ type: Character) -> String? {
    var text: UnsafePointer<CChar>?
    guard csdbus_read_text(message, type.code, &text) >= 0 else { return nil }
    return text.map { String(cString: $0) }
  }

  private func enter(_ type: Character, _ contents: String) -> Bool { csdbus_enter(message, type.code, contents) > 0 }

  private func leave() -> Bool { csdbus_leave(message) >= 0 }
}

extension Character {
  var code: CChar { CChar(bitPattern: asciiValue ?? 0) }
}
