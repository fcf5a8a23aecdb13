import Board
import Firmware
import TestSupport
import Testing

@testable import Storage
@testable import jackdaw

@Suite struct KeptContentTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func start(within patience: Duration) -> (kept: KeptContent, took: Duration) {
    let began = ContinuousClock.now
    // Not the firmware's own, which would note crashes of this process.
    let kept = KeptContent(in: folder.path, patience: patience, notices: Notices()) { database, _ in
      QuarantineStore(database, openingPath: nil) { FileMark(path: $0, size: 1, modified: 1) }
    }
    return (kept, ContinuousClock.now - began)
  }

  @Test("W3, P13: a storage that does not answer holds no start, whose quarantine gets what is kept when it does")
  func hanging() throws {
    let path = "a.mp3"
    let first = start(within: .seconds(60)).kept
    let listing = KeptListing([KeptListing.Folder(path: "/m", number: 1, modified: 2)])
    first.listing?.write(listing)
    for _ in 0..<2 { first.quarantine.died(path, reason: "signal 11") }
    first.database.close()
    #expect(start(within: .seconds(60)).kept.music == listing)

    // As long as another program has it, SQLite waits for two seconds each time.
    let other = try DatabaseConnection(folder.path(of: KeptDatabase.name), .readWrite)
    try other.execute("BEGIN EXCLUSIVE")
    let (kept, took) = start(within: .milliseconds(50))
    #expect(kept.listing == nil && kept.music == nil && kept.counted == nil && took < .seconds(1.5))
    // It waits for the storage on its thread, and whoever decodes does not.
    let began = ContinuousClock.now
    _ = try kept.quarantine.admit(path) { (_) throws(TrackError) in 0 }
    #expect(ContinuousClock.now - began < .seconds(1))
    let answered = start(within: .seconds(60))
    #expect(answered.kept.listing != nil && answered.kept.music == nil && answered.took < .seconds(5))
    try other.execute("ROLLBACK")
    try kept.quarantine.takeKept()
    #expect(kept.quarantine.objection(to: path) != nil)
  }
}
