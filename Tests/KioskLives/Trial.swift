import AudioSession
import Files
import Glibc

@testable import Simulator

/// Lives one life on a kiosk, watched by a judge.
public struct Trial {
  public var violation: Violation?
  public var coverage: Coverage
  /// Simulated time.
  public var end: Instant

  /// - Parameter recordings: folder for what the kiosk records; emptied before.
  public init(_ life: Life, on kiosk: Kiosk, recordings: String) throws {
    Self.clear(recordings)
    var settings = kiosk.settings.recording
    settings.folder = recordings
    let scenario = try ScenarioParser.parse(life.text, file: "life-\(life.seed).scenario", board: kiosk.board)
    let judge = Judge(kiosk, recordings: recordings)
    let simulation = try Simulation(
      scenario: scenario, board: kiosk.board, settings: kiosk.settings.settings, clients: kiosk.settings.clients,
      cues: kiosk.cues, library: kiosk.library, opener: kiosk.opener, audio: nil, recordings: settings,
      onLine: { _ in }, witness: judge)
    let outcome = try simulation.run()
    end = outcome.end
    violation = judge.violation ?? judge.objection(to: outcome)
    coverage = judge.coverage
  }

  /// Leaves an empty folder.
  public static func clear(_ folder: String) {
    mkdir(folder, 0o755)
    for name in FileAccess.names(in: folder) { unlink(FileAccess.join(folder, name)) }
  }
}

extension Life {
  /// The same seed gives the same life.
  public static func ofSeed(_ seed: UInt64) -> Life { LifeGenerator.life(seed: seed) }
}
