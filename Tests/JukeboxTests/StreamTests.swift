import AudioSession
import Testing

@testable import Jukebox

@Suite struct StreamTests {
  private func queue(_ count: Int, _ repeats: Settings.Repeat = .off) -> Queue {
    Queue(count: count, repeats: repeats, shuffle: nil)
  }

  @Test("P10: after each opened track the next one is requested once, after the last the end")
  func requests() {
    var stream = Stream()
    #expect(stream.load(0) == 1)
    #expect(stream.answer(from: queue(2)) == nil)
    stream.opened(0, TrackTags())
    #expect(stream.answer(from: queue(2)) == .some(1))
    #expect(stream.answer(from: queue(2)) == nil)
    stream.opened(0, TrackTags())
    #expect(stream.answer(from: queue(2)) == .some(nil))
    #expect(stream.advance() == 0)
    #expect(stream.advance() == 1)
    #expect(stream.advance() == nil)
  }

  @Test("ids go round: the stream after number 255 is number 0, and plays as any other")
  func wraps() {
    var stream = Stream(id: 254)
    #expect(stream.load(0) == 255)
    #expect(stream.load(0) == 0)
    stream.unload()
    #expect(stream.id == 1)
    var speech = Speech()
    for number in 1...600 {
      speech.begin(Speech.Request(cue: 0, client: "cue"), until: .powerOn + .seconds(60))
      #expect(speech.id == UInt8(number % 256))
    }
  }

  @Test("P11: a failed track is passed over, and as many failures as tracks end the stream")
  func failures() {
    for repeats in Settings.Repeat.allCases {
      var stream = Stream()
      _ = stream.load(0)
      stream.failed()
      #expect(stream.answer(from: queue(2, repeats)) == .some(1))
      stream.failed()
      #expect(stream.answer(from: queue(2, repeats)) == .some(nil))
    }
  }

  @Test("P11: a track that is heard makes up for the failures before it")
  func failuresForgotten() {
    var stream = Stream()
    _ = stream.load(0)
    for _ in 0..<5 {
      stream.failed()
      #expect(stream.answer(from: queue(2, .queue)) == .some(1))
      stream.opened(0, TrackTags())
      #expect(stream.advance() == 1)
      #expect(stream.answer(from: queue(2, .queue)) == .some(0))
    }
  }

  @Test("At most eight tracks are requested ahead of the listener")
  func farAhead() {
    var stream = Stream()
    _ = stream.load(0)
    var requested = 0
    for _ in 0..<20 {
      stream.opened(0, TrackTags())
      if stream.answer(from: queue(2, .queue)) != nil { requested += 1 }
    }
    #expect(requested == 7)
    _ = stream.advance()
    #expect(stream.answer(from: queue(2, .queue)) != nil)
  }

  @Test("Every stream has another id, past the end of the numbers too")
  func ids() {
    var stream = Stream(id: 254)
    #expect(stream.load(0) == 255)
    stream.unload()
    #expect(stream.id == 0)
    #expect(!stream.isLoaded)
    #expect(stream.load(1) == 1)
    #expect(!stream.hasBegun)
  }
}
