import AudioSession
import Board
import Files
import Jukebox

/// The checked content of `deploy/jackdaw.toml`.
public struct KioskSettings: Hashable, Sendable {
  public var settings = Settings()
  /// Folders to play, in this order.
  public var music: [String] = []
  /// The line of `music`; nil where it names no folder.
  public var musicLine: Int?
  /// Ports of the board to which nothing is wired.
  public var unwired: [Port] = []
  /// Folder of the state file; nil: no state survives a power cut.
  public var state: String?
  /// The session clients that the file names, in its order; music, too, where it is speech.
  public var clients: [SessionClient] = []
  /// Folder of the cues; nil: the one beside the board's music.
  public var cueFolder: String?
  /// Line of `cue_button`, which `Settings` holds; nil: it is not written.
  public var cueButtonLine: Int?
  /// What the file says about single cues, in its order.
  public var cues: [CueSettings] = []
  /// The line of each entry of `Settings.timetable`.
  public var timetableLines: [Int] = []
  /// The line of `[credits]`; nil: there is none.
  public var creditsLine: Int?
  /// The line of each token of `Settings.tokens`.
  public var tokenLines: [String: Int] = [:]
  /// Which of a track's own gains is applied.
  public var replayGain = ReplayGain.off
  /// Whether the board's clock is believed.
  public var clock = ClockSetting.auto
  /// `folder` is nil where the file leaves it to the command.
  public var recording = RecordingSettings(sizeLimit: 500_000_000)
  /// The settings of `jackdaw-fleet`; the firmware does not use them.
  public var fleet = FleetSettings()
  /// What is wrong in `[fleet]`.
  public var fleetFaults: [FileError] = []
  /// What is not as it should be, and no reason to refuse the file; `fleetFaults`, too.
  public var remarks: [FileError] = []

  public init() {}

  /// Checks that every cue which `file` names is one of `names`, the cues found in `folder`; nil where there is no such
  /// folder.
  public func checkCues(_ names: [String]?, in folder: String, file: String) throws(FileError) {
    let faults = TOMLFaults()
    func check(_ name: String, _ field: String, _ line: Int) {
      if names?.contains(name) ?? false { return }
      let there =
        switch names {
        case nil: "there is no such folder"
        case []?: "there is no sound file in it"
        case let names?: "expected \(Wording.list(names.map(Wording.quoted)))"
        }
      let message = "\(Wording.quoted(name)) is no cue of \(Wording.path(folder)), \(there)"
      faults.add(FileError(file: file, line: line, field: field, message: message))
    }
    for cue in cues { check(cue.name, "cues.\(Wording.key(cue.name))", cue.line) }
    for (entry, line) in zip(settings.timetable, timetableLines) {
      if case .cue(let name) = entry.action, !cues.contains(where: { $0.name == name && $0.line == line }) {
        check(name, "timetable.cue", line)
      }
    }
    for (token, line) in tokenLines.sorted(by: { $0.value < $1.value }) {
      guard case .cue(let name) = settings.tokens[token] else { continue }
      check(name, "tokens.\(Wording.key(token)).cue", line)
    }
    if let line = cueButtonLine { check(settings.cueButton, "cue_button", line) }
    try faults.check(file: file)
  }
}

/// Whether the board's clock is believed (N5).
public enum ClockSetting: String, Hashable, Sendable, CaseIterable {
  /// It is believed when the kernel says that it is synchronised, or somebody has set it.
  case auto
  /// It is believed from power on.
  case trusted
}

/// The settings of one cue: `[cues.NAME]`.
public struct CueSettings: Hashable, Sendable {
  /// The file's name without its ending.
  public var name: String
  /// The session client that speaks it.
  public var client = ClientName.cue
  /// The event on which it is spoken.
  public var event: EventName?
  /// The line of its table in the settings file.
  public var line: Int
}
