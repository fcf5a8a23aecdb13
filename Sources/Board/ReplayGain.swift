/// Which of the gains that a file's tags name (ReplayGain, R128) its samples are multiplied with.
public enum ReplayGain: String, Hashable, Sendable, CaseIterable {
  /// None: the samples are the file's.
  case off
  /// The one that makes all tracks equally loud.
  case track
  /// The one that makes all albums equally loud, and keeps the steps between the tracks of each.
  case album
}
