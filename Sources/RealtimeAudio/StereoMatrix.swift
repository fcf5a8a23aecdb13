/// How much of each of two channels both sides of an output play. Q15; the shares of one side are at most 1 together, so
/// that no sum is clipped.
public struct StereoMatrix: Hashable, Sendable, BitwiseCopyable {
  /// What one side plays.
  public struct Side: Hashable, Sendable, BitwiseCopyable {
    public var left: Int32
    public var right: Int32

    public init(left: Int32, right: Int32) {
      self.left = left
      self.right = right
    }

    @_noLocks @inline(__always) fileprivate func mix(_ left: Int16, _ right: Int16) -> Int16 {
      Int16(truncatingIfNeeded: (Int32(left) &* self.left &+ Int32(right) &* self.right &+ 16_384) >> 15)
    }

    @_noLocks @inline(__always) fileprivate func moved(to target: Side, by share: Int32) -> Side {
      Side(
        left: left &+ ((target.left &- left) &* share) >> 15, right: right &+ ((target.right &- right) &* share) >> 15)
    }
  }

  public var left: Side
  public var right: Side

  public init(left: Side, right: Side) {
    self.left = left
    self.right = right
  }

  /// Each side plays its own channel, unchanged.
  public static var stereo: StereoMatrix {
    @_noLocks get {
      StereoMatrix(left: Side(left: GainRamp.unity, right: 0), right: Side(left: 0, right: GainRamp.unity))
    }
  }

  @_noLocks @inline(__always) fileprivate func moved(to target: StereoMatrix, by share: Int32) -> StereoMatrix {
    StereoMatrix(left: left.moved(to: target.left, by: share), right: right.moved(to: target.right, by: share))
  }

  @_noLocks @inline(__always) fileprivate func mix(
    _ input: UnsafePointer<Int16>, _ output: UnsafeMutablePointer<Int16>, _ frame: Int
  ) {
    let (left, right) = (input[frame &* 2], input[frame &* 2 &+ 1])
    output[frame &* 2] = self.left.mix(left, right)
    output[frame &* 2 &+ 1] = self.right.mix(left, right)
  }
}

/// A matrix that moves in a straight line over a passage of the stream, as a `GainRamp` does.
public struct MatrixRamp: Hashable, Sendable {
  /// A straight line from one matrix to another, and what is before and after it.
  private struct Line: Hashable, Sendable {
    var from: StereoMatrix
    var target: StereoMatrix
    var share: GainRamp
    var origin: Int

    @_noLocks func matrix(at index: Int) -> StereoMatrix { from.moved(to: target, by: share.gain(at: index)) }
  }

  private var line: Line
  /// What the frames before the line's origin were rendered with.
  private var former: Line

  /// A constant matrix.
  @_noLocks public init(_ matrix: StereoMatrix) {
    line = Line(from: matrix, target: matrix, share: GainRamp(GainRamp.unity), origin: 0)
    former = line
  }

  /// Starts to move to `matrix` over `frames` frames from the frame `index` on.
  @_noLocks public mutating func move(to matrix: StereoMatrix, at index: Int, frames: Int) {
    let from = self.matrix(at: index &- 1)
    var share = GainRamp(0)
    share.move(to: GainRamp.unity, at: index, frames: frames)
    if index > line.origin { former = line }
    line = Line(from: from, target: matrix, share: share, origin: index)
  }

  /// Whether all frames from the stream's index `index` on come out identical.
  @_noLocks public func isStereo(from index: Int) -> Bool { line.target == .stereo && line.share.steady() <= index }

  /// Mixes stereo S16 frames, the first of which has the stream's index `index`. `output` may be `input`.
  @_noLocks public func render(
    _ input: UnsafePointer<Int16>, to output: UnsafeMutablePointer<Int16>, frames: Int, at index: Int
  ) {
    var frame = 0
    while frame < frames, index &+ frame < line.share.steady() {
      matrix(at: index &+ frame).mix(input, output, frame)
      frame &+= 1
    }
    while frame < frames {
      line.target.mix(input, output, frame)
      frame &+= 1
    }
  }

  @_noLocks private func matrix(at index: Int) -> StereoMatrix {
    index < line.origin ? former.matrix(at: index) : line.matrix(at: index)
  }
}
