import AudioSession

/// What the two sides of a port play of the channels of the music (M rows), and what can be told of those from the sides.
struct ChannelModel {
  private(set) var channels = PortChannels.stereo
  /// From this frame on the sides play that, and nothing of what they played before.
  private var settledAt = 0
  /// The music has ended before.
  private var isCutShort = false

  /// - Parameter frame: from which nothing is heard of what was played before.
  mutating func set(_ channels: PortChannels, settledAt frame: Int) { (self.channels, settledAt) = (channels, frame) }

  mutating func noteEnd(at frame: Int) { if !isSettled(at: frame) { isCutShort = true } }

  /// The rest of a change that the end of the music has cut short is heard when it goes on.
  mutating func noteStart(settledAt frame: Int) { if isCutShort { (settledAt, isCutShort) = (frame, false) } }

  /// Each side plays a channel of its own, as loud as it is.
  private var isPlain: Bool { channels.balance == 0 && (channels.mode == .stereo || channels.mode == .swap) }
  /// Both sides play the same.
  private var isOneEar: Bool { channels.balance == 0 && !isPlain }

  func isStereo(at frame: Int) -> Bool { channels == .stereo && isSettled(at: frame) }

  func isSettled(at frame: Int) -> Bool { frame >= settledAt }

  /// Music and cues cannot be told apart.
  func isBlurred(at frame: Int) -> Bool { !isPlain || !isSettled(at: frame) }

  /// The left and the right channel; where they cannot be told apart, whatever is heard counts for both.
  func channels(left: Int, right: Int, at frame: Int) -> (left: Int, right: Int) {
    if isBlurred(at: frame) { return left == 0 ? (right, right) : (left, right == 0 ? left : right) }
    return channels.mode == .swap ? (right, left) : (left, right)
  }

  /// M1, M2.
  func check(left: Int, right: Int, at frame: Int) -> String? {
    guard isOneEar, isSettled(at: frame), left != right else { return nil }
    return "the sides of \(channels.mode.rawValue) play \(left) and \(right)"
  }

  /// What the sides play of two samples, in the contract's words: apart from the engine's matrices.
  func sides(left: Double, right: Double) -> (left: Double, right: Double) {
    let sides =
      switch channels.mode {
      case .stereo: (left: left, right: right)
      case .mono: (left: (left + right) / 2, right: (left + right) / 2)
      case .left: (left: left, right: left)
      case .right: (left: right, right: right)
      case .swap: (left: right, right: left)
      }
    return (
      sides.left * gain(ofVolume: 100 - max(0, channels.balance)),
      sides.right * gain(ofVolume: 100 + min(0, channels.balance))
    )
  }
}
