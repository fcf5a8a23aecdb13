/// Every state that a file system may be in when the power is cut after some operations. What a sync has confirmed is
/// kept. Of the rest, each change of a name may be there or not, in any combination, a renamed file may also have its old
/// name, and of the data written to a file there may be nothing, everything, half, or zeros.
struct PowerCuts {
  typealias Disk = [String: [UInt8]]

  private var names: [String: Int] = [:]
  private var pendingNames: [JournalStorage.Operation] = []
  private var files: [Int: [UInt8]] = [:]
  private var pendingWrites: [Int: [(bytes: [UInt8], offset: Int)]] = [:]

  init(_ disk: Disk) {
    for (number, (name, bytes)) in disk.sorted(by: { $0.key < $1.key }).enumerated() {
      names[name] = number
      files[number] = bytes
    }
  }

  mutating func take(_ operation: JournalStorage.Operation) {
    switch operation {
    case .create(_, let file):
      files[file] = []
      pendingNames.append(operation)
    case .rename, .remove: pendingNames.append(operation)
    case .write(let bytes, let file, let offset): pendingWrites[file, default: []].append((bytes, offset))
    case .sync(let file): files[file] = written(file)
    case .syncFolder:
      for change in pendingNames { names = Self.outcomes(of: change, names).last ?? names }
      pendingNames = []
    }
  }

  private mutating func written(_ file: Int) -> [UInt8] {
    var content = files[file] ?? []
    for (bytes, offset) in pendingWrites.removeValue(forKey: file) ?? [] {
      content = content.overwritten(with: bytes, at: offset)
    }
    return content
  }

  /// The possible results of a change of names, the complete one last.
  private static func outcomes(of change: JournalStorage.Operation, _ names: [String: Int]) -> [[String: Int]] {
    var done = names
    switch change {
    case .create(let name, let file): done[name] = file
    case .remove(let name): done[name] = nil
    case .rename(let old, let new, let file):
      done[new] = file
      let both = done
      done[old] = nil
      return [names, both, done]
    case .write, .sync, .syncFolder: break
    }
    return [names, done]
  }

  /// The possible contents of a file.
  private func contents(of file: Int) -> Set<[UInt8]> {
    var copy = self
    let before = files[file] ?? []
    let after = copy.written(file)
    guard before != after else { return [before] }
    let half = Array(after.prefix(after.count / 2))
    let zeros = [UInt8](repeating: 0, count: after.count)
    return [before, after, half, zeros, zeros.overwritten(with: half, at: 0)]
  }

  /// Every state that the disk may be found in.
  var disks: Set<Disk> {
    var outcomes: Set<[String: Int]> = [names]
    for change in pendingNames { outcomes = Set(outcomes.flatMap { Self.outcomes(of: change, $0) }) }
    var disks: Set<Disk> = []
    for names in outcomes {
      var found: Set<Disk> = [[:]]
      for (name, file) in names {
        let contents = contents(of: file)
        found = Set(
          found.flatMap { disk in
            contents.map { content in disk.merging([name: content]) { _, new in new } }
          })
      }
      disks.formUnion(found)
    }
    return disks
  }
}
