import DecoderProcess
import Files
import Glibc

/// The titles that the tags of tracks have.
enum TrackTitles {
  /// - Parameters:
  ///   - names: of the tracks, as they were counted.
  ///   - folders: of the music; a name is looked for in each.
  ///   - state: the folder that says what is left out.
  /// - Returns: titles by names, with the artist behind them where there is one; none for tracks that are not there any
  ///   more, have no title, or are left out as they did harm.
  static func read(_ names: some Sequence<String>, in folders: [String], state: String) -> [String: String] {
    let quarantines = LeftOut.known(beside: state)
    let found = names.compactMap { name -> (name: String, path: String)? in
      let path = folders.lazy.map { FileAccess.join($0, name) }.first { access($0, R_OK) == 0 }
      guard !name.isEmpty, let path, LeftOut.objection(to: path, in: quarantines) == nil else { return nil }
      return (name, path)
    }
    var titles: [String: String] = [:]
    // A file that ends its decoder costs the report its own title.
    ProcessTrackOpener().inspect(paths: found.map(\.path), trustsHeaders: true) { place, result in
      guard case .success(let info) = result, let title = info.title else { return }
      titles[found[place].name] = info.artist.map { "\(title) – \($0)" } ?? title
    }
    return titles
  }
}
