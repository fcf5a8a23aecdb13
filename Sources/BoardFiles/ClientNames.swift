import AudioSession
import Files

/// The rule for names of session clients, as errors quote it.
enum ClientNames {
  static let rule = "1...31 lower-case letters, digits and hyphens"
}

extension TOMLShape where Value == ClientName {
  /// The name of a client that may speak a cue, of a board that is not known.
  static var speaker: Self {
    let silent = ClientName.own.filter { $0 != .cue }.map(\.text)
    return Self(type: "a name of", expected: "\(ClientNames.rule), not \(Wording.list(silent))") { value in
      value.kind == .string(ClientName.cue.text) ? .good(.cue) : interrupter.read(value)
    }
  }

  /// The name of a client that a contact may activate.
  static var interrupter: Self {
    Self(type: "a name of", expected: "\(ClientNames.rule), not \(Wording.list(ClientName.own.map(\.text)))") { value in
      guard case .string(let text) = value.kind else { return .wrongType }
      guard let name = ClientName(text), !ClientName.own.contains(name) else {
        return .bad("found \(value.found)", line: value.line)
      }
      return .good(name)
    }
  }
}
