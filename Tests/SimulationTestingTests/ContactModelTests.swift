import AudioSession
import BoardFiles
import Jukebox
import TestSupport
import Testing

@testable import SimulationTesting

/// What the model of the contacts takes for wrong (O rows).
@Suite struct ContactModelTests {
  private let board: BoardDescription

  init() throws { board = try BoardFile.read(WorkloadTests.kiosks + "/lobby.board.toml") }

  private func model() -> ContactModel {
    var model = ContactModel(board, settings: Settings())
    model.powerOn(at: .powerOn)
    return model
  }

  private func row(
    _ model: ContactModel, _ line: String, _ ignored: String?, mayBeTaken: Bool = false, isTaken: Bool = false,
    at second: Int
  ) -> String? {
    let now = Instant.powerOn + .seconds(second)
    return model.check(line, ignored, mayBeTaken: mayBeTaken, isTaken: isTaken, at: now)?.row
  }

  @Test("O5.3: a press counts once a sensor is warm, and not before")
  func boot() {
    #expect(row(model(), "PIR", nil, at: 29) == "O5.3" && row(model(), "PIR", "boot", at: 29) == nil)
    #expect(row(model(), "PIR", nil, at: 30) == nil && row(model(), "PIR", "boot", at: 30) == "O5.3")
  }

  @Test("O5: a press counts only where the contact was open for long enough")
  func rearm() {
    var model = model()
    model.open("MAT", at: .powerOn + .seconds(60))
    #expect(row(model, "MAT", nil, at: 60) == "O5" && row(model, "MAT", "rearm", at: 60) == nil)
    #expect(row(model, "MAT", nil, at: 62) == nil && row(model, "MAT", "rearm", at: 62) == "O5")
  }

  @Test("O5.1: no press counts behind the end of what it has begun; where files come and go, nobody knows")
  func inhibit() {
    var model = model()
    let begin = Instant.powerOn + .seconds(60)
    var claim = ContactModel.Claim(line: "PIR", isHeld: false, isOfTrack: true, begunAt: begin)
    model.begin(claim)
    #expect(row(model, "PIR", "inhibited", at: 61) == "O5.1")
    model.end(at: begin + .seconds(10))
    #expect(row(model, "PIR", nil, at: 80) == "O5.1" && row(model, "PIR", "inhibited", at: 80) == nil)
    #expect(row(model, "PIR", nil, at: 85) == nil && row(model, "PIR", "inhibited", at: 85) == "O5.1")
    claim.isDoubtful = true
    model.begin(claim)
    model.end(at: begin + .seconds(40))
    #expect(row(model, "PIR", nil, at: 101) == nil && row(model, "PIR", "inhibited", at: 101) == nil)
  }

  @Test("O5.1: a cue that is refused at once has not begun")
  func refusedCue() {
    for (second, row) in [(60, nil), (62, "O5.1")] {
      var model = model()
      model.cues["bell"] = ContactModel.AskedCue(line: "BELL_PULL", at: .powerOn + .seconds(60))
      model.end(cue: "bell", hasFailed: true, at: .powerOn + .seconds(second))
      #expect(self.row(model, "BELL_PULL", nil, at: 65) == row)
    }
  }

  @Test("O2, O6: what is busy, and what is not")
  func busy() {
    var model = model()
    #expect(row(model, "PIR", nil, mayBeTaken: true, isTaken: true, at: 60) == "O2")
    #expect(row(model, "PIR", "busy", mayBeTaken: true, at: 60) == nil && row(model, "PIR", "busy", at: 60) == "O2")
    #expect(row(model, "SEAT", nil, mayBeTaken: true, isTaken: true, at: 60) == nil)
    #expect(row(model, "SEAT", "busy", mayBeTaken: true, at: 60) == "O2")
    model.countedAt = .powerOn + .seconds(60)
    #expect(row(model, "SEAT", nil, at: 60) == "O6" && row(model, "SEAT", "busy", at: 60) == nil)
  }
}

extension WorkloadTests {
  @Test("O3, O8, O5.2: a visitor on the seat, an unplug, another port, a delay, a bell: nothing is wrong in it")
  func visitor() throws {
    let scenario = """
      at 1s    plug headphones
      at 2s    line SEAT 1
      at 4s    unplug headphones
      at 6s    plug headphones
      at 8s    unplug headphones
      at 9s    plug dock
      at 10s   line SEAT 0
      at 11s   line LATER 1
      at 11.1s line LATER 0
      at 12s   press next
      at 16s   line LATER 1
      at 16.2s line LATER 0
      at 22s   line MAT 1
      at 23s   press previous
      at 25s   line LID 1
      at 26s   route speaker
      at 26.3s line MAT 0
      at 27s   line LID 0
      at 28s   line BELL_PULL 1
      at 28.1s line BELL_PULL 0
      at 32s   line BELL_PULL 1
      at 33s   line DRAW 1
      at 40s   end
      """
    let kiosk = try KioskSetup("lobby", in: Self.kiosks)
    let workload = try Workload(scenario: scenario, kiosk: "lobby", board: kiosk.board, file: "workload.scenario")
    let recordings = repositoryPath(".build/soak/contact-recordings")
    #expect(try WorkloadRun(workload, on: kiosk, recordings: recordings).violation == nil)
  }
}
