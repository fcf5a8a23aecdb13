import AudioSession
import Board
import CALSA
import PacedCards
import PacedPCM
import Testing

@testable import ALSADevices
@testable import Firmware
@testable import KioskTestSupport
@testable import Simulator

/// What a cable from an output to an input shows, on the models of cards, in virtual time.
@Suite struct LoopTests {
  /// A card whose sound goes into the input of another by the millisecond.
  private final class Cable {
    let output: PacedCard
    let input: PacedCard
    var isPlugged = true
    private var time: Int64 = 0
    private var carried = 0

    init?(_ model: String) {
      guard let output = PacedCard(), let input = PacedCard() else { return nil }
      guard output.suffer(model) else { return nil }
      self.output = output
      self.input = input
    }

    func pass(_ wanted: Duration) {
      let before = Int(time * 44_100 / 1_000_000_000)
      time += wanted.components.attoseconds / 1_000_000_000
      let frames = Int(time * 44_100 / 1_000_000_000) - before
      output.setTime(time)
      let heard: [Int16] = output.heard()
      let fresh = min(frames, heard.count / 2 - carried)
      let samples = isPlugged ? Array(heard[2 * carried..<2 * (carried + fresh)]) : []
      carried += fresh
      input.hear(samples + [Int16](repeating: 0, count: 2 * frames - samples.count))
    }

    func measure() throws -> LoopFigures? {
      let clock = VirtualClock()
      let outputs = PacedOutputs([.headphones: output], clock: clock)
      let pcm = try outputs.open(port: .headphones, name: "out", rate: 44_100, buffer: .milliseconds(300))
      let raw = try #require(input.open(SND_PCM_STREAM_CAPTURE).pcm)
      let capture = try ALSACapturePCM.configure(
        PCMHandle(adopting: raw), device: "in", rate: 44_100, buffer: .milliseconds(300))
      defer {
        pcm.close()
        capture.close()
      }
      return try LoopMeasurement(output: pcm, input: capture) { [self] in pass($0) }.run()
    }
  }

  @Test("a usual card is heard and silent at once, and takes back")
  func usual() throws {
    let figures = try #require(try Cable("latency 0")?.measure())
    #expect(figures.start < .milliseconds(2) && figures.silence < .milliseconds(2))
    #expect(figures.takesBack && figures.safeQueue == .milliseconds(5))
  }

  @Test("the jack of a Raspberry Pi starts and stops late and takes nothing back")
  func jack() throws {
    let figures = try #require(try Cable("model bcm2835")?.measure())
    #expect(figures.start >= .milliseconds(10) && figures.start < .milliseconds(12))
    #expect(figures.silence >= .milliseconds(9) && figures.silence < .milliseconds(12))
    #expect(!figures.takesBack)
  }

  @Test("a card whose position moves by periods needs a queue of more than one")
  func periods() throws {
    let figures = try #require(try Cable("model virtio")?.measure())
    #expect((figures.safeQueue ?? .zero) > .milliseconds(10))
  }

  @Test("without a cable nothing is measured")
  func unplugged() throws {
    let cable = try #require(Cable("latency 0"))
    cable.isPlugged = false
    #expect(try cable.measure() == nil)
  }
}
