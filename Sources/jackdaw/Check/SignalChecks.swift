import AudioSession
import BoardFiles
import Files
import Firmware
import Glibc
import Jukebox

/// Whether the lights of signals are there, and whether what they follow is.
struct SignalChecks {
  private let kiosk: ChosenSettings
  private let leds: String
  private let library: Library
  private let cues: [String]

  /// - Parameter leds: the folder of the kernel's LED class.
  init(_ kiosk: ChosenSettings, leds: String = KernelLED.root) {
    self.kiosk = kiosk
    self.leds = leds
    library = Library(Music(found: kiosk.folders).tracks)
    cues = ((try? kiosk.cues()) ?? []).map(\.name)
  }

  static func findings(_ kiosk: ChosenSettings) -> [Finding] {
    let hasSignals = kiosk.chosenBoard.board.lines.contains { if case .signal = $0.role { true } else { false } }
    return hasSignals ? SignalChecks(kiosk).findings : []
  }

  private var findings: [Finding] {
    let board = kiosk.chosenBoard.board
    return board.lines.flatMap { line -> [Finding] in
      guard case .signal(let signal) = line.role else { return [] }
      var findings: [Finding] = []
      if case .led(let name) = line.source, !board.isSimulated { findings.append(led(name, line.name, signal.pattern)) }
      return findings + (signal.whileAny + signal.alsoWhile).compactMap { missing($0, of: line.name) }
    }
  }

  /// Nothing is written.
  private func led(_ name: String, _ line: String, _ pattern: LampPattern) -> Finding {
    let subject = "line \(line)"
    let folder = FileAccess.join(leds, name)
    guard access(folder, F_OK) == 0 else {
      let known = FileAccess.names(in: leds)
      let near = Wording.nearest(to: name, among: known).map { "nearest name: \($0)" }
      return .bad(
        subject, "there is no light \(name) in \(leds)",
        near ?? (known.isEmpty ? "there is none at all" : "those there: \(known.joined(separator: ", "))"))
    }
    guard access(FileAccess.join(folder, "brightness"), W_OK) == 0 else {
      return .bad(
        subject, "LED \(name): \(String(cString: strerror(errno)))",
        "rights for \(ProcessUser.name), as the package's udev rule gives them to the group gpio")
    }
    if let trigger = KernelLED.trigger(of: pattern), !triggers(folder).contains(trigger) {
      return .bad(
        subject, "LED \(name): the kernel lacks the trigger \(trigger), so that the firmware has to wake up to blink",
        "echo ledtrig-\(trigger) | sudo tee /etc/modules-load.d/jackdaw-leds.conf, and restart the board")
    }
    return .good(subject, "LED \(name)")
  }

  private func triggers(_ folder: String) -> [String] {
    guard let bytes = try? FileAccess.read(FileAccess.join(folder, "trigger"), atMost: 65_536) else { return [] }
    return String(decoding: bytes, as: UTF8.self).split { " []\n".contains($0) }.map(String.init)
  }

  /// What the signal would wait for in vain; nil: nothing.
  private func missing(_ condition: OutputSignal.Condition, of line: String) -> Finding? {
    let subject = "signal \(line)"
    switch condition {
    case .track(let name):
      do throws(TrackName.NotFound) {
        _ = try name.find(in: library.tracks)
        return nil
      } catch {
        // Several are called so: it follows each of them.
        if case .several = error { return nil }
        return .bad(subject, error.message, "`while` of this line in the board file; `jackdaw scan` lists the tracks")
      }
    case .playlist(let name):
      if !library.ids(in: name).isEmpty { return nil }
      let known = Wording.list(library.playlists.map(Wording.quoted))
      return .bad(subject, "the music has no folder \(name)", "folders of the music: \(known.isEmpty ? "none" : known)")
    case .cue(let name):
      if FileName.index(meantBy: name, of: cues) != nil { return nil }
      return .bad(subject, "no cue is called \(name)", "cues: \(cues.isEmpty ? "none" : cues.joined(separator: ", "))")
    case .port(let port):
      if !kiosk.settings.unwired.contains(port) { return nil }
      return .warning(
        subject, "never sees anything at \(port.rawValue), which is unwired",
        "`unwired` in the settings names it: take `port:\(port.rawValue)` out of the board file, or that out of there")
    case .playing, .visit, .prompt, .recording, .page, .noMusic, .fault, .closed: return nil
    case .credits, .request, .requestsFull, .noCoins:
      if kiosk.settings.settings.requests != nil { return nil }
      return .warning(
        subject, "follows requests, and choices do not wait their turn here", "`choice = \"queue\"` in the settings")
    }
  }
}
