import Testing

@testable import SerialConsole

@Suite struct LineQueueTests {
  /// Sends at most `limit` bytes and returns them.
  func send(_ queue: inout LineQueue, _ limit: Int) -> String {
    var sent: [UInt8] = []
    queue.sendOldest { bytes in
      sent = Array(bytes.prefix(limit))
      return sent.count
    }
    return String(decoding: sent, as: UTF8.self)
  }

  func add(_ queue: inout LineQueue, _ text: String) -> Bool { queue.append(Array(text.utf8), isLine: true) }

  @Test("bytes come out in order, also around the end of the ring")
  func wrapping() {
    var queue = LineQueue(capacity: 8)
    let added = [add(&queue, "abcde"), add(&queue, "fgh")]
    #expect(added == [true, true])
    #expect(send(&queue, 6) == "abcdef")
    #expect(add(&queue, "ijklmn"))
    #expect(send(&queue, 99) == "gh")
    #expect(send(&queue, 99) == "ijklmn")
    #expect(queue.isEmpty)
  }

  @Test("a line that does not fit leaves no byte behind")
  func full() {
    var queue = LineQueue(capacity: 8)
    let added = [add(&queue, "abcde"), add(&queue, "fghi"), add(&queue, "xyz"), add(&queue, "1")]
    #expect(added == [true, false, true, false])
    #expect(send(&queue, 99) == "abcdexyz")
  }

  @Test("a line counts as unsent until its last byte went out; an echo never counts")
  func unsent() {
    var queue = LineQueue(capacity: 16)
    let added = [add(&queue, "abc"), queue.append([0x7A], isLine: false), add(&queue, "de")]
    #expect(added == [true, true, true])
    #expect(queue.unsentLines == 2)
    _ = send(&queue, 2)
    #expect(queue.unsentLines == 2)
    _ = send(&queue, 1)
    #expect(queue.unsentLines == 1)
    queue.removeAll()
    #expect(queue.unsentLines == 0)
    #expect(queue.isEmpty)
  }

  @Test("a failed send takes nothing")
  func failedSend() {
    var queue = LineQueue(capacity: 4)
    #expect(add(&queue, "ab"))
    queue.sendOldest { _ in -1 }
    #expect(send(&queue, 9) == "ab")
  }
}
