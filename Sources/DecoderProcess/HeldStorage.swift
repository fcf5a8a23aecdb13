/// How much storage that does not answer may hold: threads that open files, and decoders that were killed.
enum HeldStorage {
  /// Before files of the same storage are refused at once, and all files.
  private static let (most, mostOfAll) = (4, 12)

  /// Whether what holds these would hold another one: it lies below the folder that has all of their files, as that of a share.
  /// - Parameter held: the file of each that is held.
  static func isRefused(_ path: String, _ held: [String]) -> Bool {
    if held.count < most { return false }
    let folders = held.map { $0.split(separator: "/").dropLast() }
    let common = folders.reduce(folders[0]) { common, other in
      common.prefix(zip(common, other).prefix { $0 == $1 }.count)
    }
    return held.count >= mostOfAll || path.split(separator: "/").starts(with: common)
  }
}
