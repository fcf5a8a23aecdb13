import AudioSession
import Jukebox
import Testing

@testable import SimulationTesting

@Suite struct ConsoleModelTests {
  private static let help = String(repeating: "x", count: 998)

  /// A blocked console to which this many lines of 1,000 bytes were written.
  private func flooded(_ lines: Int) -> ConsoleModel {
    var console = ConsoleModel()
    console.block()
    for _ in 0..<lines { console.append(Self.help) }
    return console
  }

  private func check(_ console: inout ConsoleModel, _ dropped: Int?) -> String? {
    let event = dropped.map { Event(.logDropped, .warn, ["n": String($0)]) } ?? Event(.boot)
    return console.check(event, line: event.line(at: .powerOn))
  }

  @Test("K6: of what is written to a blocked console, 64 KiB wait; a wrong number of dropped lines is noticed")
  func dropped() {
    for (lines, dropped) in [(0, nil), (65, nil), (66, 1), (100, 35)] {
      var console = flooded(lines)
      console.unblock(isAsleep: false)
      #expect(check(&console, dropped) == nil)
      #expect(check(&console, nil) == nil)
      for wrong in [nil, 1, 35, lines + 1] where wrong != dropped {
        var console = flooded(lines)
        console.unblock(isAsleep: false)
        #expect(check(&console, wrong) != nil)
      }
    }
  }

  @Test("K6: dropped lines are reported at the wake, and not after a power cut")
  func later() {
    var console = flooded(70)
    console.unblock(isAsleep: true)
    console.wake()
    #expect(check(&console, 5) == nil)
    var cut = flooded(70)
    cut.cutPower()
    cut.unblock(isAsleep: false)
    #expect(check(&cut, nil) == nil)
  }
}
