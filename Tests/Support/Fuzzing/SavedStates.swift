import Files
import Jukebox
import Storage
import TestSupport

/// Any bytes as a state file: they are read, or refused in one line; a state that is read is the same after it is saved
/// again; and a brain starts with it.
enum SavedStates {
  static func check(_ bytes: [UInt8]) throws {
    try checkFile(bytes)
    // Adds the right checksum, which a fuzzer would not guess.
    try checkFile(StateText.sealed(bytes + [UInt8(ascii: "\n")]))
  }

  private static func checkFile(_ bytes: [UInt8]) throws {
    let folder = try TemporaryFolder()
    let saved = StateStore(path: folder.write("state", bytes)).read()
    switch saved {
    case .nothing: throw BrokenPromise("a file that is there counts as none")
    case .unreadable(let reason):
      try hold(!reason.isEmpty && Wording.oneLine(reason) == reason, "reason: \(Wording.oneLine(reason))")
    case .older: throw BrokenPromise("there is no file that is older")
    case .state(let state):
      let file = StateStore(path: "\(folder.path)/again")
      try hold(file.write(state) == .saved, "not saved: \(state)")
      try hold(file.read() == .state(state), "\(state) comes back as \(file.read())")
      var known = state
      known.track = SimulatedKiosk.track
      try playOn(.state(known))
    }
    try playOn(saved)
  }

  private static func playOn(_ saved: PowerOn.Saved) throws {
    var settings = Settings()
    settings.playOnBoot = true
    var kiosk = try SimulatedKiosk(SimulatedKiosk.board().configuration(settings: settings), saved: saved)
    try kiosk.sound()
    try kiosk.tryOut()
  }
}
