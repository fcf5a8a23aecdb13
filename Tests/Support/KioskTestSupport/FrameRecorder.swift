/// Records every frame that is not silent, and the clock's frame at which it was heard.
final class FrameRecorder {
  struct Frame: Hashable {
    var at: Int
    var left: Int16
    var right: Int16
  }

  private(set) var frames: [Frame] = []

  func record(_ samples: UnsafePointer<Int16>, frames count: Int, at start: Int) {
    var frame = 0
    while frame < count {
      let left = samples[frame &* 2]
      let right = samples[frame &* 2 &+ 1]
      if left | right != 0 { frames.append(Frame(at: start &+ frame, left: left, right: right)) }
      frame &+= 1
    }
  }
}
