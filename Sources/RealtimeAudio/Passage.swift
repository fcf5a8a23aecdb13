/// Maps the frames of a ring to a device's timeline. It is a pure function of the timeline's index, so that frames
/// rewound from the device are found again.
public struct Passage: Hashable, Sendable {
  /// The timeline's index of the first frame.
  public var start: Int
  /// The ring's index of it.
  public var origin: Int

  @_noLocks public init(start: Int, origin: Int) {
    self.start = start
    self.origin = origin
  }

  /// The ring's index of the frame at `time`.
  @_noLocks public func index(at time: Int) -> Int { origin &+ (time &- start) }

  /// The timeline's index of the frame `index`.
  @_noLocks public func time(of index: Int) -> Int { start &+ (index &- origin) }
}
