import Board
import CMPG123
import Glibc
import Testing

@testable import TrackDecoding

func fixture(_ name: String, file: String = #filePath) -> String {
  String(file[..<(file.lastIndex(of: "/") ?? file.startIndex)]) + "/Fixtures/" + name
}

func contents(_ path: String) -> [UInt8] {
  let descriptor = open(path, O_RDONLY)
  guard descriptor >= 0 else { return [] }
  defer { close(descriptor) }
  var all: [UInt8] = []
  var chunk = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    let count = read(descriptor, &chunk, chunk.count)
    guard count > 0 else { return all }
    all += chunk[..<count]
  }
}

/// A folder for one test, removed with the object.
final class TemporaryFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/track-decoding-XXXXXX".utf8CString)
    let made = mkdtemp(&template) != nil
    try #require(made)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    Self.removeAll(path)
  }

  private static func removeAll(_ path: String) {
    guard remove(path) != 0, let folder = opendir(path) else { return }
    var names: [[CChar]] = []
    while let entry = readdir(folder) {
      names.append(withUnsafeBytes(of: &entry.pointee.d_name) { $0.prefix { $0 != 0 }.map(CChar.init(bitPattern:)) })
    }
    closedir(folder)
    for name in names where name != [46] && name != [46, 46] {
      // As bytes, since a name need not be UTF-8.
      let inner = path.utf8.map(CChar.init(bitPattern:)) + [47] + name + [0]
      if remove(inner) != 0 {
        removeAll(path + "/" + String(decoding: name.map(UInt8.init(bitPattern:)), as: UTF8.self))
      }
    }
    remove(path)
  }

  @discardableResult
  func write(_ name: String, _ bytes: [UInt8] = [1]) -> String {
    let file = path + "/" + name
    let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    var done = 0
    while done < bytes.count {
      let count = Glibc.write(descriptor, Array(bytes[done...]), bytes.count - done)
      guard count > 0 else { break }
      done += count
    }
    close(descriptor)
    return file
  }

  @discardableResult
  func folder(_ name: String) -> String {
    mkdir(path + "/" + name, 0o755)
    return path + "/" + name
  }

  /// The descriptors of this process that are open on files in the folder.
  func openDescriptors() -> Int {
    var count = 0
    for number in 0..<4_096 {
      var target = [CChar](repeating: 0, count: 4096)
      let length = readlink("/proc/self/fd/\(number)", &target, target.count)
      if length > 0,
        String(decoding: target[..<length].map(UInt8.init(bitPattern:)), as: UTF8.self).hasPrefix(path + "/")
      {
        count += 1
      }
    }
    return count
  }
}

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
