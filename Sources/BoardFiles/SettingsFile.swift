import AudioSession
import Files
import Jukebox

/// Reads `deploy/jackdaw.toml`, the settings of a kiosk. Every key is optional.
public enum SettingsFile {
  /// All keys of the file other than tables.
  public static let keys = [
    "music", "unwired", "state", "content", "replay_gain", "resume_window", "prompt_timeout", "on_connect",
    "bluetooth_stall",
    "bluetooth_allowed",
    "route",
    "play_on_boot", "repeat",
    "shuffle", "choice", "after_requests", "requests_limit", "request_twice", "background", "attract",
    "attract_playlist", "attract_volume", "again",
    "after_track",
    "playlist_start", "save_interval",
    "start_volume", "volume_step", "sleep_step", "play_held", "play_twice", "stuck_after", "typing_timeout",
    "reader_repeat", "without_card",
    "visit_gap", "idle_reset",
    "interruption_policy", "interruption_limit", "duck_level", "duck_fade_down", "duck_fade_up", "cue_folder",
    "cue_button", "recordings", "recording_limit", "recording_size", "free_space", "retention",
    "clock",
  ]
  /// Its tables.
  public static let tables = ["sessions", "cues", "tokens", "hours", "timetable", "quiet", "credits", "fleet"]

  /// Reads and checks a settings file. Throws all errors in it as one.
  ///
  /// - Parameters:
  ///   - ports: those of the board, which `route` may name.
  ///   - interrupters: the clients that contacts of the board activate, which a cue may name.
  public static func read(
    _ path: String, ports: [Port] = Port.allCases, interrupters: [ClientName] = []
  ) throws(FileError) -> KioskSettings {
    try parse(FileAccess.read(path), file: path, ports: ports, interrupters: interrupters)
  }

  /// Checks the text of a settings file. Relative folders in it are relative to the folder of `file`.
  public static func parse(
    _ text: [UInt8], file: String, ports: [Port] = Port.allCases, interrupters: [ClientName] = []
  ) throws(FileError) -> KioskSettings {
    try TOMLTable.reading(text, file: file, rootKeys: keys + ["quiet"]) { (table) throws(FileError) in
      try read(table, ports: ports, interrupters: interrupters)
    }
  }

  private static func read(
    _ table: TOMLTable, ports: [Port], interrupters: [ClientName]
  ) throws(FileError) -> KioskSettings {
    try table.allowOnly(keys + tables)
    var kiosk = KioskSettings()
    try readFolders(table, into: &kiosk)
    kiosk.replayGain = try table.optional("replay_gain", .word) ?? kiosk.replayGain
    try readUnplugging(table, into: &kiosk.settings)
    kiosk.unwired = try unwired(table, of: ports)
    try readPlaying(
      table, ports.filter { !kiosk.unwired.contains($0) }, unwired: kiosk.unwired, into: &kiosk.settings)
    try readButtons(table, into: &kiosk.settings)
    try readInterruptions(table, into: &kiosk.settings)
    try readDucking(table, into: &kiosk.settings)
    try readRecording(table, into: &kiosk)
    kiosk.clock = try table.optional("clock", .word) ?? kiosk.clock
    kiosk.clients = try clients(table, content: kiosk.settings.content)
    try readCues(table, interrupters, into: &kiosk)
    kiosk.settings.hours = try hours(table)
    try readTokens(table, into: &kiosk)
    kiosk.settings.requests = try requests(table)
    kiosk.creditsLine = table.line(of: "credits")
    try readTimetable(table, into: &kiosk)
    kiosk.settings.quiet = try quiet(table)
    kiosk.fleet = try fleet(table)
    return kiosk
  }

  static let toADay: TOMLShape<Duration> = .duration(in: .seconds(1) ... .seconds(86_400), orZero: true)

  private static func readFolders(_ table: TOMLTable, into kiosk: inout KioskSettings) throws(FileError) {
    let folder = FileAccess.folder(of: table.file)
    kiosk.music = try (table.optional("music", .folders) ?? []).map { FileAccess.join(folder, $0) }
    kiosk.musicLine = kiosk.music.isEmpty ? nil : table.line(of: "music")
    kiosk.state = try table.optional("state", .folder).map { FileAccess.join(folder, $0) }
    kiosk.cueFolder = try table.optional("cue_folder", .folder).map { FileAccess.join(folder, $0) }
    kiosk.recording.folder = try table.optional("recordings", .folder).map { FileAccess.join(folder, $0) }
  }

