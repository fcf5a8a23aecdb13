import Files
import TestSupport

/// The input files of a target.
public enum Corpus {
  /// The largest file, in bytes: larger ones slow a fuzzer down without finding more.
  private static let largestSeed = 1 << 14

  /// The folder of a target's own files: from real encoders, made by hand, and every input that once broke something.
  public static func folder(of target: FuzzTarget) -> String {
    repositoryPath("Tests/Support/Fuzzing/Corpus/\(target.rawValue)")
  }

  /// The paths of all input files of a target.
  public static func files(of target: FuzzTarget) -> [String] {
    var files = paths(in: folder(of: target), ending: [""])
    for seed in target.seeds {
      if seed.hasSuffix(".toml") {
        files.append(repositoryPath(seed))
      } else {
        files += paths(in: repositoryPath(seed), ending: target.endings)
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
