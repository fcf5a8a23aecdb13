import Testing

@testable import Jukebox

@Suite struct TrackListTests {
  /// Two folders, one of them at two places; names that look alike; paths that are not a folder and a name.
  private static let tracks = [
    Track(path: "/m/a/1.mp3", name: "a/1.mp3", version: 7, folder: "/m"),
    Track(path: "/m/caf\u{10FEE9}.mp3", name: "caf\\xe9.mp3", version: -1, folder: "/m"),
    Track(path: "/stick/\u{E9}.mp3", name: "\u{E9}.mp3", folder: "/stick/"),
    Track(path: "/stick/e\u{301}.mp3", name: "e\u{301}.mp3", folder: "/stick/"),
    Track(path: "alone", name: "alone"), Track(path: "", name: "empty"),
    Track(path: "/m/a/1.mp3", name: "a/1.mp3", folder: "/m"),
  ]

  @Test("what goes in comes out, in the same order")
  func roundTrip() {
    let list = TrackList(Self.tracks)
    #expect(Array(list) == Self.tracks)
    #expect(list.count == Self.tracks.count && TrackList().isEmpty)
    #expect(list.indices.map(list.name) == Self.tracks.map(\.name))
    #expect(list.indices.map { Array(list.nameBytes(at: $0)) } == Self.tracks.map { Array($0.name.utf8) })
  }

  @Test("two lists are alike where all that is known of their tracks is")
  func equality() {
    let list = TrackList(Self.tracks)
    #expect(list == TrackList(Self.tracks))
    for index in Self.tracks.indices {
      var changed = Self.tracks
      changed[index].version += 1
      #expect(TrackList(changed) != list)
      changed = Self.tracks
      changed[index].folder += "x"
      #expect(TrackList(changed) != list)
      changed = Self.tracks
      changed[index].path += "x"
      #expect(TrackList(changed) != list)
      changed = Self.tracks
      changed[index].name += "x"
      #expect(TrackList(changed) != list)
    }
  }

  @Test("a track is found by its name byte by byte, the first of those that have it")
  func names() {
    let list = TrackList(Self.tracks)
    #expect(list.index(named: "a/1.mp3") == 0)
    #expect(list.index(named: "\u{E9}.mp3") == 2)
    #expect(list.index(named: "e\u{301}.mp3") == 3)
    #expect(list.index(named: "1.mp3") == nil)
  }

  @Test("a list that is appended is appended track by track", arguments: 0...7)
  func appending(split: Int) {
    var list = TrackList(Self.tracks.prefix(split))
    list.append(contentsOf: TrackList(Self.tracks.dropFirst(split)))
    #expect(Array(list) == Self.tracks)
    #expect(list == TrackList(Self.tracks))
    list.append(contentsOf: TrackList())
    #expect(list == TrackList(Self.tracks))
  }

  @Test("a list is made of its parts where they fit together, and only there")
  func parts() {
    func list(_ text: String, _ ends: [Int], _ versions: [Int], _ paths: [Int: String] = [:]) -> TrackList? {
      TrackList(text: Array(text.utf8), ends: ends, versions: versions, folder: "/m", paths: paths)
    }
    let tracks = [
      Track(path: "/m/ab", name: "ab", version: 1, folder: "/m"),
      Track(path: "/m/", name: "", version: 2, folder: "/m"),
      Track(path: "other", name: "c", version: 3, folder: "/m"),
    ]
    #expect(list("abc", [2, 2, 3], [1, 2, 3], [2: "other"]) == TrackList(tracks))
    #expect(list("", [], []) == TrackList())
    #expect(list("abc", [2, 1, 3], [1, 2, 3]) == nil)
    #expect(list("abc", [-1, 2, 3], [1, 2, 3]) == nil)
    #expect(list("abc", [1, 2, 2], [1, 2, 3]) == nil)
    #expect(list("abc", [1, 2, 4], [1, 2, 3]) == nil)
    #expect(list("abc", [1, 4, 3], [1, 2, 3]) == nil)
    #expect(list("abc", [2, 3], [1, 2, 3]) == nil)
    #expect(list("abc", [], []) == nil)
    for place in [-1, 3] { #expect(list("abc", [1, 2, 3], [1, 2, 3], [place: "other"]) == nil) }
  }
}
