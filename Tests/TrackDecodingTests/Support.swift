import Board
import CDecoders
import Glibc
import TestSupport
import Testing

@testable import TrackDecoding

func fixture(_ name: String, file: String = #filePath) -> String {
  String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)]) + "/Fixtures/" + name
}

extension TemporaryFolder {
  /// A file of which only the name matters.
  @discardableResult func write(_ name: String) -> String { write(name, [1]) }
}

func openTrackFile(_ path: String) throws(TrackError) -> TrackFile { TrackFile(try OpenFile(path: path), path: path) }

/// The bytes of a fixture; none where it cannot be read, which its test notices.
func contents(_ path: String) -> [UInt8] { readFile(path) ?? [] }

/// What libmpg123 gives for a whole file with its own gapless decoding: one part for every format.
func plainDecode(_ path: String) -> [(rate: Int, samples: [Int16])] {
  guard let handle = mpg123_new(nil, nil) else { return [] }
  defer { mpg123_delete(handle) }
  mpg123_param2(handle, CInt(MPG123_ADD_FLAGS.rawValue), Int(MPG123_QUIET.rawValue | MPG123_GAPLESS.rawValue), 0)
  mpg123_param2(handle, CInt(MPG123_RESYNC_LIMIT.rawValue), -1, 0)
  mpg123_format_none(handle)
  mpg123_format2(handle, 0, CInt(MPG123_STEREO.rawValue), CInt(MPG123_ENC_SIGNED_16.rawValue))
  guard mpg123_open(handle, path) == MPG123_OK.rawValue else { return [] }
  var parts: [(rate: Int, samples: [Int16])] = []
  var chunk = [Int16](repeating: 0, count: 8192)
  while true {
    var bytes = 0
    let code = mpg123_read(handle, &chunk, 16384, &bytes)
    if bytes > 0 { parts[parts.count - 1].samples += chunk[..<(bytes / 2)] }
    if code == MPG123_NEW_FORMAT.rawValue {
      var rate = 0
      var channels: CInt = 0
      var encoding: CInt = 0
      mpg123_getformat(handle, &rate, &channels, &encoding)
      parts.append((rate, []))
    } else if code != MPG123_OK.rawValue {
      return parts
    }
  }
}

/// The remaining frames of `source`, read in blocks of `block` frames.
func rest(_ source: any TrackSource, block: Int = 1000) throws -> [Int16] {
  var all: [Int16] = []
  var chunk = [Int16](repeating: 0, count: 2 * block)
  while true {
    let count = try chunk.withUnsafeMutableBufferPointer { buffer in
      try source.read(into: #require(buffer.baseAddress), frames: block)
    }
    if count == 0 { return all }
    all += chunk[..<(2 * count)]
  }
}

func next(_ source: any TrackSource, _ frames: Int) throws -> [Int16] {
  var chunk = [Int16](repeating: 0, count: 2 * frames)
  let count = try chunk.withUnsafeMutableBufferPointer { buffer in
    try source.read(into: #require(buffer.baseAddress), frames: frames)
  }
  return Array(chunk[..<(2 * count)])
}

func decode(_ path: String, rate: Int) throws -> [Int16] {
  try rest(FileTrackOpener().open(path: path, rate: rate))
}

/// The frames of a track, and the reason if it ended with an error.
func play(_ path: String, rate: Int = 44_100) throws -> (samples: [Int16], reason: String?) {
  let (samples, error) = try play(FileTrackOpener().open(path: path, rate: rate))
  return (samples, error?.reason)
}

/// What a track gives until it fails or ends.
func play(_ track: any TrackSource) throws -> (samples: [Int16], error: TrackError?) {
  var samples: [Int16] = []
  do {
    while true {
      let more = try next(track, 1000)
      if more.isEmpty { return (samples, nil) }
      samples += more
    }
  } catch let error as TrackError {
    return (samples, error)
  }
}

/// The index of the first difference of two decodes, nil if they are the same. (A failed `==` of the arrays would work
/// on their difference for minutes.)
func parting(_ left: some Sequence<Int16>, _ right: some Sequence<Int16>) -> Int? {
  let (left, right) = (Array(left), Array(right))
  if left == right { return nil }
  let first = zip(left, right).enumerated().first { $0.element.0 != $0.element.1 }
  return first?.offset ?? (left.count == right.count ? nil : min(left.count, right.count))
}

func largestDifference(_ left: some Sequence<Int16>, _ right: some Sequence<Int16>) -> Int {
  zip(left, right).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
}
