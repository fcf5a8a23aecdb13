import AudioSession
import Board
import Glibc
import Jukebox

/// What survives a power cut, in a TOML file that is replaced as a whole: a reader finds the old one or the new one.
struct StateFile {
  let path: String

  private static let intents = Intent.allCases.map(\.rawValue)

  func read() -> PowerOn.Saved {
    guard access(path, F_OK) == 0 else { return .nothing }
    do throws(FileError) {
      return .state(try parse(FileAccess.read(path)))
    } catch {
      return .unreadable(reason: error.description)
    }
  }

  private func parse(_ bytes: [UInt8]) throws(FileError) -> SavedState {
    let table = try TOMLTable(parsing: bytes, file: path)
    try table.allowOnly(["track", "frame", "intent", "port", "volumes"])
    var volumes: [Port: Int] = [:]
    if let saved = try table.table("volumes") {
      try saved.allowOnly(Port.allCases.map(\.rawValue))
      for port in Port.allCases { volumes[port] = try saved.optional(port.rawValue, .integer(in: 0...100)) }
    }
    return SavedState(
      volumes: volumes, track: try table.optional("track", .anyText),
      frame: try table.optional("frame", .integer(in: 0...Int.max)) ?? 0,
      intent: try table.required("intent", .word), port: try table.optional("port", .word))
  }

  /// Blocks until the storage has it.
  func write(_ state: SavedState) -> StorageReport {
    var text = "intent = \"\(state.intent.rawValue)\"\nframe = \(state.frame)\n"
    if let track = state.track { text += "track = \(quoted(track))\n" }
    if let port = state.port { text += "port = \"\(port.rawValue)\"\n" }
    text += "[volumes]\n"
    for (port, volume) in state.volumes.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      text += "\(port.rawValue) = \(volume)\n"
    }
    return replace(with: text) ? .saved : .failed(reason: "\(path): \(String(cString: strerror(errno)))")
  }

  /// A TOML basic string.
  private func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22, 0x5C: result += "\\\(scalar)"
      case 0..<32, 127:
        let hex = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - hex.count) + hex
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }

  /// Written beside, synced, renamed, and the folder synced: only then has a power cut no say any more.
  private func replace(with text: String) -> Bool {
    let folder = FileAccess.folder(of: path)
    let fresh = path + ".new"
    let file = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o640)
    guard file >= 0 else { return false }
    let bytes = Array(text.utf8)
    let isWritten = Glibc.write(file, bytes, bytes.count) == bytes.count && fsync(file) == 0
    close(file)
    guard isWritten, rename(fresh, path) == 0 else { return false }
    let parent = open(folder.isEmpty ? "." : folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard parent >= 0 else { return false }
    defer { close(parent) }
    return fsync(parent) == 0
  }
}
