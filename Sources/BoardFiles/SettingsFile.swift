import AudioSession
import Files
import Jukebox

/// Reads `deploy/jackdaw.toml`, the settings of a kiosk. Every key is optional.
public enum SettingsFile {
  /// The names of its tables.
  static let tables = ["sessions", "cues", "tokens", "hours", "timetable", "quiet", "credits", "fleet"]

  static var keyNames: [String] { keys.map(\.name) }

  /// Reads and checks a settings file. Throws all errors in it as one.
  ///
  /// - Parameters:
  ///   - ports: those of the board, which `route` may name.
  ///   - interrupters: the clients that contacts of the board activate, which a cue may name; nil: the board is not known.
  public static func read(
    _ path: String, ports: [Port] = Port.allCases, interrupters: [ClientName]? = []
  ) throws(FileError) -> KioskSettings {
    try parse(FileAccess.read(path), file: path, ports: ports, interrupters: interrupters)
  }

  /// Checks the text of a settings file. Relative folders in it are relative to the folder of `file`.
  public static func parse(
    _ text: [UInt8], file: String, ports: [Port] = Port.allCases, interrupters: [ClientName]? = []
  ) throws(FileError) -> KioskSettings {
    try TOMLTable.reading(text, file: file, rootKeys: keyNames + ["quiet"]) { (table) throws(FileError) in
      try read(table, ports: ports, interrupters: interrupters)
    }
  }

  private static func read(
    _ table: TOMLTable, ports: [Port], interrupters: [ClientName]?
  ) throws(FileError) -> KioskSettings {
    try table.allowOnly(keyNames + tables)
    var kiosk = KioskSettings()
    // A wrong `choice` may have meant "queue", so the settings of requests are not refused as well.
    kiosk.settings.requests = table.has("choice") ? RequestSettings() : nil
    for key in keys { try key.read(table, ports, &kiosk) }
    if ports.allSatisfy(kiosk.unwired.contains) {
      try table.keep(table.error("unwired", "names all ports of the board, expected one to be left"))
    }
    for port in kiosk.unwired where !ports.contains(port) {
      table.warn(table.error("unwired", "this board has no port \(port.rawValue)"))
    }
    locate(&kiosk, table)
    leaveOutRepeated(&kiosk.music, table)
    kiosk.clients = try clients(table, content: kiosk.settings.content)
    try readCues(table, interrupters, into: &kiosk)
    kiosk.settings.hours = try hours(table)
    try readTokens(table, into: &kiosk)
    try readRequests(table, into: &kiosk)
    try readTimetable(table, into: &kiosk)
    kiosk.settings.quiet = try quiet(table)
    try readFleet(table, into: &kiosk)
    kiosk.remarks = table.remarks
    return kiosk
  }

  private static func leaveOutRepeated(_ music: inout [String], _ table: TOMLTable) {
    var known: Set<FileName> = []
    let folders = music.filter { folder in
      // As the disk reads it: `a//b/.` is `a/b`.
      let parts = folder.split(separator: "/").filter { $0 != "." }
      return known.insert(FileName((folder.first == "/" ? "/" : "") + parts.joined(separator: "/"))).inserted
    }
    if folders.count < music.count { table.warn(table.error("music", "names a folder twice, which counts once")) }
    music = folders
  }

  /// Finds the folders, and the lines of what only the music can prove wrong.
  private static func locate(_ kiosk: inout KioskSettings, _ table: TOMLTable) {
    let folder = FileAccess.folder(of: table.file)
    kiosk.music = kiosk.music.map { FileAccess.join(folder, $0) }
    kiosk.state = kiosk.state.map { FileAccess.join(folder, $0) }
    kiosk.cueFolder = kiosk.cueFolder.map { FileAccess.join(folder, $0) }
    kiosk.recording.folder = kiosk.recording.folder.map { FileAccess.join(folder, $0) }
    kiosk.musicLine = kiosk.music.isEmpty ? nil : table.line(of: "music")
    kiosk.cueButtonLine = table.line(of: "cue_button")
  }
}
