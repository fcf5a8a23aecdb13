import Files

/// The files that a target is fed with.
public enum Corpus {
  /// Larger ones teach a fuzzer nothing and slow it down.
  private static let largestSeed = 1 << 14

  /// Path of a file or folder of the repository.
  public static func repository(_ path: String) -> String {
    let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
    return (parts + [Substring(path)]).joined(separator: "/")
  }

  /// Where a target's own files are: from real encoders, by hand, and all that was ever found.
  public static func folder(of target: FuzzTarget) -> String {
    repository("Tests/Fuzzing/Corpus/\(target.rawValue)")
  }

  /// Paths of all that the target is fed with.
  public static func files(of target: FuzzTarget) -> [String] {
    var files = paths(in: folder(of: target), ending: [""])
    for seed in target.seeds {
      if seed.hasSuffix(".toml") {
        files.append(repository(seed))
      } else {
        files += paths(in: repository(seed), ending: target.endings)
      }
    }
    return files.filter { (try? FileAccess.read($0))?.count ?? .max <= largestSeed }
  }

  private static func paths(in folder: String, ending endings: [String]) -> [String] {
    FileAccess.names(in: folder).filter { name in
      !name.hasPrefix(".") && endings.contains { $0.isEmpty || name.hasSuffix($0) }
    }.map { "\(folder)/\($0)" }
  }
}
