import Testing

@testable import SimulationTesting

/// At 8000 Hz: 5 ms are 40 frames.
@Suite struct OutputProbeTests {
  /// Music at full volume, faded in and out over `fade` frames.
  private func music(_ frames: Int, fade: Int) -> [Int16] {
    (0..<frames).flatMap { frame in
      let gain = min(fade, frame, frames - 1 - frame)
      let (left, right) = (TestMusic.level, TestMusic.right(at: frame))
      return [Int16(left * gain / fade), Int16(right * gain / fade)]
    }
  }

  private func probe() -> OutputProbe {
    var probe = OutputProbe(rate: 8_000)
    probe.setGain(1)
    probe.musicEnd = nil
    probe.cueEnd = nil
    return probe
  }

  @Test("P12: a fade of 4 ms is no click")
  func fade() {
    var probe = probe()
    probe.read(music(1_000, fade: 32), frames: 1_000, at: 100)
    probe.skipSilence(until: 2_000)
    #expect(probe.artifact?.message == nil)
  }

  @Test("P12: a fade of 3 ms is a click")
  func shortFade() {
    var probe = probe()
    probe.read(music(1_000, fade: 24), frames: 1_000, at: 100)
    #expect(probe.artifact?.row == "P12")
  }

  @Test("P12: a fade of 1 ms is a click, but not where the output was taken away")
  func click() {
    var probe = probe()
    probe.read(music(1_000, fade: 8), frames: 1_000, at: 100)
    #expect(probe.artifact?.row == "P12")
    var excused = self.probe()
    excused.read(Array(music(1_000, fade: 32).prefix(1_000)), frames: 500, at: 100)
    excused.cut = 600
    excused.skipSilence(until: 2_000)
    #expect(excused.artifact?.message == nil)
  }

  @Test("R3: music after its end is noticed")
  func leak() {
    var probe = probe()
    probe.musicEnd = 900
    probe.read(music(1_000, fade: 32), frames: 1_000, at: 0)
    #expect(probe.artifact?.row == "R3")
    #expect(probe.artifact?.frame == 900)
  }

  @Test("R13: music louder than the volume is noticed")
  func loud() {
    var probe = probe()
    probe.setGain(0.5)
    probe.skipSilence(until: 8_000)
    probe.read(music(1_000, fade: 500), frames: 1_000, at: 8_000)
    #expect(probe.artifact?.row == "R13")
  }

  @Test("R13: a volume that comes into the ramp of another may start from above both, but not for long")
  func rampIntoRamp() {
    for (pause, row) in [(100, nil), (900, "R13")] {
      var probe = probe()
      probe.skipSilence(until: 8_000)
      probe.setGain(0.25)
      probe.skipSilence(until: 8_000 + pause)
      probe.setGain(0.5)
      probe.read(music(1_000, fade: 500), frames: 1_000, at: 8_000 + pause)
      #expect(probe.artifact?.row == row)
    }
  }

  @Test("P2: a gap in music is noticed, a fade out and in is none")
  func gap() {
    var probe = probe()
    probe.musicDue = 100
    probe.read(music(1_000, fade: 32), frames: 1_000, at: 0)
    probe.read(music(1_000, fade: 32), frames: 1_000, at: 1_050)
    #expect(probe.artifact?.message == nil)
    probe.read(music(1_000, fade: 32), frames: 1_000, at: 2_200)
    #expect(probe.artifact?.row == "P2")
  }
}
