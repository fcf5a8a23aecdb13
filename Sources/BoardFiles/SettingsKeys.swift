import AudioSession
import Files
import Jukebox

extension SettingsFile {
  /// All settings above the first table, in the order of jackdaw.toml, which documents them. A setting may depend on those
  /// before it.
  static let keys: [SettingsKey] =
    music + unplugging + buttons + visits + requests + interruptions + cueing + recording

  private static let music = [
    SettingsKey("music", .folders) { $0.music = $1 },
    SettingsKey("state", .folder) { $0.state = $1 },
    SettingsKey("save_interval", .duration(in: .seconds(1) ... .seconds(3_600))) { $0.settings.saveInterval = $1 },
    SettingsKey("content", .word) { $0.settings.content = $1 },
    SettingsKey("replay_gain", .word) { $0.replayGain = $1 },
    SettingsKey("repeat", .word) { $0.settings.repeats = $1 },
    SettingsKey("shuffle", .boolean) { $0.settings.shuffle = $1 },
    SettingsKey("again", .word) { $0.settings.again = $1 },
    SettingsKey("after_track", .word) { $0.settings.afterTrack = $1 },
    SettingsKey("playlist_start", .word) { $0.settings.playlistStart = $1 },
    SettingsKey("play_on_boot", .boolean) { $0.settings.playOnBoot = $1 },
    SettingsKey("unwired", on: { ports, _ in .ports(ports, orOf: Port.allCases) }) { $0.unwired = $1 },
    SettingsKey("route", on: { ports, kiosk in .route(ports, unwired: kiosk.unwired) }) { $0.settings.route = $1 },
  ]

  private static let unplugging = [
    SettingsKey("resume_window", toADay) { ($0.settings.resumeWindow, $0.settings.promptTimeout) = ($1, $1) },
    SettingsKey("prompt_timeout", toADay) { $0.settings.promptTimeout = $1 },
    SettingsKey("visit_gap", toADay) { $0.settings.visitGap = $1 },
    SettingsKey("on_connect", .word) { $0.settings.onConnect = $1 },
    SettingsKey("bluetooth_stall", .duration(in: .milliseconds(100) ... .seconds(10))) {
      $0.settings.bluetoothStall = $1
    },
    SettingsKey("bluetooth_allowed", .bluetoothAddresses) { $0.settings.bluetoothAllowed = $1 },
  ]

  private static let buttons = [
    SettingsKey("start_volume", .integer(in: 0...100)) { $0.settings.startVolume = $1 },
    SettingsKey("volume_step", .integer(in: 1...100)) { $0.settings.volumeStep = $1 },
    SettingsKey("play_held", .word) { $0.settings.playHeld = $1 },
    SettingsKey("play_twice", .word) { $0.settings.playTwice = $1 },
    SettingsKey("sleep_step", .duration(in: .seconds(60) ... .seconds(86_400))) { $0.settings.sleepStep = $1 },
    SettingsKey("stuck_after", .duration(in: .seconds(1) ... .seconds(600))) { $0.settings.stuckAfter = $1 },
    SettingsKey("typing_timeout", .duration(in: .seconds(1) ... .seconds(60))) { $0.settings.typingTimeout = $1 },
    SettingsKey("reader_repeat", .duration(in: .milliseconds(100) ... .seconds(60), orZero: true)) {
      $0.settings.readerRepeat = $1
    },
    SettingsKey("without_card", .word) { $0.settings.withoutCard = $1 },
  ]

  private static let visits = [SettingsKey("idle_reset", toADay) { $0.settings.idleReset = $1 }]

  private static let interruptions = [
    SettingsKey("interruption_policy", .word) { $0.settings.interruptionPolicy = $1 },
    SettingsKey("interruption_limit", toADay) { $0.settings.interruptionLimit = $1 },
  ]

  private static let cueing = [
    SettingsKey("duck_level", .number(in: -60...0)) { $0.settings.duckLevel = $1 },
    SettingsKey("duck_fade_down", fade) { $0.settings.duckFadeDown = $1 },
    SettingsKey("duck_fade_up", fade) { $0.settings.duckFadeUp = $1 },
    SettingsKey("cue_folder", .folder) { $0.cueFolder = $1 },
    SettingsKey("cue_button", .text) { $0.settings.cueButton = $1 },
  ]

  private static let recording = [
    SettingsKey("recordings", .folder) { $0.recording.folder = $1 },
    SettingsKey("recording_limit", toADay) { $0.settings.recordingLimit = $1 },
    SettingsKey("recording_size", .integer(in: 1...4_000)) { $0.recording.sizeLimit = $1 * megabyte },
    SettingsKey("free_space", .integer(in: 0...1_000_000)) { $0.recording.freeSpaceFloor = $1 * megabyte },
    SettingsKey("retention", .duration(in: .seconds(day) ... .seconds(3_650 * day), orZero: true)) {
      $0.recording.retention = $1 == .zero ? nil : $1
    },
    SettingsKey("clock", .word) { $0.clock = $1 },
  ]

  private static let day = 86_400
  private static let megabyte = 1_000_000
  private static let toADay = TOMLShape<Duration>.duration(in: .seconds(1) ... .seconds(day), orZero: true)
  private static let fade = TOMLShape<Duration>.duration(in: .zero ... .seconds(10))
}

extension TOMLShape where Value == Port? {
  /// A port, or "auto".
  fileprivate static func route(_ ports: [Port], unwired: [Port]) -> Self {
    let wired = ports.filter { !unwired.contains($0) }
    let known = choice([("auto", nil)] + wired.map { ($0.rawValue, Port?.some($0)) })
    return Self(expected: known.expected) { value in
      guard case .string(let word) = value.kind, unwired.contains(where: { $0.rawValue == word }) else {
        return known.read(value)
      }
      return .bad("\(value.found) is unwired (see `unwired`)", line: value.line)
    }
  }
}
