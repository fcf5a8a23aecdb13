import AudioSession
import Files
import Jukebox

extension SettingsFile {
  static func readInterruptions(_ table: TOMLTable, into settings: inout Settings) throws(FileError) {
    settings.interruptionPolicy = try table.optional("interruption_policy", .word) ?? settings.interruptionPolicy
    settings.interruptionLimit = try table.optional("interruption_limit", toADay) ?? settings.interruptionLimit
  }

  static func readDucking(_ table: TOMLTable, into settings: inout Settings) throws(FileError) {
    let fade: TOMLShape<Duration> = .duration(in: .zero ... .seconds(10))
    settings.duckLevel = try table.optional("duck_level", .number(in: -60...0)) ?? settings.duckLevel
    settings.duckFadeDown = try table.optional("duck_fade_down", fade) ?? settings.duckFadeDown
    settings.duckFadeUp = try table.optional("duck_fade_up", fade) ?? settings.duckFadeUp
  }

  static func readRecording(_ table: TOMLTable, into kiosk: inout KioskSettings) throws(FileError) {
    let megabyte = 1_000_000
    kiosk.settings.recordingLimit =
      try table.optional("recording_limit", toADay) ?? kiosk.settings.recordingLimit
    if let size = try table.optional("recording_size", .integer(in: 1...4_000)) {
      kiosk.recording.sizeLimit = size * megabyte
    }
    if let floor = try table.optional("free_space", .integer(in: 0...1_000_000)) {
      kiosk.recording.freeSpaceFloor = floor * megabyte
    }
    let days: TOMLShape<Duration> = .duration(in: .seconds(86_400) ... .seconds(3_650 * 86_400), orZero: true)
    kiosk.recording.retention = try table.optional("retention", days).flatMap { $0 == .zero ? nil : $0 }
  }

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
