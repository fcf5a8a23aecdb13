import BoardFiles
import Files
import Jukebox

/// The request that plays, as a comment that holds a line of TOML, which earlier versions of the program skip (as
/// `DoneCueText`):
///
///     # request = { number = 17, frame = 441000 }
enum RequestText {
  private static let key = "request"
  static let prefix = "# \(key) ="
  private static let most = 1 << 40

  static func line(_ place: RequestPlace) -> String {
    "\(prefix) { number = \(place.number), frame = \(place.frame) }\n"
  }

  static func decode(_ comments: TOMLTable) throws(FileError) -> RequestPlace? {
    guard let table = try comments.table(key) else { return nil }
    try table.allowOnly(["number", "frame"])
    return RequestPlace(
      number: try table.required("number", .integer(in: 1...most)),
      frame: try table.required("frame", .integer(in: 0...most)))
  }
}
