import Jukebox

/// Buttons by their roles in a board file.
extension Button {
  static func track(_ name: TrackName) -> Self { .choose(.track(name)) }
  static func playlist(_ name: String) -> Self { .choose(.playlist(name)) }
  static func popular(_ place: Int) -> Self { .choose(.popular(place)) }
}
