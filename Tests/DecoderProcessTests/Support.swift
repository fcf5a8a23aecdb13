import Board
import Files
import Glibc
import TestSupport
import Testing

@testable import DecoderProcess

/// The built program, which is the decoder.
let program = FileAccess.join(FileAccess.executableFolder() ?? "", "jackdaw")

let fixtures = repositoryPath("Tests/TrackDecodingTests/Fixtures")

func fixture(_ name: String) -> String { "\(fixtures)/\(name)" }

/// Collects faults of any thread.
final class FaultList: @unchecked Sendable {
  private(set) var faults: [DecoderFault] = []
  func add(_ fault: DecoderFault) { faults.append(fault) }
}

/// An opener of the built program, and its faults.
func makeOpener(
  _ program: String = program, gain: ReplayGain = .off, limits: DecoderLimits = DecoderLimits()
) -> (opener: ProcessTrackOpener, faults: FaultList) {
  let list = FaultList()
  return (ProcessTrackOpener(program: program, replayGain: gain, limits: limits, onFault: list.add), list)
}

/// A program in a folder that says that it works, as a decoder does, and then runs `body`, where `link` is its socket.
func scriptedDecoder(_ folder: TemporaryFolder, _ body: String) -> String {
  let script = """
    #!/usr/bin/env python3
    import os, socket, struct
    link = socket.socket(fileno=3)
    link.send(struct.pack('<QqI4x7q', 0, 0, 0, 0, 0, 0, -1, -1, -1, -1))
    \(body)
    """
  let path = folder.write("decoder", script)
  chmod(path, 0o755)
  return path
}

/// Waits as a decode thread does until the track has something to give.
func waitUntilReady(_ track: any TrackSource, of opener: any TrackOpener) {
  while !track.isReady() { waitOnce(opener) }
}

/// One wait of a decode thread.
func waitOnce(_ opener: any TrackOpener) {
  var polled = opener.pollDescriptors.map { pollfd(fd: $0.fileDescriptor, events: $0.events, revents: 0) }
  let left = opener.patience?.components
  let milliseconds = left.map { $0.seconds * 1_000 + $0.attoseconds / 1_000_000_000_000_000 + 1 }
  poll(&polled, nfds_t(polled.count), milliseconds.map { CInt(clamping: $0) } ?? -1)
  opener.service()
}

/// Up to `frames` frames from where the track is; fewer at its end.
func read(_ track: any TrackSource, of opener: any TrackOpener, frames: Int = .max) throws -> [Int16] {
  var all: [Int16] = []
  var chunk = [Int16](repeating: 0, count: 2 * 4_096)
  while all.count / 2 < frames {
    waitUntilReady(track, of: opener)
    let count = try chunk.withUnsafeMutableBufferPointer { buffer in
      try track.read(into: #require(buffer.baseAddress), frames: min(4_096, frames - all.count / 2))
    }
    if count == 0 { break }
    all += chunk[..<(2 * count)]
  }
  return all
}

/// The same track in this process and in another, each from a frame on; an error as its reason.
func decode(_ opener: any TrackOpener, _ path: String, rate: Int, from frame: Int = 0, frames: Int = .max) -> Decoded {
  do {
    let track = try opener.open(path: path, rate: rate)
    defer { track.close() }
    if frame > 0 { try track.seek(to: frame) }
    let samples = try read(track, of: opener, frames: frames)
    return Decoded(samples: samples, info: track.info)
  } catch {
    return Decoded(reason: (error as? TrackError)?.reason ?? "\(error)")
  }
}

struct Decoded: Equatable {
  var samples: [Int16] = []
  var info: TrackInfo?
  var reason: String?
}
