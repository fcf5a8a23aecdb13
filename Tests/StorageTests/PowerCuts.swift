/// Every state that a file system may be in when the power is cut after some operations. What a sync has confirmed is
/// kept. Otherwise each change of a name may be there or not, in any combination, a renamed file may also have its old
/// name, and the data written to a new file may be all there, half, zeros, or nothing. A file that was synced before
/// may have its first changes and half of the next one, or all but one, or only one.
struct PowerCuts {
  typealias Disk = [String: [UInt8]]

  private var names: [String: Int] = [:]
  private var pendingNames: [JournalStorage.Operation] = []
  private var files: [Int: [UInt8]] = [:]
  private var pending: [Int: [Change]] = [:]

  private enum Change {
    case write([UInt8], offset: Int)
    case truncate(Int)

    func made(to content: [UInt8]) -> [UInt8] {
      switch self {
      case .write(let bytes, let offset): content.overwritten(with: bytes, at: offset)
      case .truncate(let count): content.truncated(to: count)
      }
    }

    /// As a power cut in the middle of it leaves it.
    var torn: Change {
      guard case .write(let bytes, let offset) = self else { return self }
      return .write(Array(bytes.prefix(bytes.count / 2)), offset: offset)
    }
  }

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
    case .write(let bytes, let file, let offset): pending[file, default: []].append(.write(bytes, offset: offset))
    case .truncate(let file, let count): pending[file, default: []].append(.truncate(count))
    case .sync(let file): files[file] = written(file)
    case .syncFolder:
      for change in pendingNames { names = Self.outcomes(of: change, names).last ?? names }
      pendingNames = []
    }
  }

  private mutating func written(_ file: Int) -> [UInt8] {
    (pending.removeValue(forKey: file) ?? []).reduce(files[file] ?? []) { $1.made(to: $0) }
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
    case .write, .truncate, .sync, .syncFolder: break
    }
    return [names, done]
  }

  /// The possible contents of a file.
  private func contents(of file: Int) -> Set<[UInt8]> {
    var copy = self
    let before = files[file] ?? []
    if !before.isEmpty { return changed(before, pending[file] ?? []) }
    let after = copy.written(file)
    guard before != after else { return [before] }
    let half = Array(after.prefix(after.count / 2))
    let zeros = [UInt8](repeating: 0, count: after.count)
    return [before, after, half, zeros, zeros.overwritten(with: half, at: 0)]
  }

  /// The possible contents of a file that was synced before these changes.
  private func changed(_ before: [UInt8], _ changes: [Change]) -> Set<[UInt8]> {
    func content(_ changes: some Sequence<Change>) -> [UInt8] { changes.reduce(before) { $1.made(to: $0) } }
    var found: Set<[UInt8]> = [before, content(changes)]
    for (index, change) in changes.enumerated() {
      let (first, others) = (changes[..<index], changes[(index + 1)...])
      found.formUnion([content(first), content(first + [change.torn]), content(first + others), content([change])])
    }
    return found
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