  private static func unwired(_ table: TOMLTable, of ports: [Port]) throws(FileError) -> [Port] {
    let unwired = try table.optional("unwired", .ports(ports)) ?? []
    if ports.allSatisfy(unwired.contains) {
      try table.keep(table.error("unwired", "names all ports of the board, expected one to be left"))
    }
    return unwired
  }

  private static func route(_ ports: [Port], unwired: [Port]) -> TOMLShape<Port?> {
    var routes: [(word: String, value: Port?)] = [("auto", nil)]
    for port in ports { routes.append((port.rawValue, port)) }
    let known = TOMLShape<Port?>.choice(routes)
    return TOMLShape(expected: known.expected) { value in
      guard case .string(let word) = value.kind, unwired.contains(where: { $0.rawValue == word }) else {
        return known.read(value)
      }
      return .bad("\(value.found) is unwired (see `unwired`)", line: value.line)
    }
  }

  private static func readUnplugging(_ table: TOMLTable, into settings: inout Settings) throws(FileError) {
    settings.resumeWindow = try table.optional("resume_window", toADay) ?? settings.resumeWindow
    settings.promptTimeout = try table.optional("prompt_timeout", toADay) ?? settings.resumeWindow
    settings.onConnect = try table.optional("on_connect", .word) ?? settings.onConnect
    let stall: TOMLShape<Duration> = .duration(in: .milliseconds(100) ... .seconds(10))
    settings.bluetoothStall = try table.optional("bluetooth_stall", stall) ?? settings.bluetoothStall
    settings.bluetoothAllowed =
      try table.optional("bluetooth_allowed", .bluetoothAddresses) ?? settings.bluetoothAllowed
    settings.visitGap = try table.optional("visit_gap", toADay) ?? settings.visitGap
    settings.idleReset = try table.optional("idle_reset", toADay) ?? settings.idleReset
  }

  private static func readPlaying(
    _ table: TOMLTable, _ ports: [Port], unwired: [Port], into settings: inout Settings
  ) throws(FileError) {
    settings.content = try table.optional("content", .word) ?? settings.content
    settings.route = try table.optional("route", route(ports, unwired: unwired)) ?? settings.route
    let interval: TOMLShape<Duration> = .duration(in: .seconds(1) ... .seconds(3_600))
    settings.saveInterval = try table.optional("save_interval", interval) ?? settings.saveInterval
    settings.playOnBoot = try table.optional("play_on_boot", .boolean) ?? settings.playOnBoot
    settings.repeats = try table.optional("repeat", .word) ?? settings.repeats
    settings.shuffle = try table.optional("shuffle", .boolean) ?? settings.shuffle
    settings.again = try table.optional("again", .word) ?? settings.again
    settings.afterTrack = try table.optional("after_track", .word) ?? settings.afterTrack
    settings.playlistStart = try table.optional("playlist_start", .word) ?? settings.playlistStart
    settings.startVolume = try table.optional("start_volume", .integer(in: 0...100)) ?? settings.startVolume
  }

  private static func readButtons(_ table: TOMLTable, into settings: inout Settings) throws(FileError) {
    settings.volumeStep = try table.optional("volume_step", .integer(in: 1...100)) ?? settings.volumeStep
    let step: TOMLShape<Duration> = .duration(in: .seconds(60) ... .seconds(86_400))
    settings.sleepStep = try table.optional("sleep_step", step) ?? settings.sleepStep
    settings.playHeld = try table.optional("play_held", .word) ?? settings.playHeld
    settings.playTwice = try table.optional("play_twice", .word) ?? settings.playTwice
    settings.typingTimeout =
      try table.optional("typing_timeout", .duration(in: .seconds(1) ... .seconds(60))) ?? settings.typingTimeout
    let repeating: TOMLShape<Duration> = .duration(in: .milliseconds(100) ... .seconds(60), orZero: true)
    settings.readerRepeat = try table.optional("reader_repeat", repeating) ?? settings.readerRepeat
    settings.withoutCard = try table.optional("without_card", .word) ?? settings.withoutCard
    settings.stuckAfter =
      try table.optional("stuck_after", .duration(in: .seconds(1) ... .seconds(600))) ?? settings.stuckAfter
  }
}
