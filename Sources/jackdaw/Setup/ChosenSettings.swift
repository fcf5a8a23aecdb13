import BoardFiles
import Files
import Glibc
import Jukebox

/// The settings of the `--settings` option, checked for the board.
struct ChosenSettings {
  var chosenBoard: ChosenBoard
  var settings = KioskSettings()
  /// The path of the settings file; empty where there is none.
  var file: String

  init(_ file: String?, for chosenBoard: ChosenBoard) throws(CommandError) {
    self.chosenBoard = chosenBoard
    self.file = file ?? ""
    guard let file else { return }
    let (ports, interrupters) = (chosenBoard.board.ports.map(\.output.port), chosenBoard.board.interrupters)
    settings = try CommandError.about { () throws(FileError) in
      try SettingsFile.read(file, ports: ports, interrupters: interrupters)
    }
    self.chosenBoard.board = chosenBoard.board.without(settings.unwired)
  }

  /// The folders of music, where the command line names none.
  var music: [String] {
    let folder = chosenBoard.beside("music")
    return settings.music.isEmpty && access(folder, R_OK) == 0 ? [folder] : settings.music
  }

  /// The folders of music, and where they are named.
  var folders: [MusicFolder] {
    let setting = settings.musicLine.map { "\(file):\($0)" } ?? (file.isEmpty ? nil : file)
    return music.map { MusicFolder(path: $0, setting: setting) }
  }

  func cues() throws(CommandError) -> [Cue] {
    try CueFiles.find(settings, fallback: chosenBoard.beside("cues"), file: file)
  }
}
