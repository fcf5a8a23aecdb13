import AudioSession
import Board
import BoardFiles
import Files
import Jukebox
import TrackDecoding

@testable import Simulator

/// A kiosk to be tried: a board and its owner's wishes, with music that says which of its frames is heard how loud.
public struct Kiosk {
  /// Those in `Tests/Soak/Kiosks`.
  public static let names = ["lobby", "exhibit", "booth"]

  public let name: String
  public let boardFile: String
  public let settingsFile: String
  public let board: BoardDescription
  public let settings: KioskSettings
  public let library: [Track]
  public let cues: [Cue]
  /// Remembers what was decoded, from life to life.
  public let opener: any TrackOpener

  /// Reads the kiosk's files in `folder` and makes its music, unless that is there.
  public init(_ name: String, in folder: String) throws {
    self.name = name
    boardFile = FileAccess.join(folder, "\(name == "booth" ? "booth" : "lobby").board.toml")
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
      let wish = settings.cues.first { $0.name == found.name }
      return Cue(
        name: found.name, path: found.path, client: wish?.client ?? SessionClient.cue.name, event: wish?.event,
        time: wish?.time)
    }
    opener = TrackMemory(over: FileTrackOpener())
  }
}
