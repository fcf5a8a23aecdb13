import Files
import Glibc
import JSON

/// Asks the firmware's program beside this one for `[fleet]` of a settings file: only that program reads such files.
enum FleetSettingsReader {
  /// A reply has some hundred bytes.
  private static let longest = 65_536

  /// Blocks until that program has ended.
  static func read(_ file: String) throws(FleetWords.Failure) -> JSONValue {
    guard let folder = FileAccess.executableFolder() else { throw failure("/proc/self/exe", errno) }
    let program = FileAccess.join(folder, "jackdaw")
    var ends: [CInt] = [-1, -1]
    guard pipe(&ends) == 0 else { throw failure(program, errno) }
    defer { close(ends[0]) }
    let (code, child) = start([program, "fleet-settings", file], output: ends[1])
    close(ends[1])
    guard code == 0 else { throw failure(program, code) }
    let text = all(of: ends[0])
    var status: CInt = 0
    while waitpid(child, &status, 0) < 0, errno == EINTR {}
    // The child has already printed the error.
    guard status == 0, let json = try? JSONValue(parsing: text) else {
      throw FleetWords.Failure(message: "\(Wording.path(file)): [fleet] cannot be read")
    }
    return json
  }

  private static func start(_ words: [String], output: CInt) -> (code: CInt, child: pid_t) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
    var arguments = words.map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var child: pid_t = 0
    return (posix_spawn(&child, words[0], &actions, nil, &arguments, environ), child)
  }

  private static func all(of descriptor: CInt) -> [UInt8] {
    var bytes: [UInt8] = []
    var block = [UInt8](repeating: 0, count: 4_096)
    while bytes.count < longest {
      let count = Glibc.read(descriptor, &block, block.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      bytes += block[..<count]
    }
    return bytes
  }

  private static func failure(_ path: String, _ code: CInt) -> FleetWords.Failure {
    FleetWords.Failure(message: "\(path): \(String(cString: strerror(code)))")
  }
}
