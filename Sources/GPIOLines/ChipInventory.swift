import Board
import Glibc

/// One chip, and what it reports about its lines.
struct ChipSnapshot: Hashable {
  /// Every path that led to it; the first one opens it.
  var paths: [String]
  var name: String
  var label: String
  /// The label of the line at each offset, empty where it has none.
  var lineLabels: [String]
  /// The users of the lines that are in use, by offset; empty where the kernel does not say.
  var users: [Int: String] = [:]
}

/// A snapshot of all chips of a board, so that lines are looked for in values and not in hardware.
struct ChipInventory: Hashable {
  var directory: String
  var chips: [ChipSnapshot] = []
  /// Chips that could not be opened or read, by path.
  var failures: [String: SystemFailure] = [:]

  /// Reads the chips of `directory`, and those that fallbacks of `requests` name by a path elsewhere. No chip stays
  /// open.
  static func taken(in directory: String, for requests: [LineRequest]) -> ChipInventory {
    var inventory = ChipInventory(directory: directory)
    for path in chipPaths(in: directory) { inventory.ask(path) }
    for fallback in requests.compactMap(\.fallback) {
      if let path = ChipName(fallback.chip).path(in: directory) { inventory.ask(path) }
    }
    return inventory
  }

  private mutating func ask(_ path: String) {
    guard failures[path] == nil, !chips.contains(where: { $0.paths.contains(path) }) else { return }
    do throws(SystemFailure) {
      let handle = try ChipHandle.open(path: path)
      let name = handle.name
      // Boards keep old chip numbers alive as links to the renumbered chip.
      if let known = chips.firstIndex(where: { $0.name == name }) {
        chips[known].paths.append(path)
        return
      }
      var labels: [String] = []
      var users: [Int: String] = [:]
      for offset in 0..<handle.lineCount {
        let line = try handle.line(at: offset)
        labels.append(line.label)
        if line.isUsed { users[offset] = line.consumer }
      }
      chips.append(ChipSnapshot(paths: [path], name: name, label: handle.label, lineLabels: labels, users: users))
    } catch {
      failures[path] = error
    }
  }
}

/// Paths of all `gpiochipN` in `directory`, in the order of their numbers; none when it cannot be read.
func chipPaths(in directory: String) -> [String] {
  guard let stream = opendir(directory) else { return [] }
  defer { closedir(stream) }
  var numbers: [(number: Int, name: String)] = []
  while let entry = readdir(stream) {
    let name = withUnsafeBytes(of: &entry.pointee.d_name) {
      String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
    }
    guard case .name(name) = ChipName(name), let number = Int(name.dropFirst("gpiochip".count)) else { continue }
    numbers.append((number, name))
  }
  return numbers.sorted { $0.number < $1.number }.map { "\(directory)/\($0.name)" }
}
