import AudioSession
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
/// event log must be the checked-in one. `NAME.toml` beside it holds the settings, where they are not the defaults, and
/// `NAME.board.toml` the board, where it is not the simulated one. After an intended change of the log, write it again
/// with `jackdaw simulate NAME.scenario [--settings NAME.toml] [--board NAME.board.toml] --log NAME.log` and read the
/// difference.
@Suite struct ScenarioTests {
  static let folder = repositoryPath("Tests/SimulatorTests/Scenarios")

  static let names: [String] = FileAccess.names(in: folder).filter { $0.hasSuffix(".scenario") }

  @Test("every behaviour row's scenario holds, with its golden event log", arguments: names)
  func holds(name: String) throws {
    let base = "\(Self.folder)/\(name.dropLast(".scenario".count))"
    let board = try BoardFile.read(Self.existing("\(base).board.toml") ?? repositoryPath("board/sim.toml"))
    let story = try ScenarioParser.read("\(Self.folder)/\(name)", board: board)
    var kiosk = KioskSettings()
    if let settings = Self.existing("\(base).toml") {
      kiosk = try SettingsFile.read(
        settings, ports: board.ports.map(\.output.port), interrupters: board.interrupters)
    }
    let music = kiosk.music.first ?? repositoryPath("board/sim/music")
    let library = try LibraryScan.list([music]).tracks.map {
      Track(path: $0, name: String($0.dropFirst(music.count + 1)))
    }
    let cues = try CueScan.list(kiosk.cueFolder ?? repositoryPath("board/sim/cues")).map { found in
      let setting = kiosk.cues.first { $0.name == found.name }
      return Cue(
        name: found.name, path: found.path, client: setting?.client ?? .cue, event: setting?.event)
    }
    let played = try ScenarioSetup.perform(
      story, board: board, settings: kiosk.settings, clients: kiosk.clients, cues: cues, library: library,
      opener: FileTrackOpener(), hearing: false)
    #expect(played.outcome.failures == [])
    #expect(played.outcome.expectations > 0)
    let golden = try FileAccess.read("\(base).log")
    let expected = String(decoding: golden, as: UTF8.self).split(separator: "\n").map(String.init)
    for (line, (found, wanted)) in zip(played.log, expected).enumerated() where found != wanted {
      Issue.record("line \(line + 1) of the log:\nfound    \(found)\nexpected \(wanted)")
      break
    }
    #expect(played.log.count == expected.count)
  }

  private static func existing(_ path: String) -> String? { access(path, F_OK) == 0 ? path : nil }

  @Test("there are scenarios at all")
  func present() { #expect(Self.names.count >= 20) }
}
