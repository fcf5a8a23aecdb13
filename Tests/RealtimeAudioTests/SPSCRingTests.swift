import RealtimeAudio
import Testing

@Suite struct SPSCRingTests {
  @Test("elements come out in the order they went in, round and round")
  func order() {
    let ring = SPSCRing<Int>(capacity: 4, filler: 0)
    for round in 0..<100 {
      #expect(ring.push(round * 2))
      #expect(ring.push(round * 2 + 1))
      #expect(ring.pop() == round * 2)
      #expect(ring.pop() == round * 2 + 1)
      #expect(ring.pop() == nil)
    }
  }

  @Test("a full ring refuses, and takes again once there is room")
  func full() {
    let ring = SPSCRing<Int>(capacity: 3, filler: 0)
    for number in 0..<4 { #expect(ring.push(number)) }
    #expect(ring.isFull)
    #expect(!ring.push(4))
    #expect(ring.pop() == 0)
    #expect(!ring.isFull)
    #expect(ring.push(4))
    #expect((1...4).allSatisfy { ring.pop() == $0 })
  }

  @Test("a peek shows what waits, across the end of the storage, and takes nothing")
  func peek() {
    let ring = SPSCRing<Int>(capacity: 4, filler: 0)
    for number in 0..<3 { #expect(ring.push(number)) }
    #expect(ring.pop() == 0)
    #expect(ring.push(3))
    #expect(ring.push(4))
    #expect((0...4).map { ring.peek($0) } == [1, 2, 3, 4, nil])
    #expect(ring.pop() == 1)
    #expect(ring.peek(3) == nil)
  }

  @Test("two threads: nothing is lost, doubled or reordered")
  func threads() {
    let ring = SPSCRing<Int>(capacity: 64, filler: 0)
    let count = 200_000
    var wrong = 0
    together({
      for number in 0..<count { while !ring.push(number) {} }
    }) {
      for number in 0..<count {
        var found = ring.pop()
        while found == nil { found = ring.pop() }
        if found != number { wrong += 1 }
      }
    }
    #expect(wrong == 0)
    #expect(ring.pop() == nil)
  }
}
