import AudioSession
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
  /// Folders whose storage does not answer, into which nobody looks.
  var silent: Set<FileName> = []

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

  /// The folders of music that answer, and where they are named.
  var folders: [MusicFolder] {
    let setting = settings.musicLine.map { "\(file):\($0)" } ?? (file.isEmpty ? nil : file)
    return music.filter { !silent.contains(FileName($0)) }.map { MusicFolder(path: $0, setting: setting) }
  }

  /// Where the cues are, which need not be there.
  var cueFolder: String { settings.cueFolder ?? chosenBoard.beside("cues") }

  /// Throws where one that the settings name is not there.
  func cues() throws(CommandError) -> [Cue] {
    let found = cueFiles
    if let fault = found.fault { throw fault }
    return found.cues
  }

  /// Those that are there, and those that should be.
  var cueFiles: CueFiles {
    if silent.contains(FileName(cueFolder)) {
      let fault = CommandError("jackdaw: \(Wording.path(cueFolder)): \(SilentFolders.reason)")
      return CueFiles(settings, fault: fault)
    }
    return CueFiles(settings, fallback: cueFolder, file: file)
  }

  /// What is not as it should be in the board file and the settings.
  var remarks: [FileError] { chosenBoard.board.remarks + settings.remarks }
}
