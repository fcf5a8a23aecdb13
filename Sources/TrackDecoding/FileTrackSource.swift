import Board

/// A track that is decoded where it is read.
public protocol FileTrackSource: TrackSource {
  /// Goes on towards the frame that `seek` has named, where that can only be found by decoding what lies before it: by
  /// about `most` frames, so that nobody waits long for a call. Without it the next `read` goes all the way.
  /// - Parameters:
  ///   - samples: memory for what is dropped.
  ///   - room: stereo frames that it has room for.
  /// - Returns: whether the next `read` has nothing more to drop.
  func approach(frames most: Int, using samples: UnsafeMutablePointer<Int16>, _ room: Int) throws(TrackError) -> Bool
}
