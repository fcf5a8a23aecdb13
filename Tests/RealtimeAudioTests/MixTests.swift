import RealtimeAudio
import Testing

@Suite struct MixTests {
  @Test("a sum is the sum, and full scale past full scale, never wrapped")
  func sums() {
    var output: [Int16] = [1, -1, 32_767, -32_768, 20_000, -20_000, 0, 32_767]
    let input: [Int16] = [2, 3, 1, -1, 20_000, -20_000, 0, -32_768]
    mixSamples(input, into: &output, count: 8)
    #expect(output == [3, 2, 32_767, -32_768, 32_767, -32_768, 0, -1])
  }

  @Test("no more samples than asked for are mixed")
  func count() {
    var output: [Int16] = [1, 1, 1]
    mixSamples([5, 5, 5], into: &output, count: 2)
    #expect(output == [6, 6, 1])
  }

  @Test("a passage finds every frame's place and every place's frame")
  func passage() {
    let passage = Passage(start: 1_000, origin: 77)
    #expect(passage.index(at: 1_000) == 77 && passage.time(of: 77) == 1_000)
    for time in [990, 1_000, 1_001, 50_000] { #expect(passage.time(of: passage.index(at: time)) == time) }
  }
}
