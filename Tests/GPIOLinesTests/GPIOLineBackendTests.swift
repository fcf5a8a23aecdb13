import Board
import CGPIOD
import Glibc
import TestSupport
import Testing

@testable import GPIOLines

/// libgpiod itself where no chip is needed: everything that can go wrong before a line is open. The emulated board
/// exercises the rest: open lines, edges, levels, bias, polarity, busy lines.
@Suite struct GPIOLineBackendTests {
  let jack = LineRequest(
    name: "JACK_SENSE", fallback: ChipOffset(chip: "0", offset: 4), activeLow: true,
    direction: .input(bias: .pullUp))

  @Test("a folder without chips gives a clear error and leaves nothing open")
  func noChip() throws {
    let folder = try TemporaryFolder()
    let error = lineError { try GPIOLineBackend(directory: folder.path).open([jack]) }
    #expect(error?.code == ENOENT)
    #expect(
      error?.description
        == "open chip 0: no such chip; fallback of line JACK_SENSE (offset 4), no line of any chip has this label; "
        + "expected one of: none, \(folder.path) has no GPIO chip that can be used")
    #expect(folder.openDescriptors == 0)
  }

  @Test("what is no GPIO chip is refused as such and not left open")
  func notAChip() throws {
    let folder = try TemporaryFolder()
    folder.write("gpiochip0", "")
    let error = lineError { try GPIOLineBackend(directory: folder.path).open([jack]) }
    #expect(error?.operation == .openChip)
    #expect(error?.code == ENOTTY)
    #expect(error?.message.hasPrefix("not a GPIO chip, or gone; fallback of line JACK_SENSE") == true)
    #expect(error?.message.contains("\(folder.path)/gpiochip0 was not searched") == true)
    #expect(folder.openDescriptors == 0)
  }

  @Test("a line that cannot be requested is not left open")
  func requestFails() throws {
    let folder = try TemporaryFolder()
    folder.write("gpiochip0", "")
    let place = LinePlace(path: "\(folder.path)/gpiochip0", chip: "gpiochip0", offset: 4)
    let error = lineError { try ChipLine.open(jack, at: place, consumer: "test") }
    #expect(
      error?.description == "request line JACK_SENSE: gpiochip0 offset 4: not a GPIO chip, or gone; "
        + "asked for both edges, active low, bias pull-up")
    #expect(folder.openDescriptors == 0)
  }

  @Test("chips are listed in the order of their numbers, other files are not")
  func chipOrder() throws {
    let folder = try TemporaryFolder()
    for name in ["gpiochip10", "gpiochip2", "gpiochip", "gpiochipX", "ttyS0"] { folder.write(name, "") }
    #expect(
      chipPaths(in: folder.path)
        == ["\(folder.path)/gpiochip2", "\(folder.path)/gpiochip10"])
    #expect(chipPaths(in: "\(folder.path)/absent").isEmpty)
    #expect(folder.openDescriptors == 0)
  }

  @Test("nothing asked for is nothing opened")
  func noRequests() throws {
    #expect(try GPIOLineBackend(directory: TemporaryFolder().path).open([]).pollDescriptors.isEmpty)
  }

  @Test("the error of a busy line names its user")
  func busyText() {
    let place = LinePlace(path: "/dev/gpiochip0", chip: "gpiochip0", offset: 4)
    let busy = SystemFailure(code: EBUSY)
    #expect(
      refusalText(jack, place, busy, usedBy: "gpio-keys")
        == "gpiochip0 offset 4 is busy, in use by gpio-keys; expected a free line")
    #expect(
      refusalText(jack, place, busy, usedBy: "")
        == "gpiochip0 offset 4 is busy, in use by the kernel; expected a free line")
    #expect(SystemFailure(code: 524).message == "not supported by this chip")
  }

  @Test("a request reaches libgpiod as it was written")
  func settings() {
    let input = cgpiod_settings(jack)
    #expect(input.active_low && !input.output)
    #expect(input.bias == CGPIOD_BIAS_PULL_UP)
    var mute = jack
    mute.activeLow = false
    mute.direction = .output(asserted: true)
    let output = cgpiod_settings(mute)
    #expect(output.output && output.asserted && !output.active_low)
  }
}
