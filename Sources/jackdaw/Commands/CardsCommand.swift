import AudioSession
import BoardFiles
import Files
import JSON
import Jukebox
import SerialConsole

/// Asks what each card is to choose, and prints the lines of `[tokens]` that say so.
struct CardsCommand: Command {
  static let help = CommandHelp(
    name: "cards",
    summary: "Learn cards: lay one, name a track or folder, keep the line.",
    text: """
      Waits for what the readers of the running firmware read, asks what each card is
      to choose, and prints its line of `[tokens]`:

          "04A2B1C3" = { playlist = "stories" }

      Answer with a folder of the music, or with the number or name of a track; an
      empty answer leaves the card out. Copy the lines into the settings: nothing is
      changed by this command. Its questions are on standard error. A card that is
      known plays meanwhile. Ctrl-D at a question ends it, and Ctrl-C at any time.

      Exit status: 0 ended by Ctrl-D, 1 no firmware or a line cannot be written, 2 bad
      input; in a shell, 130 after Ctrl-C.
      """,
    options: [KioskOptions.settings])

  private let settings: String?

  init(_ arguments: Arguments) { settings = arguments.option("settings") }

  func run() throws(CommandError) -> ExitStatus {
    guard let settings else {
      throw CommandError("jackdaw: cards without --settings, expected the file that names the music")
    }
    let kiosk = try CommandError.about { () throws(FileError) in
      try SettingsFile.read(settings, interrupters: nil)
    }
    let folders = kiosk.music.map { MusicFolder(path: $0, setting: nil) }
    let music = Music(found: folders)
    for missing in music.missing { Terminal.printError("jackdaw: \(missing.folder): \(missing.reason)") }
    let library = Library(music.tracks)
    var isWatching = false
    let reply = try ControlCall.send(ControlSocket.watchCommand) { line in
      // Not before the firmware has sent a line: cards laid from now on are reported.
      if !isWatching { Terminal.printError("Lay a card on a reader. Ctrl-C ends.") }
      isWatching = true
      guard let reading = Reading(line) else { return true }
      return Self.ask(about: reading, kiosk.settings.tokens[reading.token], library)
    }
    if let refusal = reply.refusal { throw CommandError("jackdaw: \(refusal)", status: .problem) }
    return .good
  }

  /// A token that was read.
  private struct Reading {
    var token: String
    var reader: String

    /// Nil for a line that says something else.
    init?(_ line: String) {
      guard let value = try? JSONValue(parsing: line.utf8), let event = value["event"]?.string,
        [EventName.tokenRead, .tokenUnknown].contains(where: { $0.rawValue == event }),
        let token = value["fields"]?["token"]?.string, let reader = value["fields"]?["reader"]?.string
      else { return nil }
      (self.token, self.reader) = (token, reader)
    }
  }

  /// Returns false if nobody answers, or a line cannot be written: more answers would be lost, too.
  private static func ask(about reading: Reading, _ known: Choice?, _ library: Library) -> Bool {
    let now = known.map { "chooses \($0.word) \($0.name)" } ?? "is in no line of [tokens]"
    Terminal.printError("\(reading.reader): \(reading.token) \(now); folder or track:")
    while let answer = readLine() {
      if answer.isEmpty { return true }
      do throws(TrackName.NotFound) {
        Terminal.printLine("\(quoted(reading.token)) = { \(try choice(answer, library)) }")
        return !Terminal.hasFailed
      } catch {
        let folders = Wording.list(library.playlists.map(Wording.quoted))
        Terminal.printError(error.message + (library.playlists.isEmpty ? "" : ", or a folder: \(folders)"))
      }
    }
    return false
  }

  private static func choice(_ answer: String, _ library: Library) throws(TrackName.NotFound) -> String {
    if let playlist = FileName.meant(by: answer, of: library.playlists) { return "playlist = \(quoted(playlist))" }
    let tracks = library.ids(in: nil).compactMap { library[$0] }
    // By its name: a number is another track as soon as the music changes.
    return "track = \(quoted(tracks[try TrackName(answer).find(in: tracks)].name))"
  }

  /// A string of JSON is one of TOML.
  private static func quoted(_ text: String) -> String { JSONValue.string(text).text }
}
