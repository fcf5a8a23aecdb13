import Board
import Glibc
import TestSupport
import Testing

@testable import TrackDecoding

/// A storage that gives a file up to some place, and nothing from there on while it is broken.
private final class DyingStorage {
  var limit = Int.max

  func read(_ descriptor: CInt, _ target: UnsafeMutableRawPointer?, _ count: Int, _ offset: off_t) -> Int {
    guard offset < limit else {
      errno = EIO
      return -1
    }
    return pread(descriptor, target, min(count, limit - offset), offset)
  }

  func file(_ path: String) throws(TrackError) -> TrackFile {
    TrackFile(try OpenFile(path: path), path: path, reader: read)
  }
}

/// Storage that fails in the middle of a file is not the end of the track (X4).
@Suite struct FailingStorageTests {
  private let folder: TemporaryFolder
  private let storage = DyingStorage()

  private static let files = [
    "seek-cbr-320.mp3", "seek-vbr.mp3", "seek-mpeg25-8.mp3", "free-format-200.mp3", "bad-random-middle.mp3",
    "tag-id3v1.mp3", "seek-flac.flac", "seek-flac.oga", "seek-vorbis.ogg", "seek-opus.opus", "a.wav",
  ]

  init() throws { folder = try TemporaryFolder() }

  private func path(_ name: String) -> String {
    name == "a.wav" ? folder.write(name, wave(bytes(noise(30_000)))) : fixture(name)
  }

  private func expectStorage(_ error: TrackError?, _ place: Int, _ name: String) {
    let wanted = error?.isStorage == true && error?.reason == "the storage cannot be read"
    #expect(wanted, "\(name) at \(place): \(error?.reason ?? "no error")")
  }

  @Test("X4: where the storage fails, a track fails with it, and what it gave before is the track's", arguments: files)
  func fails(name: String) throws {
    let path = path(name)
    let (whole, size) = (try decode(path, rate: 44_100), contents(path).count)
    for place in stride(from: size / 40, to: size - 1000, by: size / 40) {
      storage.limit = .max
      let track = try FileTrackOpener().open(storage.file(path), rate: 44_100)
      storage.limit = place
      let (samples, error) = try play(track)
      // What was read ahead can be played.
      if samples.count == whole.count, place > size - (1 << 16) { continue }
      expectStorage(error, place, name)
      #expect(samples.count < whole.count && parting(samples, whole.prefix(samples.count)) == nil, "\(place)")
    }
  }

  @Test(
    "X4: a file whose end cannot be read when it is opened plays up to there, or is refused for it", arguments: files)
  func opens(name: String) throws {
    let path = path(name)
    let size = contents(path).count
    for eighth in 1..<8 {
      storage.limit = size * eighth / 8
      let track: any TrackSource
      do throws(TrackError) { track = try FileTrackOpener().open(storage.file(path), rate: 44_100) } catch {
        expectStorage(error, storage.limit, name)
        continue
      }
      expectStorage(try play(track).error, storage.limit, name)
    }
  }

  @Test("X4: a length that the storage does not let be counted is not told", arguments: files)
  func measure(name: String) throws {
    let path = path(name)
    storage.limit = contents(path).count / 2
    do throws(TrackError) {
      _ = try FileTrackOpener().inspect(storage.file(path))
      // Of some files the headers are enough.
      #expect(["a.wav"].contains(name))
    } catch {
      expectStorage(error, storage.limit, name)
    }
  }

  @Test("X4: a seek that the storage fails is its fault, and one after it is back is exact", arguments: files)
  func seek(name: String) throws {
    let path = path(name)
    let (whole, size) = (try decode(path, rate: 44_100), contents(path).count)
    var track = try FileTrackOpener().open(storage.file(path), rate: 44_100)
    for place in [size / 8, size / 4] {
      let frame = whole.count / 2 - 3000
      storage.limit = place
      do {
        try track.seek(to: frame)
        let found = try play(track)
        // Some of the last bytes have been looked at before.
        if found.error != nil { expectStorage(found.error, place, name) }
        #expect(found.samples.count <= 6000)
      } catch let error as TrackError {
        expectStorage(error, place, name)
      }
      storage.limit = .max
      // Other libraries read no more after a failure.
      if !name.hasSuffix("mp3") { track = try FileTrackOpener().open(storage.file(path), rate: 44_100) }
      for frame in [frame, 2000, frame / 2] {
        try track.seek(to: frame)
        let wanted = whole[(2 * frame)...].prefix(1000)
        #expect(try largestDifference(next(track, 500), wanted) <= 2, "\(name) from \(frame) after \(place)")
      }
    }
  }

  @Test("X4: a search for the next frame that the storage fails hides nothing of what is behind")
  func junk() throws {
    let music = contents(fixture("seek-cbr-320.mp3"))
    let file = music + Array(bytes(noise(100_000)).prefix(300_000)) + music
    let path = folder.write("a.mp3", file)
    let whole = try decode(path, rate: 44_100)
    let track = try FileTrackOpener().open(storage.file(path), rate: 44_100)
    for step in [100_000, 200_000] {
      storage.limit = music.count + step
      expectStorage(try play(track).error, step, "a.mp3")
      storage.limit = .max
      let frame = whole.count / 2 - 20_000
      try track.seek(to: frame)
      #expect(try parting(rest(track), whole[(2 * frame)...]) == nil)
      try track.seek(to: 0)
    }
  }
}
