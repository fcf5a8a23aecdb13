import Board
import Glibc
import Testing

@testable import GPIOLines

@Suite struct LineSearchTests {
  let inventory = ChipInventory(
    directory: "/dev",
    chips: [
      ChipSnapshot(
        paths: ["/dev/gpiochip0"], name: "gpiochip0", label: "pinctrl-bcm2711", lineLabels: ["ID_SDA", "", "GPIO2"]),
      ChipSnapshot(
        paths: ["/dev/gpiochip1", "/dev/gpiochip4", "/dev/expander"], name: "gpiochip1", label: "mcp23017",
        lineLabels: ["DOCK_SENSE", "GPIO2"]),
    ],
    failures: ["/dev/gpiochip2": SystemFailure(code: EACCES), "/dev/gpiochip9": SystemFailure(code: ENOENT)])

  func request(_ name: String, _ chip: String? = nil, _ offset: Int = 0) -> LineRequest {
    LineRequest(
      name: name, fallback: chip.map { ChipOffset(chip: $0, offset: offset) }, activeLow: false,
      direction: .input(bias: .asIs))
  }

  func failure(_ request: LineRequest, in inventory: ChipInventory) -> LineError? {
    lineError { try inventory.place(of: request) }
  }

  @Test("a label is found on any chip, before the fallback; the first of two counts")
  func labels() throws {
    #expect(
      try inventory.place(of: request("DOCK_SENSE", "gpiochip0", 1))
        == LinePlace(path: "/dev/gpiochip1", chip: "gpiochip1", offset: 0))
    #expect(
      try inventory.place(of: request("GPIO2")) == LinePlace(path: "/dev/gpiochip0", chip: "gpiochip0", offset: 2))
  }

  @Test(
    "a fallback names its chip by name, number, path, link or label",
    arguments: ["gpiochip1", "1", "/dev/gpiochip1", "gpiochip4", "4", "/dev/expander", "mcp23017"])
  func fallback(chip: String) throws {
    #expect(
      try inventory.place(of: request("JACK_SENSE", chip, 1))
        == LinePlace(path: "/dev/gpiochip1", chip: "gpiochip1", offset: 1))
  }

  @Test("without label and fallback the error says where it looked and where it could not")
  func nothingToFind() {
    let error = failure(request("JACK_SENSE"), in: inventory)
    #expect(error?.operation == .findLine)
    #expect(
      error?.description
        == "find line JACK_SENSE: no line of gpiochip0, gpiochip1 has this label; /dev/gpiochip2 was not searched "
        + "(permission denied; expected a user of the group that owns the chip, usually gpio), "
        + "and no chip and offset are given to fall back on")
  }

  @Test("a line without a name is not found among the lines without labels")
  func emptyName() {
    #expect(failure(request(""), in: inventory)?.operation == .findLine)
  }

  @Test("a fallback offset beyond the chip says which offsets there are", arguments: [2, -1])
  func offsetBeyond(offset: Int) {
    let error = failure(request("JACK_SENSE", "mcp23017", offset), in: inventory)
    #expect(error?.operation == .findLine)
    #expect(error?.subject == "JACK_SENSE")
    #expect(error?.message.contains("has this label") == true)
    #expect(
      error?.message.hasSuffix(
        "and its fallback mcp23017 offset \(offset) is not there: expected an offset from 0 to 1") == true)
  }

  @Test("a missing fallback chip is named with its line and the chips there are")
  func missingChip() {
    let chips = ChipInventory(directory: "/dev", chips: inventory.chips)
    let error = failure(request("JACK_SENSE", "gpiochip7", 3), in: chips)
    #expect(error?.code == ENOENT)
    #expect(
      error?.description
        == "open chip gpiochip7: no such chip; fallback of line JACK_SENSE (offset 3), no line of gpiochip0, gpiochip1 "
        + "has this label; expected one of: gpiochip0 (pinctrl-bcm2711), gpiochip1 (mcp23017)")
  }

  @Test("a fallback chip that may not be opened says so")
  func forbiddenChip() {
    let error = failure(request("JACK_SENSE", "2", 0), in: inventory)
    #expect(error?.operation == .openChip)
    #expect(error?.code == EACCES)
    #expect(error?.message.hasPrefix("permission denied") == true)
  }

  @Test("a label whose offset is that of another line of the chip is named with both")
  func contradiction() {
    #expect(
      inventory.contradiction(of: request("GPIO2", "pinctrl-bcm2711", 0))
        == "GPIO2 is offset 2 of gpiochip0, so that offset = 0 has no effect; "
        + "expected [lines.ID_SDA], or a name that is no label")
    #expect(
      inventory.contradiction(of: request("GPIO2", "0", 5))
        == "GPIO2 is offset 2 of gpiochip0, so that offset = 5 has no effect; expected a name that is no label")
    let survey = LineSurvey(inventory, [request("GPIO2", "0", 0), request("GPIO2", "0", 2)])
    #expect(survey.lines.map { $0.contradiction == nil } == [false, true] && survey.lines[0].place?.offset == 2)
    // A label on another chip wins, as where an overlay has named the lines of an expander.
    #expect(inventory.contradiction(of: request("DOCK_SENSE", "gpiochip0", 1)) == nil)
    #expect(inventory.contradiction(of: request("GPIO2")) == nil)
    #expect(inventory.contradiction(of: request("JACK_SENSE", "mcp23017", 1)) == nil)
  }

  @Test("two names for one line are refused with both names")
  func samePlace() {
    let requests = [request("DOCK_SENSE"), request("JACK_SENSE", "1", 0)]
    let error = lineError { try inventory.places(of: requests) }
    #expect(
      error?.description
        == "find line JACK_SENSE: gpiochip1 offset 0 is DOCK_SENSE already, expected a line of its own")
  }

  @Test("chip names come in four forms")
  func chipNames() {
    #expect(ChipName("/dev/gpiochip0") == .path("/dev/gpiochip0"))
    #expect(ChipName("gpiochip12") == .name("gpiochip12"))
    #expect(ChipName("12") == .name("gpiochip12"))
    #expect(ChipName("pinctrl-bcm2711") == .label("pinctrl-bcm2711"))
    #expect(ChipName("gpiochip") == .label("gpiochip"))
    #expect(ChipName("") == .label(""))
    #expect(ChipName("1").path(in: "/dev") == "/dev/gpiochip1")
    #expect(ChipName("mcp23017").path(in: "/dev") == nil)
  }
}
