import BoardFiles
import Files
import Jukebox

/// Which files of a playlist contacts have played one by one, each as a comment that holds a line of TOML, as with
/// `DoneCueText`:
///
///     # next."stories" = { track = "stories/2 Bells.mp3", index = 1 }
///     # random."jokes" = { track = "jokes/7.mp3", seed = -71 }
enum FolderPickText {
  private static let (next, random) = ("next", "random")
  static let beginnings = ["# \(next).", "# \(random)."]

  static func line(_ pick: FolderPick) -> String {
    let (key, order) =
      switch pick.order {
      case .listed(let index): (next, "index = \(index)")
      // TOML's integers are signed.
      case .random(let seed): (random, "seed = \(Int64(bitPattern: seed))")
      }
    let value = "{ track = \(StateText.quoted(pick.track)), \(order) }"
    return "# \(key).\(StateText.quoted(pick.playlist)) = \(value)\n"
  }

  static func decode(_ comments: TOMLTable) throws(FileError) -> [FolderPick] {
    var picks: [FolderPick] = []
    for (name, pick) in try comments.table(next)?.tables() ?? [] {
      try pick.allowOnly(["track", "index"])
      let index = try pick.required("index", .integer(in: 0...Int.max))
      picks.append(
        FolderPick(playlist: name, track: try pick.required("track", .anyText), order: .listed(index: index)))
    }
    for (name, pick) in try comments.table(random)?.tables() ?? [] {
      try pick.allowOnly(["track", "seed"])
      let seed = UInt64(bitPattern: Int64(try pick.required("seed", .integer(in: Int.min...Int.max))))
      picks.append(
        FolderPick(playlist: name, track: try pick.required("track", .anyText), order: .random(seed: seed)))
    }
    return picks
  }
}
