import Files
import Glibc
import Jukebox
import TrackDecoding

/// The titles that the tags of tracks have.
enum TrackTitles {
  /// - Parameters:
  ///   - names: of the tracks, as they were counted.
  ///   - folders: of the music; a name is looked for in each.
  /// - Returns: titles by names, with the artist behind them where there is one; none for tracks that are not there any
  ///   more, or have no title.
  static func read(_ names: some Sequence<String>, in folders: [String]) -> [String: String] {
    var titles: [String: String] = [:]
    for name in names where !name.isEmpty {
      let paths = folders.lazy.map { FileAccess.join($0, name) }
      guard let path = paths.first(where: { access($0, R_OK) == 0 }) else { continue }
      let info = try? FileTrackOpener().inspect(path: path, trustsHeaders: true)
      guard let title = info?.title else { continue }
      titles[name] = info?.artist.map { "\(title) – \($0)" } ?? title
    }
    return titles
  }
}
