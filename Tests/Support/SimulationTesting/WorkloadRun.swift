import AudioSession
import Files
import Glibc
import Simulator

/// Plays one workload on a kiosk, checked by an oracle.
public struct WorkloadRun {
  public var violation: Violation?
  public var coverage: Coverage
  /// Simulated time.
  public var end: Instant

  /// - Parameter recordings: folder for the kiosk's recordings; emptied before.
  public init(_ workload: Workload, on kiosk: KioskSetup, recordings: String) throws {
    Self.clear(recordings)
    var settings = kiosk.settings.recording
    settings.folder = recordings
    let scenario = try ScenarioParser.parse(
      workload.text, file: "workload-\(workload.seed).scenario", board: kiosk.board)
    let oracle = Oracle(kiosk, recordings: recordings)
    let simulation = try Simulation(
      scenario: scenario, board: kiosk.board, settings: kiosk.settings.settings, clients: kiosk.settings.clients,
      cues: kiosk.cues, library: kiosk.library, opener: kiosk.opener, audio: nil, recordings: settings,
      onLine: { _ in }, observer: oracle)
    let outcome = try simulation.run()
    end = outcome.end
    violation = oracle.violation ?? oracle.checkRefusals(outcome)
    coverage = oracle.coverage
  }

  /// Leaves an empty folder.
  public static func clear(_ folder: String) {
    mkdir(folder, 0o755)
    for name in FileAccess.names(in: folder) { unlink(FileAccess.join(folder, name)) }
  }
}
