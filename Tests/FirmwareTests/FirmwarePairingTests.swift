import AudioSession
import Board
import BoardFiles
import Jukebox
import TestSupport
import Testing

@testable import Firmware
@testable import KioskTestSupport
@testable import Simulator

/// The Pair button through the firmware's loop, to headsets that take real time to answer.
@Suite struct FirmwarePairingTests {
  @Test("B7: the Pair button has a headset found and paired, on the control loop")
  func pairs() throws {
    let scenario = "Tests/SimulatorTests/Scenarios/B7-B8-B9-pairing.board.toml"
    let board = try BoardFile.read(repositoryPath(scenario))
    let clock = MonotonicClock(startsNow: true)
    let lines = VirtualLines(board: board, clock: clock)
    let button = try #require(board.lines.firstIndex { $0.role == .button(.pair) }.map(LineID.init))
    let press = {
      lines.move([
        KeyEdge(line: button, asserted: true, after: .zero),
        KeyEdge(line: button, asserted: false, after: .milliseconds(100)),
      ])
    }
    let script = FirmwareTests.Script([
      (event: .boot, act: press), (event: .pairingOpened, act: {}), (event: .pairingPaired, act: {}),
    ])
    var parts = Firmware.Parts(
      board: board, settings: Settings(), library: [], clock: clock, lines: lines,
      devices: VirtualDevices(clock: clock, taps: [:]), tracks: CountingTracks([:]), cueFiles: CountingTracks([:]),
      outputs: [:], statePath: nil, boardOperator: script)
    parts.headsets = SimulatedHeadsets(ready: BluetoothAddress("00:1A:7D:DA:71:13"))
    try Firmware(parts).run()
    let paired = try #require(script.log.first { $0.name == .pairingPaired })
    #expect(paired["address"] == "00:1A:7D:DA:71:13")
    #expect(!script.log.contains { $0.name == .pairingFailed })
  }
}
