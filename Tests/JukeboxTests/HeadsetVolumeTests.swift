import AudioSession
import Testing

@testable import Jukebox

/// Every headset that there may be, turned at both ends.
@Suite struct HeadsetVolumeTests {
  /// A headset: how many levels one of its steps has, and the highest it goes to.
  private struct Headset {
    var step: Int
    var roundsUp = false
    var obeys = true
    var level = 127

    mutating func obey(_ asked: Int) {
      if obeys { level = min(127, (asked + (roundsUp ? step - 1 : 0)) / step * step) }
    }
  }

  @Test("B6: every volume comes back from its level, and a level is above a ceiling exactly where its volume is")
  func mapping() {
    for volume in 0...100 { #expect(HeadsetVolume.volume(of: HeadsetVolume.level(of: volume)) == volume) }
    for level in HeadsetVolume.levels {
      for ceiling in 0...100 {
        #expect((HeadsetVolume.volume(of: level) <= ceiling) == (level <= HeadsetVolume.level(of: ceiling)))
      }
    }
    #expect(HeadsetVolume.volume(of: 0) == 0)
    #expect(HeadsetVolume.volume(of: 127) == 100)
  }

  /// Lets it be quiet. Returns how often the headset was asked, and what a person is taken to have turned to.
  private func rest(_ volume: inout HeadsetVolume, _ headset: inout Headset, _ wanted: Int) -> (asks: Int, turns: [Int])
  {
    var asks = 0
    var turns: [Int] = []
    for _ in 0..<10 {
      while let level = volume.settle(wanted, at: .powerOn) {
        asks += 1
        let before = headset.level
        headset.obey(level)
        if headset.level != before, let turn = volume.report(headset.level, at: .powerOn) { turns.append(turn) }
        if asks > 10 { return (asks, turns) }
      }
      volume.timeOut()
    }
    _ = volume.settle(wanted, at: .powerOn)
    return (asks, turns)
  }

  @Test(
    "B6: no headset is asked again and again, nor is its answer taken for a person's, nor is it too loud in the end")
  func bounded() {
    for step in 1...8 {
      for (roundsUp, obeys) in [(false, true), (true, true), (false, false)] {
        for first in stride(from: 0, through: 127, by: 9) {
          for wanted in stride(from: 0, through: 100, by: 7) {
            var headset = Headset(step: step, roundsUp: roundsUp, obeys: obeys, level: first)
            var volume = HeadsetVolume(level: first, newUntil: .powerOn)
            let (asks, turns) = rest(&volume, &headset, wanted)
            #expect(asks <= (obeys && !roundsUp ? 1 : HeadsetVolume.tries))
            #expect(turns == [])
            let excess = max(0, HeadsetVolume.volume(of: headset.level) - wanted)
            let samples = volume.samples(of: wanted)
            #expect(wanted == 0 ? samples == 0 : samples <= max(1, 100 - excess))
            #expect(excess > 0 || wanted == 0 || samples == 100)
            // Steps of the board go on from its own volume, not from what the headset has made of it.
            if let next = volume.settle(min(100, wanted + 5), at: .powerOn) {
              #expect(next == HeadsetVolume.level(of: min(100, wanted + 5)))
            }
          }
        }
      }
    }
  }

  @Test("B6, R13: what a headset has above what it was asked for, the samples make up for at once")
  func louderAnswer() {
    var volume = HeadsetVolume(level: 127, newUntil: .powerOn)
    #expect(volume.settle(80, at: .powerOn) == 101)
    #expect(volume.report(101, at: .powerOn) == nil)
    #expect(volume.settle(80, at: .powerOn) == nil)
    #expect(volume.samples(of: 80) == 100)
    // So close that it may be its answer.
    #expect(volume.report(107, at: .powerOn) == nil)
    #expect(volume.settle(80, at: .powerOn) == nil)
    #expect(volume.samples(of: 80) == 95)
  }

  @Test("B6: a headset that is turned without end above the ceiling is not asked without end")
  func hammered() {
    var volume = HeadsetVolume(level: 50, newUntil: .powerOn)
    _ = volume.settle(40, at: .powerOn)
    _ = volume.report(50, at: .powerOn)
    var asks = 0
    for second in 0..<20 {
      for turn in 0..<50 {
        _ = volume.report(100 + (second * 50 + turn) % 28, at: .powerOn)
        if volume.settle(40, at: .powerOn) != nil { asks += 1 }
        #expect(volume.samples(of: 40) < 100)
      }
      volume.timeOut()
      if volume.settle(40, at: .powerOn) != nil { asks += 1 }
    }
    // One a second, and the first.
    #expect(asks <= 21)
  }
}
