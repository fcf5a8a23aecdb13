import Jukebox
import Testing

@testable import Storage

@Suite struct FolderPickTextTests {
  private static let state = SavedState(
    volumes: [:], track: nil, frame: 0, intent: .stopped, port: nil,
    picks: [
      FolderPick(playlist: "a \"b\"", track: "a \"b\"/1\u{7F}.mp3", order: .listed(index: 7)),
      FolderPick(playlist: "jokes", track: "jokes/é", order: .random(seed: .max - 3)),
      FolderPick(playlist: "jokes", track: "jokes/2", order: .listed(index: 0)),
    ])

  @Test("O4, W1: the places of the files that are played one by one come back as they were saved")
  func roundTrip() throws {
    let found = try StateText.decode(StateText.encode(Self.state), file: "s")
    #expect(Set(found.picks) == Set(Self.state.picks))
  }

  @Test("W3: to an earlier version of the program they are comments, and what is wrong in one is named with its line")
  func comments() throws {
    let lines = String(decoding: StateText.encode(Self.state), as: UTF8.self).split(separator: "\n")
    #expect(lines.filter { $0.contains("jokes") }.allSatisfy { $0.hasPrefix("# ") })
    let bad = StateText.sealed(Array("version = 2\nintent = \"stopped\"\n# next.\"f\" = { track = \"f/1\" }\n".utf8))
    #expect(throws: (any Error).self) { try StateText.decode(bad, file: "s") }
  }
}
