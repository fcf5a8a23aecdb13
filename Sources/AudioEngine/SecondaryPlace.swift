/// Which track of its stream another port of a multi-route plays. Each port fills a ring of its own, and what is added to
/// a stream just before its end may come in time at one and too late at another.
struct SecondaryPlace {
  private(set) var stream: UInt8?
  /// As `StreamPosition.index`.
  private var index = 0
  private var hasBegun = false
  private(set) var hasEnded = false

  init() {}

  init(stream: UInt8, index: Int = 0) { (self.stream, self.index) = (stream, index) }

  mutating func begin(_ stream: UInt8) {
    guard stream == self.stream else { return }
    if hasBegun { index += 1 }
    hasBegun = true
  }

  mutating func end(_ stream: UInt8) { if stream == self.stream { hasEnded = true } }

  func isBeside(_ lead: StreamPosition) -> Bool { stream == lead.stream && index == lead.index }

  func isBehind(_ lead: StreamPosition) -> Bool { stream == lead.stream && index < lead.index }

  func isBeyond(_ lead: StreamPosition) -> Bool { stream == lead.stream && index > lead.index }
}
