import AudioSession
import Board
import BusStandIn
import Testing

@testable import BluetoothPorts

@Suite struct RefusalTests {
  private let requests = [HeadsetLineRequest(name: "headset", address: nil)]

  private func text(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  @Test("without a bus the error names it")
  func noBus() {
    let device = BluetoothHeadsets(requests, bus: "unix:path=/nowhere")
    #expect(text { try device.open() } == "open device Bluetooth: system bus: No such file or directory")
  }

  @Test("B1: without the service nothing is plugged in, and nobody waits for it")
  func noService() throws {
    let bus = try PrivateBus()
    let device = BluetoothHeadsets(requests, bus: bus.address)
    let start = MonotonicClock(startsNow: false).now
    try device.open()
    #expect(MonotonicClock(startsNow: false).now - start < .milliseconds(400))
    #expect(try device.levels() == [false])
    standin_offer(try bus.startService(), PrivateBus.pcm, PrivateBus.headset, "A2DP-source", "sink")
    #expect(try bus.serve(device) { !$0.isEmpty }.map(\.asserted) == [true])
  }

  @Test("a service that we may not talk to is reported with the group that is missing")
  func refused() throws {
    let bus = try PrivateBus(policy: "<deny send_destination=\"org.bluealsa\" send_type=\"method_call\"/>")
    try bus.startService()
    let device = BluetoothHeadsets(requests, bus: bus.address)
    let expected = "open device Bluetooth: bluez-alsa refuses to be asked; expected membership in the group audio"
    #expect(text { try device.open() } == expected)
    // Tried again, it is refused again, and does not seem to be there for a moment.
    device.close()
    #expect(text { try device.open() } == expected)
  }
}

@Suite struct BluetoothAddressTests {
  @Test("an address is six bytes with colons, in upper case when it is written")
  func good() {
    #expect(BluetoothAddress("00:1a:7D:da:71:0f")?.description == "00:1A:7D:DA:71:0F")
  }

  @Test(
    "anything else is no address",
    arguments: [
      "", "00:1A:7D:DA:71", "00:1A:7D:DA:71:13:14", "0:1A:7D:DA:71:13", "00-1A-7D-DA-71-13", "00:1A:7D:DA:71:1G",
      "+0:1A:7D:DA:71:13",
    ]
  )
  func bad(text: String) { #expect(BluetoothAddress(text) == nil) }
}
