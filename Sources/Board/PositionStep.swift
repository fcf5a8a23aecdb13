/// How many frames a device's position moves at once, as far as it is known. Drivers that count periods, transfers or the
/// reports of a firmware move it in steps, and in between the device is further than it says, by up to one of them.
///
/// No move is smaller than a step, so the smallest one that was seen is the most that a step can be: that of a DMA
/// engine's address is known after two looks.
public struct PositionStep: Hashable, Sendable {
  /// The most that a step can be, frames.
  public private(set) var frames: Int
  private var last: Int?

  /// - Parameter frames: the most that a step can be before the position has been seen to move.
  public init(atMost frames: Int) { self.frames = frames }

  /// Takes a position of a device that runs, in frames since its start.
  public mutating func note(_ position: Int) {
    if let last, position > last { frames = min(frames, position - last) }
    last = position
  }

  /// The device was stopped: the next position is compared with none before it.
  public mutating func restart() { last = nil }
}
