import AudioSession
import Jukebox

/// The texts of the panel.
extension PanelState {
  var isLampLit: Bool { isLit(status.lamp) }

  func isLit(_ pattern: LampPattern) -> Bool {
    switch pattern {
    case .off: false
    case .on: true
    case .blink: now.nanoseconds % 1_000_000_000 < 500_000_000
    case .flash: now.nanoseconds % 2_000_000_000 < 100_000_000
    case .flicker: now.nanoseconds % 200_000_000 < 100_000_000
    case .wink: now.nanoseconds % 1_000_000_000 < 900_000_000
    case .doubleFlash: [0, 2].contains(now.nanoseconds % 1_000_000_000 / 100_000_000)
    case .tripleFlash: [0, 2, 4].contains(now.nanoseconds % 1_500_000_000 / 100_000_000)
    }
  }

  var lampWord: String {
    switch status.lamp {
    case .off: "lamp dark"
    case .on: "lamp lit"
    case .blink: "lamp blinking"
    case .flash: "lamp flashing"
    case .flicker: "lamp flickering"
    case .wink: "lamp winking"
    case .doubleFlash: "lamp flashing twice"
    case .tripleFlash: "lamp flashing three times"
    }
  }

  var stateWord: String { status.state.rawValue.uppercased() }

  /// How long the recording has been running; nil where none runs.
  var recordingClock: String? {
    status.recordingSince.map { max(.zero, now - $0).clock }
  }

  /// When the sleep timer ends the music; nil: nothing does.
  var sleepWords: String? {
    status.sleepLeft.map { "sleep in \($0.clock)" } ?? (status.endsBehindTrack ? "sleep behind this track" : nil)
  }

  /// What waits for the request that plays, and what the next one costs; nil where choices do not wait their turn.
  var requestWords: String? {
    guard let waiting = status.waiting else { return nil }
    let credits = status.credits.map { $0 == 1 ? "1 credit" : "\($0) credits" }
    let cost = status.isFree ? "free play" : credits
    return [waiting > 0 || cost == nil ? "\(waiting) waiting" : nil, cost].compactMap { $0 }.joined(separator: ", ")
  }

  /// The clients that interrupt the music; nil for a recording, which `stateLine` shows.
  private var interruptionWords: String? {
    let isRecording = status.recordingSince != nil
    let own = [ClientName.music] + (isRecording ? [.recorder] : [])
    let names = status.sessions.filter { !own.map(\.text).contains($0) }
    guard names.isEmpty else { return "interrupted by \(names.joined(separator: ", "))" }
    return isRecording ? nil : "interrupted"
  }

  /// Why the music is held; empty where it is not.
  var holdWords: String {
    status.holds.compactMap { hold in
      switch hold {
      case .routeLost: "\(lostPort?.panelName.lowercased() ?? "plug") unplugged"
      case .closed: "closed" + (status.hours?.until.map { " until \($0.text)" } ?? "")
      case .interruption: interruptionWords
      case .outputUnavailable: "sound device gone"
      case .storageUnavailable: "music cannot be read"
      case .noSuitableRoute: "nothing to play on"
      }
    }.joined(separator: ", ")
  }

  var trackWords: String {
    guard status.trackCount > 0 else { return "No music" }
    return "Track \(status.track.map(String.init) ?? "-") of \(status.trackCount)"
      + (status.playlist.map { " in \($0)" } ?? "")
  }

  /// Title and artist, or the file's name.
  func titleWords(dash: String) -> String {
    guard status.trackCount > 0 else { return "No track was found in the music folders" }
    guard let title = status.tags.title, !title.isEmpty else { return status.file ?? "-" }
    guard let artist = status.tags.artist, !artist.isEmpty else { return title }
    return "\(title) \(dash) \(artist)"
  }

  /// The active clients and the cue being spoken, the longest form first; empty where there are none.
  var sessionWords: [String] {
    let names = status.sessions.joined(separator: ", ")
    let cue = status.cue.map { "cue \"\($0)\"" }
    return [
      names.isEmpty ? cue : "session: \(names)\(cue.map { "  \($0)" } ?? "")",
      names.isEmpty ? cue : "\(names)\(cue.map { "  \($0)" } ?? "")", cue ?? (names.isEmpty ? nil : names),
    ].compactMap { $0 }
  }

  var volumeWords: String {
    guard let volume = status.volume else { return "no port" }
    let port = board.ports.first { $0.output.port == status.route.port }
    let quiet = status.quiet.flatMap { $0.state == .on ? $0 : nil }
    let ceiling = min(port?.output.ceiling ?? 100, quiet?.ceiling ?? 100)
    if let quiet, quiet.ceiling == ceiling {
      return "\(volume), quiet" + (quiet.until.map { " until \($0.time.text)" } ?? "")
    }
    if ceiling == 100 { return String(volume) }
    return "\(volume), at most \(ceiling)"
  }

  /// The position in the track, and its length where it is known, in seconds.
  var elapsed: Int { max(0, status.frame) / max(1, board.rate) }
  var length: Int? { status.tags.frames.map { max(0, $0) / max(1, board.rate) } }

  var timeWords: String {
    "\(Duration.seconds(elapsed).clock) / \(length.map { Duration.seconds($0).clock } ?? "-:--")"
  }

  /// The position as a part of the track, 0...1.
  var progress: Double {
    guard let frames = status.tags.frames, frames > 0 else { return 0 }
    return min(1, max(0, Double(status.frame) / Double(frames)))
  }

  /// The prompt after an unplug, in its longest form that fits into `columns`, if any does.
  func promptWords(columns: Int) -> String {
    let lost = lostPort?.panelName ?? "Plug"
    let forms: [String]
    if let port = status.route.port {
      forms = [
        "\(lost) unplugged. Press p to go on here (\(port.panelName.lowercased())), s to stop.",
        "\(lost) unplugged. Press p to go on here, s to stop.", "\(lost) out: p goes on, s stops",
        "p goes on, s stops", "p or s?",
      ]
    } else {
      forms = ["\(lost) unplugged. Plug it in to go on, s to stop.", "\(lost) out: plug in, or s stops", "plug or s?"]
    }
    return forms.first { TerminalText.width($0) <= columns } ?? forms[forms.count - 1]
  }
}

extension Port {
  /// The port's name on the panel and in its prompt.
  var panelName: String {
    switch self {
    case .headphones: "Headphones"
    case .lineOut: "Dock"
    case .speaker: "Speaker"
    case .bluetooth: "Bluetooth"
    case .usb: "USB"
    }
  }
}
