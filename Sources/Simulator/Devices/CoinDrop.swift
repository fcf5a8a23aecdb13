import Jukebox

/// The edges that a coin acceptor makes.
enum CoinDrop {
  /// Of each pulse, and between two: the middle speed of a CH-926.
  static let pulse = Duration.milliseconds(50)

  /// - Parameter begin: how long until the first of them.
  static func edges(of line: LineID, pulses: Int, after begin: Duration) -> [KeyEdge] {
    (0..<pulses).flatMap { index in
      [(0, true), (1, false)].map { half, level in
        KeyEdge(line: line, asserted: level, after: begin + pulse * (2 * index + half))
      }
    }
  }
}
