/// The request that the process works on, and the last of those that it was sent together.
struct PendingRequest {
  var track: ProcessTrack
  var number: UInt64
  /// The most frames that it was asked for.
  var frames: Int64
  /// Earlier requests in the same batch, for files to inspect; their replies come first.
  var others: [(track: ProcessTrack, number: UInt64)]
  /// How many of them were replied to.
  var taken = 0
  var watch: Deadline
  /// The instant since which nobody waits for the answer.
  var unwantedSince: Duration?
}
