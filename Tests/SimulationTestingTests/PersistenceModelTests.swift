import AudioSession
import BoardFiles
import Jukebox
import Testing

@testable import SimulationTesting

@Suite struct PersistenceModelTests {
  /// A booth whose state was saved in the instant in which it skipped a track that cannot be played.
  private struct Booth {
    private let status: Status
    private var model: PersistenceModel

    init() throws {
      let board = try BoardFile.read(WorkloadTests.kiosks + "/booth.board.toml")
      var settings = Settings()
      settings.saveInterval = .seconds(7)
      model = PersistenceModel(ports: board.ports.map(\.output), settings: settings, playable: [1, 2, 4, 5, 7])
      status = Jukebox(configuration: board.configuration(settings: settings), library: []).status(at: .powerOn)
      _ = check(track: 2, at: 0)
      _ = model.check(Event(.playbackResumed, .info, ["track": "6", "frame": "0"]), at: .powerOn)
      _ = model.check(Event(.stateSaved, .debug), at: .powerOn)
      _ = model.check(Event(.trackStarted, .info, ["track": "7", "frame": "0"]), at: .powerOn)
      _ = check(track: 7, at: 0)
    }

    mutating func check(track: Int, at seconds: Int) -> String? {
      var status = status
      status.track = track
      return model.check(status, at: .powerOn + .seconds(seconds), isPlaying: false)?.row
    }

    /// Boots after a power cut.
    mutating func boot(track: Int, frame: Int) -> String? {
      var status = status
      status.track = track
      status.frame = frame
      model.cutPower()
      return model.checkBoot(status, at: .powerOn)?.row
    }
  }

  @Test("W1: the place of a save in passing counts as the saved one", arguments: [6, 7])
  func passed(track: Int) throws {
    var booth = try Booth()
    #expect(booth.check(track: track, at: 1) == nil)
    #expect(booth.check(track: track, at: 60) == nil)
  }

  @Test("W1: a place that is not saved in time is noticed", arguments: [2, 4])
  func unsaved(track: Int) throws {
    var booth = try Booth()
    #expect(booth.check(track: track, at: 1) == nil)
    #expect(booth.check(track: track, at: 9) == nil)
    #expect(booth.check(track: track, at: 10) == "W1")
  }

  @Test("W1: a power cut may bring back the place of a save in passing", arguments: [6, 7])
  func restored(track: Int) throws {
    var booth = try Booth()
    #expect(booth.boot(track: track, frame: 0) == nil)
  }

  @Test("W1: a power cut that brings back another place is noticed", arguments: [4, 6, 7])
  func lost(track: Int) throws {
    var booth = try Booth()
    #expect(booth.boot(track: track, frame: 100) == "W1")
  }
}
