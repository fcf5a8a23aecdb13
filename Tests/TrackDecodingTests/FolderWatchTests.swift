import Glibc
import TestSupport
import Testing

@testable import TrackDecoding

@Suite struct FolderWatchTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    folder.makeFolder("a")
    folder.makeFolder("b")
  }

  private func watch(_ names: [String], with watch: FolderWatch = FolderWatch()) -> FolderWatch {
    watch.begin()
    for name in names { watch.add(folder.path(of: name)) }
    watch.end()
    return watch
  }

  @Test("X1: a file that is written, renamed, removed or made readable in a watched folder is a change, once")
  func changes() {
    let watch = watch(["a"])
    #expect(!watch.takeChanges())
    let changes: [(String, () -> Void)] = [
      ("written", { folder.write("a/1.mp3", "1") }),
      ("renamed", { rename(folder.path(of: "a/1.mp3"), folder.path(of: "a/2.mp3")) }),
      ("rights", { chmod(folder.path(of: "a/2.mp3"), 0o600) }),
      ("moved in", { rename(folder.write("b/3.mp3", "3"), folder.path(of: "a/3.mp3")) }),
      ("removed", { unlink(folder.path(of: "a/2.mp3")) }), ("a folder", { folder.makeFolder("a/n") }),
    ]
    for (what, change) in changes {
      change()
      #expect(watch.takeChanges(), "\(what)")
      #expect(!watch.takeChanges(), "\(what)")
    }
    folder.write("b/1.mp3", "1")
    #expect(!watch.takeChanges())
  }

  @Test("X1: a folder that is not added again is watched no longer, which is no change itself")
  func ended() {
    let watch = self.watch(["b"], with: watch(["a", "b"]))
    #expect(!watch.takeChanges())
    folder.write("a/1.mp3", "1")
    #expect(!watch.takeChanges())
    folder.write("b/1.mp3", "1")
    #expect(watch.takeChanges())
  }

  @Test("X1: the number of watches is bounded, and what is beyond is counted")
  func bounded() {
    let watch = watch(["a", "b"], with: FolderWatch(limit: 1))
    #expect(watch.unwatched == 1)
    folder.write("b/1.mp3", "1")
    #expect(!watch.takeChanges())
    folder.write("a/1.mp3", "1")
    #expect(watch.takeChanges())
  }
}
