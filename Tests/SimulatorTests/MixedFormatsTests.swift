import Board
import Jukebox
import TestSupport
import Testing
import TrackDecoding

@testable import KioskTestSupport
@testable import Simulator

/// An album of every format, rate and number of channels, through the real decoders and the engine.
@Suite struct MixedFormatsTests {
  private static let names = [
    "gapless-1.mp3", "flac-48000-stereo.flac", "vorbis-22050-stereo.ogg", "opus-48000-mono.opus", "rate-8000-mono.mp3",
    "flac-192000-mono.flac", "vorbis-44100-stereo.ogg", "opus-16000-stereo.opus", "flac-8000-stereo.flac",
    "gapless-2.mp3",
  ]

  private static let paths: [String] = names.map {
    repositoryPath("Tests/TrackDecodingTests/Fixtures/" + $0)
  }

  /// All samples of a track, decoded by itself.
  private func decode(_ path: String, rate: Int) throws -> [Int16] {
    let track = try FileTrackOpener().open(path: path, rate: rate)
    var all: [Int16] = []
    var block = [Int16](repeating: 0, count: 2 * 4096)
    while true {
      let count = try track.read(into: &block, frames: 4096)
      if count == 0 { return all }
      all += block[..<(2 * count)]
    }
  }

  @Test("P10: the tracks follow each other without a sample too many or too few", arguments: [44_100, 48_000])
  func gapless(rate: Int) throws {
    var wanted: [Int16] = []
    for path in Self.paths { wanted += try decode(path, rate: rate) }
    var board = ScenarioSetup.board()
    board.rate = rate
    var settings = Settings()
    settings.startVolume = 100
    let story = try ScenarioParser.parse(
      "at 1s press play\nat 6s expect state stopped\nat 6s end", file: "a", board: board)
    let library = zip(Self.paths, Self.names).map { Track(path: $0, name: $1) }
    let played = try ScenarioSetup.perform(
      story, board: board, settings: settings, library: library, opener: FileTrackOpener())
    #expect(played.outcome.failures == [])
    #expect(played.events("track.started").count == Self.names.count)
    let left = try #require(played.left[.speaker])
    let right = try #require(played.right[.speaker])
    // The chord begins at 0, so the first frame that is not silent shows where the music begins.
    let first = try #require(stride(from: 0, to: wanted.count, by: 2).first { wanted[$0] != 0 }) / 2
    let start = try #require(left.firstIndex { $0 != 0 }) - first
    let frames = wanted.count / 2
    try #require(start + frames <= left.count)
    var wrong: Int?
    for frame in 0..<frames where wrong == nil {
      let isSame = left[start + frame] == wanted[2 * frame] && right[start + frame] == wanted[2 * frame + 1]
      if !isSame { wrong = frame }
    }
    #expect(wrong == nil)
    #expect(left[(start + frames)...].allSatisfy { $0 == 0 })
  }
}
