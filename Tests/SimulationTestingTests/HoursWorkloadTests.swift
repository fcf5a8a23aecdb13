import BoardFiles
import Jukebox
import TestSupport
import Testing

@testable import SimulationTesting

@Suite(.serialized) struct HoursWorkloadTests {
  @Test(
    "H1, H1.1, H1.2, H1.3, H1.7, H2, H2.1, H2.2, H3, H3.5, H3.7, H3.8, H4, H4.1, H4.3, H4.5: clocks that jump, power cuts, sleep and staff"
  )
  func runs() throws {
    let kiosk = try KioskSetup("lobby", in: repositoryPath("Tests/Programs/Soak/Kiosks"))
    var (heard, jumps, closed, timetable, quiet) = (0, 0, 0, 0, 0)
    for seed: UInt64 in 1...200 {
      let run = try HoursWorkload(seed: seed, on: kiosk)
      #expect(run.violation == nil, "seed \(seed): \(run.violation?.description ?? "")\n\(run.text)")
      heard += run.heardFrames
      jumps += run.jumps
      closed += run.events[.hoursClosed] ?? 0
      timetable += run.timetableCount
      quiet += run.events[.quietBegan] ?? 0
    }
    // It would be easy to be right in silence.
    #expect(heard > 200 * kiosk.board.rate && jumps > 2_000 && closed > 700 && timetable > 2_000)
    #expect(quiet > 400)
  }

  @Test("H2.4: the kiosks of all workloads that have hours have those of the model", arguments: ["shop", "museum"])
  func hours(kiosk: String) throws {
    let setup = try KioskSetup(kiosk, in: repositoryPath("Tests/Programs/Soak/Kiosks"))
    let text = "[hours]\n\(HoursModel.settings)\n"
    let model = try SettingsFile.parse(Array(text.utf8), file: "model.toml").settings.hours
    #expect(setup.settings.settings.hours?.calendar == model?.calendar && model != nil)
  }
}
