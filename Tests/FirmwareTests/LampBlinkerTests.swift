import AudioSession
import Jukebox
import Testing

@testable import Firmware

@Suite struct LampBlinkerTests {
  /// The levels of the first second, one character each tenth.
  private func second(of pattern: LampPattern) -> String {
    var lamp = LampBlinker()
    lamp.show(pattern, at: .powerOn)
    var text = ""
    for tenth in 0..<10 {
      _ = lamp.tick(at: .powerOn + .milliseconds(100 * tenth))
      text += lamp.isLit ? "#" : "."
    }
    return text
  }

  @Test("U1, U2, U3, Q1: every pattern can be told from the others")
  func patterns() {
    #expect(second(of: .off) == "..........")
    #expect(second(of: .on) == "##########")
    #expect(second(of: .blink) == "#####.....")
    #expect(second(of: .flicker) == "#.#.#.#.#.")
    #expect(second(of: .wink) == "#########.")
    #expect(second(of: .doubleFlash) == "#.#.......")
    #expect(Set(LampPattern.allCases.map(second)).count == LampPattern.allCases.count)
  }
}
