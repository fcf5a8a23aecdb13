import Board
import Files
import Glibc
import Jukebox
import Simulator
import Storage
import TestSupport
import TrackDecoding

/// The recordings folder after a power cut: the bytes up to the second newline are the marker, the rest is the file that it
/// may name. The file becomes a valid WAV, or is removed as empty, or stays as it is. A second recovery changes nothing,
/// and no other file is touched.
enum TornRecordings {
  static let name = "2026-11-21 14-03-22.wav"
  private static let other = "2026-11-21 14-03-23.wav"

  static func check(_ bytes: [UInt8]) throws {
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 2, omittingEmptySubsequences: false)
    let content = lines.count == 3 ? Array(lines[2]) : []
    let folder = try TemporaryFolder()
    let file = folder.write(name, content)
    let neighbour = folder.write(other, content)
    folder.write(RecordingSettings.marker, bytes.prefix(bytes.count - content.count))
    let report = try recover(folder.path)
    // The marker may name that file as well.
    let isNamed = lines[0].elementsEqual(other.utf8)
    try hold(isNamed || FileAccess.read(neighbour) == content, "another file was changed")
    switch report {
    case nil: try hold(try FileAccess.read(file) == content, "changed, and not said")
    case .recovered(other, _): break
    case .recovered(name, frames: 0): try hold(access(file, F_OK) != 0, "empty, and still there")
    case .recovered(name, let frames):
      try hold(try FileAccess.read(file).count == 44 + 4 * frames, "a length that is not that of \(frames) frames")
      let info = try FileTrackOpener().inspect(path: file)
      try hold(info.frames == frames && info.channels == 2, "\(frames) frames, but other players find \(info)")
    case let report?: throw BrokenPromise("unexpected: \(report)")
    }
    try hold(try recover(folder.path) == nil, "recovered twice")
  }

  private static func recover(_ folder: String) throws -> RecorderReport? {
    let clock = VirtualWallClock(clock: VirtualClock())
    let recorder = Recorder(
      RecorderParts(
        settings: RecordingSettings(folder: folder), input: nil, opener: nil, rate: 44_100, wallClock: clock))
    recorder.recover(at: .powerOn)
    let reports = recorder.takeReports()
    try hold(reports.count <= 1, "\(reports)")
    return reports.first
  }
}
