import AudioSession
import Board
import Glibc
import Testing

@testable import jackdaw

@Suite struct BluetoothCheckTests {
  private func error(_ code: CInt) -> PCMError {
    PCMError(operation: .open, device: "bluealsa", code: code, message: "it failed")
  }

  @Test("which headsets are offered, one by one; one that is not connected is no fault")
  func offers() throws {
    let address = try #require(BluetoothAddress("00:1A:7D:DA:71:13"))
    let requests = [
      HeadsetLineRequest(name: "left", address: address), HeadsetLineRequest(name: "any", address: nil),
    ]
    #expect(
      BluetoothChecks.offers(requests, [true, false])
        == "left: 00:1A:7D:DA:71:13 is connected; any: no headset is connected")
    #expect(
      BluetoothChecks.offers(requests, [false, true])
        == "left: 00:1A:7D:DA:71:13 is not connected; any: a headset is connected")
  }

  @Test(
    "a PCM without a headset is good, and one without libasound's plug-in names its package",
    arguments: [ENOENT, ENXIO])
  func output(code: CInt) throws {
    #expect(try #require(BluetoothChecks.output("output bluetooth", "bluealsa", error(ENODEV))).grade == .missing)
    #expect(try #require(BluetoothChecks.output("output bluetooth", "bluealsa", error(EBUSY))).grade == .missing)
    let missing = try #require(BluetoothChecks.output("output bluetooth", "bluealsa", error(code)))
    #expect(missing.grade == .bad && missing.advice == ["sudo apt install libasound2-plugin-bluez"])
    #expect(BluetoothChecks.output("output bluetooth", "bluealsa", error(EINVAL)) == nil)
  }
}
