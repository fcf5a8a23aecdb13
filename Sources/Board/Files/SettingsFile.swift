import AudioSession
import Jukebox

/// What the owner of a kiosk wishes: the content of `deploy/jackdaw.toml`, checked.
public struct KioskSettings: Hashable, Sendable {
  public var settings: Settings
  /// Folders to play, in this order.
  public var music: [String]
  /// Folder of the state file; nil: nothing is remembered over a power cut.
  public var state: String?

  public init(settings: Settings = Settings(), music: [String] = [], state: String? = nil) {
    self.settings = settings
    self.music = music
    self.state = state
  }
}

/// Reads `deploy/jackdaw.toml`, the file that says what a kiosk does. Every key may be left out.
public enum SettingsFile {
  /// All keys of the file.
  public static let keys = [
    "music", "state", "resume_window", "prompt_timeout", "on_connect", "route", "play_on_boot", "repeat", "shuffle",
    "start_volume", "volume_step", "play_held", "play_twice", "stuck_after", "idle_reset",
  ]

  /// Reads and checks a settings file. Throws at the first thing that is wrong with it.
  ///
  /// - Parameter ports: those of the board, which `route` may name.
  public static func read(_ path: String, ports: [Port] = Port.allCases) throws(FileError) -> KioskSettings {
    try parse(FileAccess.read(path), file: path, ports: ports)
  }

  /// Checks the text of a settings file. Relative folders in it are relative to the folder of `file`.
  public static func parse(
    _ text: [UInt8], file: String, ports: [Port] = Port.allCases
  ) throws(FileError) -> KioskSettings {
    let table = try TOMLTable(parsing: text, file: file)
    try table.allowOnly(keys)
    let folder = FileAccess.folder(of: file)
    let music = try table.optional("music", .texts) ?? []
    let state = try table.optional("state", .text)
    var settings = Settings()
    try readUnplugging(table, into: &settings)
    try readPlaying(table, ports, into: &settings)
    try readButtons(table, into: &settings)
    return KioskSettings(
      settings: settings,
      music: music.map { FileAccess.join(folder, $0) },
      state: state.map { FileAccess.join(folder, $0) })
  }

  private static let toADay: TOMLShape<Duration> = .duration(in: .seconds(1) ... .seconds(86_400), orZero: true)

  private static func readUnplugging(_ table: TOMLTable, into settings: inout Settings) throws(FileError) {
    settings.resumeWindow = try table.optional("resume_window", toADay) ?? settings.resumeWindow
    settings.promptTimeout = try table.optional("prompt_timeout", toADay) ?? settings.resumeWindow
    settings.onConnect = try table.optional("on_connect", .word) ?? settings.onConnect
    settings.idleReset = try table.optional("idle_reset", toADay) ?? settings.idleReset
  }

  private static func readPlaying(
    _ table: TOMLTable, _ ports: [Port], into settings: inout Settings
  ) throws(FileError) {
    var routes: [(word: String, value: Port?)] = [("auto", nil)]
    for port in ports { routes.append((port.rawValue, port)) }
    settings.route = try table.optional("route", .choice(routes)) ?? settings.route
    settings.playOnBoot = try table.optional("play_on_boot", .boolean) ?? settings.playOnBoot
    settings.repeats = try table.optional("repeat", .word) ?? settings.repeats
    settings.shuffle = try table.optional("shuffle", .boolean) ?? settings.shuffle
    settings.startVolume = try table.optional("start_volume", .integer(in: 0...100)) ?? settings.startVolume
  }

  private static func readButtons(_ table: TOMLTable, into settings: inout Settings) throws(FileError) {
    settings.volumeStep = try table.optional("volume_step", .integer(in: 1...100)) ?? settings.volumeStep
    settings.playHeld = try table.optional("play_held", .word) ?? settings.playHeld
    settings.playTwice = try table.optional("play_twice", .word) ?? settings.playTwice
    settings.stuckAfter =
      try table.optional("stuck_after", .duration(in: .seconds(1) ... .seconds(600))) ?? settings.stuckAfter
  }
}
