import BoardFiles
import Files
import Glibc
import Jukebox
import TestSupport
import Testing
import TrackDecoding

@testable import KioskTestSupport
@testable import Simulator

/// The behaviour rows as scenarios: real MP3s, the real decoder, brain and engine; every `expect` must hold and the
/// event log must be the checked-in one. `NAME.toml` beside it holds the settings, where they are not the defaults. After
/// an intended change of the log, write it anew with
/// `jackdaw simulate NAME.scenario [--settings NAME.toml] --log NAME.log` and read the difference.
@Suite struct ScenarioTests {
  static let folder = repositoryPath("Tests/SimulatorTests/Scenarios")

  static let names: [String] = FileAccess.names(in: folder).filter { $0.hasSuffix(".scenario") }

  @Test("every behaviour row's scenario holds, with its golden event log", arguments: names)
  func holds(name: String) throws {
    let board = try BoardFile.read(repositoryPath("board/sim.toml"))
    let story = try ScenarioParser.read("\(Self.folder)/\(name)", board: board)
    let music = repositoryPath("board/sim/music")
    let library = try LibraryScan.list([music]).tracks.map {
      Track(path: $0, name: String($0.dropFirst(music.count + 1)))
    }
    let cues = try CueScan.list(repositoryPath("board/sim/cues")).map { Cue(name: $0.name, path: $0.path) }
    let settingsFile = "\(name.dropLast("scenario".count))toml"
    var kiosk = KioskSettings()
    if FileAccess.names(in: Self.folder).contains(settingsFile) {
      kiosk = try SettingsFile.read("\(Self.folder)/\(settingsFile)")
    }
    let played = try ScenarioSetup.perform(
      story, board: board, settings: kiosk.settings, clients: kiosk.clients, cues: cues, library: library,
      opener: FileTrackOpener(), hearing: false)
    #expect(played.outcome.failures == [])
    #expect(played.outcome.expectations > 0)
    let golden = try FileAccess.read("\(Self.folder)/\(name.dropLast("scenario".count))log")
    let expected = String(decoding: golden, as: UTF8.self).split(separator: "\n").map(String.init)
    for (line, (found, wanted)) in zip(played.log, expected).enumerated() where found != wanted {
      Issue.record("line \(line + 1) of the log:\nfound    \(found)\nexpected \(wanted)")
      break
    }
    #expect(played.log.count == expected.count)
  }

  @Test("there are scenarios at all")
  func present() { #expect(Self.names.count >= 20) }
}
