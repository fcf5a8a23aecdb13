import Board
import Glibc
import Testing

@testable import GPIOLines
@testable import jackdaw

@Suite struct LineCheckTests {
  private let inventory = ChipInventory(
    directory: "/dev",
    chips: [
      ChipSnapshot(
        paths: ["/dev/gpiochip0"], name: "gpiochip0", label: "pinctrl-rp1",
        lineLabels: ["JACK_SENSE", "BTN_PLAY", "BTN_STOP", "LED_STATUS", "DOCK", "MUTE"],
        users: [1: "", 2: "jackdaw", 4: "gpiomon"])
    ], failures: ["/dev/gpiochip1": SystemFailure(code: EACCES), "/dev/gpiochip9": SystemFailure(code: ENOENT)])

  private func request(_ name: String, _ direction: LineRequest.Direction = .input(bias: .pullUp)) -> LineRequest {
    LineRequest(name: name, fallback: nil, activeLow: true, direction: direction)
  }

  private func finding(_ request: LineRequest) throws -> Finding {
    let survey = LineSurvey(inventory, [request])
    return LineChecks.line(try #require(survey.lines.first), in: survey)
  }

  @Test("chips are listed; one without permission comes with the group to join")
  func chips() {
    let findings = LineChecks.chips(LineSurvey(inventory, []))
    #expect(findings.map(\.subject) == ["chip gpiochip0", "chip /dev/gpiochip1"])
    #expect(findings.map(\.grade) == [.good, .bad])
    #expect(findings[0].what == "pinctrl-rp1, 6 lines")
    #expect(findings[1].advice == ["sudo usermod -aG gpio \(ProcessUser.name), then log in again"])
  }

  @Test("missing chips are reported once, and a board without lines needs none")
  func noChips() {
    let findings = LineChecks.lines(of: LineSurvey(ChipInventory(directory: "/dev"), [request("A"), request("B")]))
    #expect(findings.map(\.subject) == ["chips", "lines"])
    #expect(findings.allSatisfy { $0.grade == .bad })
    #expect(findings.last?.what == "without a chip none can be looked for: A, B")
    #expect(LineChecks.lines(of: LineSurvey(ChipInventory(directory: "/dev"), [])).isEmpty)
  }

  @Test("a line that says that a plug is in comes with what else that may mean")
  func pluggedIn() throws {
    let survey = LineSurvey(inventory, [request("BTN_STOP")])
    let found = try #require(survey.lines.first)
    let plugged = LineChecks.line(found, in: survey, senses: .headphones, isPlugged: true)
    #expect(plugged.grade == .good && plugged.what.hasSuffix("plugged in at headphones, and the sound goes there"))
    #expect(plugged.advice.joined().contains("`unwired = [\"headphones\"]`"))
    #expect(LineChecks.line(found, in: survey, senses: .headphones, isPlugged: false).advice == [])
    #expect(LineChecks.line(found, in: survey).advice == [])
  }

  @Test("an unknown line comes with the nearest names")
  func unknown() throws {
    let finding = try finding(request("BTN_PLAI"))
    #expect(finding.grade == .bad)
    #expect(finding.what.hasPrefix("no line of gpiochip0 has this label"))
    #expect(finding.advice[0].hasPrefix("nearest names: BTN_PLAY, BTN_STOP; or give it `chip` and `offset`"))
    let stranger = try self.finding(request("A_LINE_LIKE_NO_OTHER_HERE"))
    #expect(stranger.advice[0].hasPrefix("give it `chip` and `offset`"))
  }

  @Test("a line in use shows its user, and the running firmware is no problem")
  func busy() throws {
    let kernel = try finding(request("BTN_PLAY"))
    #expect(kernel.grade == .bad && kernel.what == "gpiochip0 offset 1, active low; in use by the kernel")
    #expect(kernel.advice[0].hasPrefix("a device tree overlay has taken it"))
    let firmware = try finding(request("BTN_STOP"))
    #expect(firmware.grade == .good && firmware.what == "gpiochip0 offset 2, active low; the running firmware has it")
    let other = try finding(request("DOCK"))
    #expect(other.grade == .bad && other.advice == ["end gpiomon first"])
  }

  @Test("an offset that is not that of the label is a fault, although the firmware runs with it")
  func contradiction() throws {
    var dock = request("DOCK", .output(asserted: false))
    dock.fallback = ChipOffset(chip: "pinctrl-rp1", offset: 5)
    let finding = try finding(dock)
    #expect(finding.grade == .bad)
    #expect(
      finding.what == "DOCK is offset 4 of gpiochip0, so that offset = 5 has no effect; "
        + "expected [lines.MUTE], or a name that is no label")
  }

  @Test("an output that is free is not touched")
  func output() throws {
    let finding = try finding(request("LED_STATUS", .output(asserted: false)))
    #expect(finding.grade == .good && finding.what == "gpiochip0 offset 3, active low, output, free")
  }
}
