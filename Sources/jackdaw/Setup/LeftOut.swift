import Files
import Firmware
import Storage
import TrackDecoding

/// The files that are left out because they did harm.
enum LeftOut {
  /// The firmware's own, in its database and beside its control socket.
  static func store(_ database: KeptDatabase, _ notices: Notices) -> QuarantineStore {
    let runtime = ControlPlace.paths.first.map { FileAccess.folder(of: $0) }
    let store = QuarantineStore(
      database, openingPath: runtime.map { "\($0)/opening" }, onNotice: { notices.post($0) }, identify: mark)
    if let runtime { store.watchCrashes(at: "\(runtime)/crashed") }
    return store
  }

  /// What the firmware's notices say of it at the start.
  static func notices(_ store: QuarantineStore?) -> [String] {
    guard let store else { return [] }
    return store.leftOut.map { "\(Wording.path(RawName.shown($0.path))) is left out until it changes" }
  }

  /// Why each track is left out by the firmware that keeps its state in one of the usual folders.
  static func objection(to path: String, in quarantines: [Quarantine]) -> String? {
    guard let mark = mark(path) else { return nil }
    return quarantines.lazy.compactMap { $0.objection(to: mark) }.first
  }

  /// What a user of this machine may read of them.
  /// - Parameter folder: of a state that stands elsewhere.
  static func known(beside folder: String? = nil) -> [Quarantine] {
    let folders = Set([folder, StatePlace.path(nil), StatePlace.installed].compactMap { $0 })
    return folders.compactMap { folder in
      let kept = try? QuarantineStore.read(KeptDatabase(folder: folder, access: .readOnly))
      return kept ?? (try? FormerFiles(folder: folder).quarantine())
    }.filter { !$0.leftOut.isEmpty }
  }

  @Sendable private static func mark(_ path: String) -> FileMark? {
    FileIdentity(path: path).map { FileMark(path: $0.path, size: $0.size, modified: $0.modified) }
  }
}
