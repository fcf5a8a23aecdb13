import AudioSession
import Files

/// The names of session clients as the files may write them.
enum ClientNames {
  static let rule = "1...31 lower-case letters, digits and hyphens"
}

extension TOMLShape where Value == String {
  /// The name of a client that a contact may speak for.
  static var interrupter: Self {
    Self(type: "a name of", expected: "\(ClientNames.rule), not \(Wording.list(SessionClient.ownNames))") { value in
      guard case .string(let name) = value.kind else { return .wrongType }
      let isGood = SessionClient.isName(name) && !SessionClient.ownNames.contains(name)
      return isGood ? .good(name) : .bad("found \(value.found)", line: value.line)
    }
  }
}
