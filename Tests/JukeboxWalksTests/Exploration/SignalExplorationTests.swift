import AudioSession
import Testing

/// Signals, over everything that can happen to the sound.
@Suite struct SignalExplorationTests {
  @Test("E1, E2, E4: every order of plugs, skips, pauses and late reports, and two signals")
  func skips() {
    let setup = Setup(
      commands: ["play", "stop", "next", "seek 1"], hasSignals: true, backlog: 2, keepsStaleReports: true)
    Explorer.explore("signals", setup, states: 96_658, transitions: 607_606)
  }

  @Test("E1, E2, E4: every order of a failing output, bad files, a page and two signals")
  func faults() {
    let setup = Setup(
      commands: ["play", "next"], contacts: ["page"], hasFaults: true, hasBadFiles: true, hasSignals: true,
      keepsStaleReports: true)
    Explorer.explore("signals under faults", setup, states: 42_210, transitions: 331_818)
  }
}
