import Board
import Glibc

/// A folder for one test, removed with the object.
final class Folder {
  struct Failure: Error { var code: CInt }

  let path: String
  private var files: [String] = []

  init() throws {
    var template = Array("/tmp/jackdaw-gpio-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw Failure(code: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for file in files { unlink(file) }
    rmdir(path)
  }

  func add(_ name: String) throws {
    let file = "\(path)/\(name)"
    let descriptor = Glibc.open(file, O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw Failure(code: errno) }
    close(descriptor)
    files.append(file)
  }

  /// Descriptors of this process that lead into the folder. A count of all descriptors would be
  /// useless, as other tests run at the same time.
  var openDescriptors: Int {
    guard let stream = opendir("/proc/self/fd") else { return -1 }
    defer { closedir(stream) }
    var count = 0
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      var target = [CChar](repeating: 0, count: Int(PATH_MAX))
      let length = readlink("/proc/self/fd/\(name)", &target, target.count)
      let text = String(decoding: target.prefix(max(0, length)).map { UInt8(bitPattern: $0) }, as: UTF8.self)
      if text.hasPrefix(path) { count += 1 }
    }
    return count
  }
}

/// The error of `body`; nil where it does not throw.
func lineError<Result>(_ body: () throws -> Result) -> LineError? {
  do {
    _ = try body()
    return nil
  } catch {
    return error as? LineError
  }
}
