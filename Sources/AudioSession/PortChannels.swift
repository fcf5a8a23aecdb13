/// Which channels of the music each side of a port plays, and how loud the two sides are to each other.
public struct PortChannels: Hashable, Sendable {
  public enum Mode: String, Hashable, Sendable, CaseIterable {
    case stereo
    /// Both sides play the mean of both channels.
    case mono
    /// Both sides play this channel: of two languages in one file, or for a handset with one ear.
    case left, right
    /// Each side plays the other one's channel.
    case swap
  }

  public static let stereo = PortChannels()

  public var mode: Mode
  /// -100...100: above 0 the left side is softer, as a volume of 100 less this makes it, below 0 the right one.
  public var balance: Int

  public init(_ mode: Mode = .stereo, balance: Int = 0) {
    self.mode = mode
    self.balance = balance
  }
}
