/// What becomes of the music at the times of the timetable (H3).
extension MusicPlayer {
  /// Music that plays goes on in the other playlist, and silent music stays silent, as when a selector is turned
  /// (T4.3).
  /// - Parameter name: nil: all the music.
  mutating func move(toPlaylist name: String?, _ turn: inout MusicTurn) {
    if let name { return select(playlist: name, &turn) }
    if !playlists.isCurrent(nil) { enter(nil, fromStart: false, &turn) }
  }
}
