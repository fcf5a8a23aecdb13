/// A gain that moves in a straight line over a passage of the stream. It is a function of the frame's index, so frames
/// that were rewound from a device and are rendered again get the same gain again. Q30 inside.
///
/// A ramp from 1 to 0 and one from 0 to 1 over the same passage add up to 1 at every frame: a passage that is faded out
/// and then played again faded in is heard at full level in sum.
public struct GainRamp: Hashable, Sendable {
  /// Gain 1 in Q15, the scale of all gains outside this type.
  public static var unity: Int32 { @_noLocks get { 1 << 15 } }

  /// One straight line, and the constant gains before and after it.
  private struct Line: Hashable, Sendable {
    var from: Int32
    var step: Int32
    var target: Int32
    var origin: Int
    var length: Int

    @_noLocks func value(at index: Int) -> Int32 {
      let walked = index &- origin &+ 1
      if walked >= length { return target }
      return walked <= 0 ? from : from &+ step &* Int32(truncatingIfNeeded: walked)
    }
  }

  private var line: Line
  /// What the frames before the line's origin were rendered with. They are rendered again where a later change is more
  /// urgent and rewinds further.
  private var former: Line

  /// A constant gain; Q15, 0...unity.
  @_noLocks public init(_ gain: Int32) {
    line = Line(from: gain << 15, step: 0, target: gain << 15, origin: 0, length: 0)
    former = line
  }

  /// Starts a ramp to `gain` (Q15) over `frames` frames from the frame `index` on; a jump where `frames` is 0.
  @_noLocks public mutating func move(to gain: Int32, at index: Int, frames: Int) {
    let from = value(at: index &- 1)
    let target = gain << 15
    let step = frames > 0 ? (target &- from) / Int32(truncatingIfNeeded: frames) : 0
    // Of a line that begins no earlier than the new one nothing is left.
    if index > line.origin { former = line }
    line = Line(from: from, step: step, target: target, origin: index, length: frames)
  }

  /// Jumps to the end of the ramp.
  @_noLocks public mutating func settle() { self = GainRamp(line.target >> 15) }

  /// Index of the first frame from which on the gain is constant.
  @_noLocks public func steady() -> Int { line.origin &+ line.length }

  /// The gain of the frame `index`, Q15.
  @_noLocks public func gain(at index: Int) -> Int32 { value(at: index) >> 15 }

  @_noLocks private func value(at index: Int) -> Int32 {
    index < line.origin ? former.value(at: index) : line.value(at: index)
  }
}
