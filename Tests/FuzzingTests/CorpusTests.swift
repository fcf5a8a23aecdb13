import Files
import Fuzzing
import Testing

@Suite("What strangers write, type and send") struct CorpusTests {
  @Test("all that was ever found, and what real encoders make, keeps every promise", arguments: FuzzTarget.allCases)
  func replay(target: FuzzTarget) throws {
    let files = Corpus.files(of: target)
    #expect(files.contains { $0.hasPrefix(Corpus.folder(of: target)) })
    for file in files {
      let bytes = try FileAccess.read(file)
      do {
        try target.check(bytes)
      } catch {
        Issue.record("\(error): swift run fuzz \(target.rawValue) '\(file)'")
      }
    }
  }

  @Test("the corpus is small: 10 kB a file, 1 MB in all")
  func size() throws {
    var total = 0
    for target in FuzzTarget.allCases {
      for file in Corpus.files(of: target) where file.hasPrefix(Corpus.folder(of: target)) {
        let size = try FileAccess.read(file).count
        #expect(size <= 10_000, "\(file)")
        total += size
      }
    }
    #expect(total <= 1_000_000)
  }
}
