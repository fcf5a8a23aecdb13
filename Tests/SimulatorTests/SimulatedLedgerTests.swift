import Jukebox
import Testing

@testable import KioskTestSupport
@testable import Simulator
@testable import Storage

/// The firmware's ledger store in virtual time, on the simulated storage.
@Suite struct SimulatedLedgerTests {
  private func simulation(_ change: (inout Settings) -> Void = { $0.requests = RequestSettings() }) throws -> Simulation
  {
    let stage = ScenarioSetup()
    var settings = stage.settings
    change(&settings)
    let story = try ScenarioParser.parse("at 1s end", file: "test.scenario", board: stage.board)
    return try Simulation(
      scenario: story, board: stage.board, settings: settings, library: [Track](), opener: CountingTracks([:]),
      audio: nil, onLine: { _ in })
  }

  /// Cuts the power, and returns what the next power on finds.
  private func found(_ simulation: Simulation) -> SavedLedger {
    simulation.cutPower()
    simulation.powerOn()
    return simulation.ledgerStore.takeSaved()
  }

  private func ledger(_ credits: Int) -> Ledger {
    Ledger(credits: credits, requests: [Request(number: 3, track: "a", isPaid: true)], nextNumber: 4)
  }

  @Test("J4: a ledger that was reported as kept is there at the next power on, and none that has failed")
  func powerCut() throws {
    let simulation = try simulation()
    defer { simulation.stopDevices() }
    simulation.powerOn()
    #expect(simulation.ledgerStore.takeSaved() == .nothing)
    #expect(simulation.keep(ledger(1), number: 1) == .kept(1))
    #expect(simulation.keep(ledger(2), number: 2) == .kept(2))
    #expect(found(simulation) == .ledger(ledger(2)))
    for state in [StorageState.full, .readOnly] {
      simulation.storage = state
      let report = simulation.keep(ledger(3), number: 3)
      guard case .failed(3, let reason)? = report else {
        Issue.record("\(String(describing: report))")
        continue
      }
      #expect(reason.hasPrefix("jackdaw.sqlite: "))
      #expect(found(simulation) == .ledger(ledger(2)))
    }
    simulation.storage = .good
    #expect(simulation.keep(ledger(4), number: 4) == .kept(4))
    #expect(found(simulation) == .ledger(ledger(4)))
  }

  @Test("J4: nothing is read where there are no requests")
  func noRequests() throws {
    let simulation = try simulation { _ in }
    defer { simulation.stopDevices() }
    simulation.powerOn()
    #expect(simulation.ledgerStore.takeSaved().ledger == nil)
    #expect(simulation.ledgerStore.takeSaved() != .nothing)
  }
}
