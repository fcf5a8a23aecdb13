import Glibc
import Jukebox
import Testing

@testable import KioskTestSupport
@testable import Simulator
@testable import Storage

/// The firmware's state store in virtual time, on the simulated storage.
@Suite struct SavedStateTests {
  private func number(_ key: String, in line: String?) -> Int? {
    line?.split(separator: " ").first { $0.hasPrefix("\(key)=") }.flatMap { Int($0.dropFirst(key.count + 1)) }
  }

  /// The devices discard sound, so that hours pass quickly.
  private func play(_ scenario: String, _ change: (inout Settings) -> Void = { _ in }) throws -> ScenarioResult {
    let stage = ScenarioSetup()
    var settings = stage.settings
    change(&settings)
    let story = try ScenarioParser.parse(scenario, file: "test.scenario", board: stage.board)
    let lengths = Dictionary(uniqueKeysWithValues: stage.tracks.map { ($0.name, $0.frames) })
    let library = stage.tracks.map { Track(path: $0.name, name: $0.name) }
    return try ScenarioSetup.perform(
      story, board: stage.board, settings: settings, library: library, opener: CountingTracks(lengths), hearing: false)
  }

  @Test("W1: wherever the power is cut, the place in the track is at most save_interval old")
  func place() throws {
    for cut in [4_000, 7_900, 8_100, 12_999, 14_500, 19_321] {
      let story = """
        at 1s console "play"
        at \(cut)ms power cut
        at 30s power on
        at 31s end
        """
      let played = try play(story) { $0.saveInterval = .seconds(5) }
      let restored = try #require(played.events("state.restored").first)
      let frame = try #require(number("frame", in: restored))
      let heard = (cut - 1_000) * ScenarioSetup.rate / 1_000
      #expect(frame <= heard && frame >= heard - 5 * ScenarioSetup.rate, "\(cut) ms: \(restored)")
    }
  }

  @Test("W1: nothing is written while nothing changes, and each write is counted")
  func wear() throws {
    let story = """
      at 1s console "volume 30"
      at 7200s console "volume 31"
      at 10800s console "volume 31"
      at 14400s end
      """
    let played = try play(story) {
      $0.idleReset = .zero
      $0.visitGap = .zero
    }
    #expect(played.events("state.saved").map { number("writes", in: $0) } == [1, 2])
  }

  @Test("W3: a storage that is full or read-only keeps the newest state that it took")
  func faults() throws {
    let played = try play(
      """
      at 1s console "volume 10"
      at 10s console "volume 20"
      at 20s storage full
      at 21s console "volume 30"
      at 100s storage read-only
      at 110s console "volume 40"
      at 300s power cut
      at 301s power on
      at 302s expect volume 20
      at 303s storage restore
      at 304s console "volume 50"
      at 310s power cut
      at 311s power on
      at 312s expect volume 50
      at 313s end
      """
    ) { $0.visitGap = .zero }
    #expect(played.outcome.failures == [])
    #expect(played.events("state.unreadable") == [])
  }

  @Test("K6: the lines that a blocked console has missed are counted in status")
  func dropped() throws {
    let helps = (0..<120).map { "at \(2_000 + $0)ms console help\n" }.joined()
    let played = try play(
      "at 1s console blocked\n\(helps)at 3s console free\nat 4s console \"status\"\nat 5s end")
    let missed = try #require(number("n", in: played.events("log.dropped").first))
    #expect(missed > 0 && number("dropped", in: played.replies.last) == missed)
  }

  @Test("a name that the folder was not synced for is lost with the power, and the one before it is back")
  func unsyncedName() throws {
    let storage = SimulatedStorage(on: MemoryStorage())
    for name in ["old", "new"] {
      let file = try storage.create(name)
      try storage.writeAll(Array(name.utf8), to: file, at: 0)
      try storage.sync(file)
      storage.close(file)
    }
    try storage.rename("new", to: "old")
    #expect(try storage.read("old", atMost: 9) == Array("new".utf8))
    storage.cutPower()
    #expect(try storage.read("old", atMost: 9) == Array("old".utf8))
    #expect(try storage.read("new", atMost: 9) == Array("new".utf8))
    try storage.rename("new", to: "old")
    storage.syncFolder(".")
    storage.cutPower()
    #expect(try storage.read("old", atMost: 9) == Array("new".utf8))
  }
}
