import AudioSession
import Files
import Jukebox

extension SettingsFile {
  /// The clients of `[sessions.NAME]`.
  static func clients(_ root: TOMLTable, content: Settings.Content) throws(FileError) -> [SessionClient] {
    var clients: [SessionClient] = []
    var sessions = try root.table("sessions")
    // Here it is the name of a client, and no setting that belongs elsewhere.
    sessions?.rootKeys.removeAll { $0 == ClientName.music.text }
    for (name, found) in try sessions?.tables() ?? [] {
      var table = found
      table.rootKeys = root.rootKeys
      if let client = try table.attempt({ () throws(FileError) in try self.client(name, table) }) {
        clients.append(client)
      }
    }
    guard content == .speech else { return clients }
    if !clients.contains(where: { $0.name == .music }) { clients.append(.music) }
    return clients.map { client in
      var client = client
      client.isSpeech = client.name == .music
      return client
    }
  }

  private static func client(_ text: String, _ table: TOMLTable) throws(FileError) -> SessionClient {
    let name = ClientName(text)
    if name == nil {
      try table.keep(table.error("not a client's name, expected \(ClientNames.rule)"))
    }
    try table.allowOnly(["category", "options", "priority"])
    let known = SessionClient.own
    var client = known.first { $0.name == name } ?? .page
    client.name = name ?? client.name
    if let category = try table.optional("category", TOMLShape<SessionCategory>.word) {
      let suitable = categories(of: name)
      if !suitable.contains(category) {
        let words = Wording.list(suitable.map(\.rawValue))
        try table.keep(
          table.error("category", "\"\(category.rawValue)\" does not suit \(text), expected \(words)"))
      }
      client.category = category
    }
    client.options = try table.optional("options", .words()) ?? client.options
    client.priority = try table.optional("priority", .integer(in: 0...100)) ?? client.priority
    return client
  }

  /// The categories that suit a client: the recorder needs an input, all others need an output.
  private static func categories(of client: ClientName?) -> [SessionCategory] {
    if client == .recorder { return [.record, .playAndRecord] }
    return SessionCategory.allCases.filter { $0 != .record }
  }
}
