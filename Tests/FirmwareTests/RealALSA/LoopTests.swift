import AudioSession
import Board
import CALSA
import PacedCards
import PacedPCM
import Testing

@testable import ALSADevices
@testable import Firmware
@testable import Simulator

/// What a cable from an output to an input shows, on the models of cards, in virtual time.
@Suite struct LoopTests {
  /// A card whose sound goes into the input of another by the millisecond.
  private final class Cable {
    let output: PacedCard
    let input: PacedCard
    var isPlugged = true
    private let clock = VirtualClock()
    private var carried = 0

    init?(_ model: String) {
      guard let output = PacedCard(), let input = PacedCard() else { return nil }
      for trait in model.split(separator: ",") { guard output.suffer(String(trait)) else { return nil } }
      self.output = output
      self.input = input
    }

    func pass(_ wanted: Duration) {
      let before = Self.frames(clock.now)
      clock.advance(to: clock.now + wanted)
      let frames = Self.frames(clock.now) - before
      output.setTime(clock.now.nanoseconds)
      let heard: [Int16] = output.heard(from: 2 * carried)
      let fresh = min(frames, heard.count / 2)
      let samples = isPlugged ? Array(heard.prefix(2 * fresh)) : []
      carried += fresh
      input.hear(samples + [Int16](repeating: 0, count: 2 * frames - samples.count))
    }

    private static func frames(_ instant: Instant) -> Int { Int(instant.nanoseconds * 44_100 / 1_000_000_000) }

    private var outputs: PacedOutputs { PacedOutputs([.headphones: output], clock: clock) }

    private func capture() throws -> ALSACapturePCM {
      let raw = try #require(input.open(SND_PCM_STREAM_CAPTURE).pcm)
      return try ALSACapturePCM.configure(
        PCMHandle(adopting: raw), device: "in", rate: 44_100, buffer: .milliseconds(300))
    }

    func measure() throws -> LoopFigures? {
      let pcm = try outputs.open(port: .headphones, name: "out", rate: 44_100, buffer: .milliseconds(300))
      defer { pcm.close() }
      let capture = try capture()
      defer { capture.close() }
      return try LoopMeasurement(output: pcm, input: capture) { [self] in pass($0) }.run()
    }

    func measureUnplug() throws -> Duration? {
      let capture = try capture()
      defer { capture.close() }
      return try UnplugMeasurement(
        .headphones, device: "out", devices: outputs, rate: 44_100, buffer: .milliseconds(300), input: capture,
        clock: clock, wait: { [self] in pass($0) }
      ).run()
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

  @Test(
    "USB, I2S and Bluetooth take back, and stop at once, whatever they have on its way",
    arguments: ["usb", "i2s", "bluealsa"])
  func others(model: String) throws {
    let figures = try #require(try Cable("model \(model)")?.measure())
    // What bluez-alsa and the headset have on their way is heard first at a start.
    let start = Duration.milliseconds(model == "bluealsa" ? 37 : 0)
    #expect(figures.start >= start && figures.start < start + .milliseconds(2), "\(figures.start)")
    #expect(figures.silence < .milliseconds(2), "\(figures.silence)")
    #expect(figures.takesBack && figures.safeQueue != nil)
  }

  @Test(
    "R3 P14: silent within 10 ms of the edge, or as soon as the card stops",
    arguments: [
      ("latency 0", 10), ("model i2s", 10), ("model i2s-periods", 10), ("model usb", 10), ("model usb-queued", 10),
      ("model virtio", 10), ("model virtio-indirect", 10), ("model bluealsa", 10), ("model bcm2835", 10),
      ("model bcm2835,stop_delay 882", 20),
    ])
  func unplug(model: String, most: Int) throws {
    let found = try #require(try Cable(model)?.measureUnplug())
    #expect(found <= .milliseconds(most), "\(found)")
    // The tone was heard up to the edge, and a card that takes its time to stop is not let off.
    #expect(!model.contains("bcm2835") || found > .milliseconds(most - 1), "\(found)")
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
    #expect(try cable.measureUnplug() == nil)
  }
}
