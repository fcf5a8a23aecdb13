import Testing

@testable import Jukebox

@Suite struct LibraryTests {
  private func tracks(_ names: [String]) -> [Track] { names.map { Track(path: "/m/\($0)", name: $0) } }

  private func ids(_ names: [String], after former: Library) -> [Int] {
    Library(tracks(names), after: former).ids.map(\.number)
  }

  @Test("X1: a track keeps its id, a new one has one that no track ever had, and one that comes back has its own again")
  func ids() {
    let first = Library(tracks(["a", "b", "c"]))
    #expect(first.ids == [0, 1, 2])
    let second = Library(tracks(["0", "a", "c"]), after: first)
    #expect(second.ids == [3, 0, 2])
    #expect(second[1] == nil && second.index(of: 1) == nil)
    #expect(second[2]?.name == "c" && second.index(of: 2) == 2)
    #expect(second.difference == Library.Difference(added: 1, removed: 1, replaced: 0))
    let third = Library(tracks(["0", "a", "b", "c", "d"]), after: second)
    #expect(third.ids == [3, 0, 1, 2, 4])
    #expect(third.difference == Library.Difference(added: 2, removed: 0, replaced: 0))
  }

  @Test("X1: of two tracks of one name the first stays the first")
  func alike() {
    let first = Library(tracks(["a", "x", "x"]))
    #expect(ids(["x", "a", "x"], after: first) == [1, 0, 2])
    let second = Library(tracks(["x"]), after: first)
    #expect(second.ids == [1])
    #expect(ids(["x", "x", "x"], after: second) == [1, 2, 3])
  }

  @Test("X1: names that look the same and differ in their bytes are two")
  func bytes() {
    let first = Library(tracks(["\u{e9}", "e\u{301}"]))
    #expect(ids(["e\u{301}", "\u{e9}"], after: first) == [1, 0])
    #expect(first.id(named: "e\u{301}") == 1)
  }

  @Test("T4: the playlists are the first-level folders, each once, in the order of their first tracks")
  func playlists() {
    func playlists(_ names: [String]) -> [String] { Library(tracks(names)).playlists }
    #expect(playlists(["a/1", "a/b/2", "ab/3", "4", "a/5", "a"]) == ["a", "ab"])
    #expect(playlists(["1", "/2/3", "4"]) == [])
    #expect(playlists([]) == [])
  }

  @Test("X1: a file of the same name with another content is replaced")
  func replaced() {
    let first = Library([Track(path: "/a", name: "a", version: 1)])
    let second = Library([Track(path: "/a", name: "a", version: 2)], after: first)
    #expect(second.ids == [0])
    #expect(second.difference == Library.Difference(added: 0, removed: 0, replaced: 1))
    #expect(second != first)
  }

  @Test("X1: whatever comes, goes and comes again, each track has the id that plain search gives it")
  func model() {
    var generator = SplitMix64(state: 20)
    var names: [String] = []
    var library = Library(tracks(names))
    var (ids, departed, next): ([Int], [(name: String, id: Int)], Int) = ([], [], 0)
    for _ in 0..<300 {
      let former = zip(names, ids).map { (name: $0, id: $1) }
      names.removeAll { _ in Int.random(in: 0..<6, using: &generator) == 0 }
      for _ in 0..<Int.random(in: 0..<6, using: &generator) {
        let place = Int.random(in: 0...names.count, using: &generator)
        names.insert("\(Int.random(in: 0..<40, using: &generator))", at: place)
      }
      var left = former
      ids = names.map { name in
        if let index = left.firstIndex(where: { $0.name == name }) { return left.remove(at: index).id }
        if let index = departed.lastIndex(where: { $0.name == name }) { return departed.remove(at: index).id }
        next += 1
        return next - 1
      }
      departed += left.reversed()
      library = Library(tracks(names), after: library)
      #expect(library.ids.map(\.number) == ids)
      for id in 0..<next { #expect(library.index(of: TrackID(id)) == ids.firstIndex(of: id)) }
    }
  }
}
