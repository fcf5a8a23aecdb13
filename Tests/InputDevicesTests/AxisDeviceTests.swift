import AudioSession
import Board
import CLinux
import Glibc
import Testing

@testable import InputDevices

@Suite struct AxisDeviceTests {
  private let dial = InputCode(kind: .axis, number: UInt16(REL_DIAL), name: "dial")
  private let wheel = InputCode(kind: .axis, number: UInt16(REL_WHEEL), name: "wheel")

  private func device(_ input: PipedInput, _ codes: InputCode...) -> AxisDevice {
    AxisDevice("knob", codes.map { InputLineRequest(name: $0.name.uppercased(), device: "knob", code: $0) }) {
      _ throws(LineError) in input
    }
  }

  private func turns(_ device: AxisDevice) throws -> [AxisTurn] {
    var edges: [LineEdge] = []
    try device.readEdges(into: &edges)
    #expect(edges.isEmpty)
    return device.takeTurns()
  }

  @Test("G7: what an axis reports are turns with the kernel's time, and keys of the same device are none")
  func events() throws {
    let input = PipedInput([dial, wheel, .named("playpause")])
    let device = device(input, dial)
    try device.open()
    input.send(type: UInt16(EV_REL), code: UInt16(REL_DIAL), value: 1, at: 5)
    input.report(at: 5)
    input.send(type: UInt16(EV_REL), code: UInt16(REL_WHEEL), value: 1, at: 6)
    input.move(.named("playpause"), 1, at: 7)
    input.send(type: UInt16(EV_REL), code: UInt16(REL_DIAL), value: -3, at: 8)
    input.report(at: 8)
    #expect(
      try turns(device) == [
        AxisTurn(axis: "DIAL", counts: 1, at: Instant(nanoseconds: 5_000)),
        AxisTurn(axis: "DIAL", counts: -3, at: Instant(nanoseconds: 8_000)),
      ])
    #expect(try turns(device).isEmpty)
  }

  @Test("G2: what the kernel dropped is lost, and nothing is invented for it")
  func dropped() throws {
    let input = PipedInput([dial])
    let device = device(input, dial)
    try device.open()
    input.drop(at: 1)
    input.send(type: UInt16(EV_REL), code: UInt16(REL_DIAL), value: 5, at: 2)
    input.report(at: 2)
    input.send(type: UInt16(EV_REL), code: UInt16(REL_DIAL), value: 1, at: 3)
    #expect(try turns(device).map(\.counts) == [1])
    #expect(device.takeLostEdges() == 1)
  }

  @Test("a device without the axis says which ones it has")
  func wrongDevice() {
    let device = device(PipedInput([wheel]), dial)
    do throws(LineError) {
      try device.open()
      Issue.record("opened")
    } catch {
      #expect(error.description == "find line DIAL: axis of input device knob has no axis dial; it has: wheel")
    }
  }

  @Test("the words for axes are the kernel's")
  func names() {
    let numbers = [
      "x": REL_X, "y": REL_Y, "z": REL_Z, "rx": REL_RX, "ry": REL_RY, "rz": REL_RZ, "hwheel": REL_HWHEEL,
      "dial": REL_DIAL, "wheel": REL_WHEEL, "misc": REL_MISC, "wheel-hi-res": REL_WHEEL_HI_RES,
      "hwheel-hi-res": REL_HWHEEL_HI_RES,
    ]
    #expect(InputCode.axes.count == numbers.count)
    for axis in InputCode.axes { #expect(numbers[axis.name].map(UInt16.init) == axis.number, "\(axis.name)") }
  }
}
