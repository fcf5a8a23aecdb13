import AudioSession
import Jukebox
import Testing

@testable import Storage

/// Cuts the power at every operation of a save, with every state that the file system may be left in, and again in the
/// saves that follow each cut.
@Suite struct StatePowerCutTests {
  /// Saves a state on a storage; false where that failed.
  typealias Writer = (any Storage) -> (SavedState) -> Bool

  static let path = "state.toml"

  static func state(_ number: Int) -> SavedState {
    SavedState(volumes: [.speaker: number], track: "a", frame: number, intent: .paused, port: .speaker)
  }

  static func proper(_ storage: any Storage) -> (SavedState) -> Bool {
    let store = StateStore(path: path, storage: storage)
    _ = store.read()
    return { store.write($0) == .saved }
  }

  /// Cuts the power at every operation, repeatedly.
  struct Checker {
    let writer: Writer
    var omission = JournalStorage.Omission.nothing
    /// A broken state that was there at first and may still be found.
    var broken: [UInt8]?
    private(set) var violations: Set<String> = []
    /// The disks that were found, and how many more cuts were made from each.
    private(set) var disks: [PowerCuts.Disk: Int] = [:]

    init(
      _ writer: @escaping Writer = StatePowerCutTests.proper, leavingOut omission: JournalStorage.Omission = .nothing
    ) {
      self.writer = writer
      self.omission = omission
    }

    /// - Parameters:
    ///   - number: the number of the state that `disk` holds.
    ///   - cuts: how many power cuts may follow each other.
    mutating func run(from disk: PowerCuts.Disk = [:], holding number: Int = 0, cuts: Int = 3) {
      guard cuts > disks[disk, default: -1] else { return }
      disks[disk] = cuts
      if cuts == 0 { return }
      let storage = JournalStorage(disk, leavingOut: omission)
      let save = writer(storage)
      var model = PowerCuts(disk)
      var (done, safe) = (0, number)
      for next in (number + 1)...(number + 2) {
        let isSaved = save(StatePowerCutTests.state(next))
        if !isSaved { violations.insert("state \(next) cannot be saved") }
        for operation in storage.operations[done...] {
          model.take(operation)
          cut(model, safe...next, "after \(operation.name) of state \(next)", cuts)
        }
        done = storage.operations.count
        if isSaved { safe = next }
        cut(model, safe...next, "after the save of state \(next)", cuts)
      }
    }

    private func isOldDamage(_ disk: PowerCuts.Disk) -> Bool {
      broken != nil && disk[StatePowerCutTests.path] == broken
    }

    private mutating func cut(_ model: PowerCuts, _ allowed: ClosedRange<Int>, _ moment: String, _ cuts: Int) {
      for disk in model.disks {
        let found = StateStore(path: StatePowerCutTests.path, storage: JournalStorage(disk)).read()
        switch found {
        case .nothing where allowed.contains(0): run(from: disk, holding: 0, cuts: cuts - 1)
        case .state(let state) where allowed.contains(state.frame):
          run(from: disk, holding: state.frame, cuts: cuts - 1)
        case .older(let state, _) where allowed.contains(state.frame) && isOldDamage(disk):
          run(from: disk, holding: state.frame, cuts: cuts - 1)
        case .nothing, .state, .older, .unreadable: violations.insert("\(moment): \(found), expected \(allowed)")
        }
      }
    }
  }

  @Test("W1: wherever the power is cut, the state is the last one reported as saved or a newer one, never broken")
  func everywhere() {
    var checker = Checker()
    checker.run()
    #expect(checker.violations.sorted() == [])
    #expect(checker.disks.count > 20)
  }

  @Test("W1: the same from a state of the first version on")
  func firstVersion() {
    var checker = Checker()
    let old = "frame = 1\nintent = \"paused\"\ntrack = \"a\"\nport = \"speaker\"\n[volumes]\nspeaker = 1\n"
    checker.run(from: [Self.path: Array(old.utf8)], holding: 1)
    #expect(checker.violations.sorted() == [])
  }

  @Test("W1, W3: the same from a broken newest state on, whose elder must not be lost to it")
  func brokenNewest() {
    let broken = Array("version = 2\n".utf8)
    let disk = [Self.path: broken, "\(Self.path).old": StateText.encode(Self.state(1))]
    var checker = Checker()
    checker.broken = broken
    checker.run(from: disk, holding: 1)
    #expect(checker.violations.sorted() == [])
    var wrong = Checker { storage in
      let save = Self.proper(storage)
      return { state in
        try? storage.rename(Self.path, to: "\(Self.path).old")
        return save(state)
      }
    }
    wrong.broken = broken
    wrong.run(from: disk, holding: 1, cuts: 1)
    #expect(!wrong.violations.isEmpty)
  }

  @Test("W1, W3: a newest state of a newer version is never lost, wherever the power is cut")
  func newerNewest() {
    let newer = Array("version = 9\n".utf8)
    let disk = [Self.path: newer, "\(Self.path).old": StateText.encode(Self.state(1))]
    let storage = JournalStorage(disk)
    let save = Self.proper(storage)
    #expect(save(Self.state(2)) && save(Self.state(3)))
    var model = PowerCuts(disk)
    for operation in storage.operations {
      model.take(operation)
      for found in model.disks {
        #expect(found[Self.path] == newer || found["\(Self.path).newer"] == newer, "after \(operation.name)")
        #expect(
          StateStore(path: Self.path, storage: JournalStorage(found)).read().state != nil, "after \(operation.name)")
      }
    }
  }

  @Test("the checker finds a writer that does not sync the file, and one that does not sync the folder")
  func leftOut() {
    for omission in [JournalStorage.Omission.sync, .syncFolder] {
      var checker = Checker(leavingOut: omission)
      checker.run(cuts: 1)
      #expect(!checker.violations.isEmpty, "\(omission)")
    }
  }

  @Test("the checker finds a writer that overwrites the old state")
  func inPlace() {
    var checker = Checker { storage in
      { state in
        guard let file = (try? storage.open(Self.path)) ?? (try? storage.create(Self.path)) else { return false }
        do throws(StorageError) {
          try storage.writeAll(StateText.encode(state), to: file, at: 0)
          try storage.sync(file)
          try storage.syncFolder(".")
          return true
        } catch {
          return false
        }
      }
    }
    checker.run(cuts: 1)
    #expect(!checker.violations.isEmpty)
  }
}

extension JournalStorage.Operation {
  var isSync: Bool { if case .sync = self { true } else { false } }

  var name: String {
    switch self {
    case .create(let name, _): "making \(name)"
    case .write: "the write"
    case .truncate(_, let count): "cutting to \(count)"
    case .sync: "the sync"
    case .rename(let name, let new, _): "renaming \(name) to \(new)"
    case .remove(let name): "removing \(name)"
    case .syncFolder: "the sync of the folder"
    }
  }
}
