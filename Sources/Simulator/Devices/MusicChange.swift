/// What happens to the music of a simulated board.
public enum MusicChange: Hashable, Sendable {
  /// The file of the track, as the console names it, is deleted.
  case remove(String)
  /// It is copied back.
  case add(String)
  /// The folder of music is missing, as that of a stick that is pulled out.
  case gone
  case back
  /// Its storage cannot be read; and can again.
  case fails
  case works
}
