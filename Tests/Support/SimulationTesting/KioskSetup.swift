import AudioSession
import Board
import BoardFiles
import Files
import Jukebox
import Simulator
import TrackDecoding

/// A kiosk to test: a board and settings, with music whose samples say which frame is heard and how loud (`TestMusic`).
public struct KioskSetup {
  /// The kiosks in `Tests/Programs/Soak/Kiosks`.
  public static let names = ["lobby", "exhibit", "booth", "headset", "shop", "museum"]

  /// The kiosks with the board of the lobby.
  static let lobbies = ["lobby", "exhibit", "shop", "museum"]

  public let name: String
  public let boardFile: String
  public let settingsFile: String
  public let board: BoardDescription
  public let settings: KioskSettings
  public let library: [Track]
  public let cues: [Cue]
  /// Caches what was decoded, from run to run.
  public let opener: any TrackOpener

  /// Reads the kiosk's files in `folder`, and generates its music unless that exists.
  public init(_ name: String, in folder: String) throws {
    self.name = name
    boardFile = FileAccess.join(folder, "\(Self.lobbies.contains(name) ? "lobby" : name).board.toml")
    settingsFile = FileAccess.join(folder, "\(name).toml")
    board = try BoardFile.read(boardFile)
    let settings = try SettingsFile.read(
      settingsFile, ports: board.ports.map(\.output.port), interrupters: board.interrupters)
    self.settings = settings
    let music = settings.music.first ?? folder
    let cueFolder = settings.cueFolder ?? folder
    try TestMusic.write(music: music, cues: cueFolder, rate: board.rate)
    library = try LibraryScan.list([music]).tracks.map { path in
      Track(path: path, name: String(path.dropFirst(music.count + 1)))
    }
    cues = try CueScan.list(cueFolder).map { found in
      let setting = settings.cues.first { $0.name == found.name }
      return Cue(
        name: found.name, path: found.path, client: setting?.client ?? .cue, event: setting?.event)
    }
    opener = TrackCache(over: FileTrackOpener())
  }
}
