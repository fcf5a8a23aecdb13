import AudioSession
import Jukebox

/// What the panel says, in words for the person in front of it.
extension PanelState {
  var isLampLit: Bool {
    switch status.lamp {
    case .off: false
    case .on: true
    case .blink: now.nanoseconds % 1_000_000_000 < 500_000_000
    }
  }

  var lampWord: String {
    switch status.lamp {
    case .off: "lamp dark"
    case .on: "lamp lit"
    case .blink: "lamp blinking"
    }
  }

  var stateWord: String {
    switch status.state {
    case .playing: "PLAYING"
    case .paused: "PAUSED"
    case .stopped: "STOPPED"
    case .recording: "RECORDING"
    }
  }

  /// What holds the sound back; empty where nothing does.
  var holdWords: String {
    status.holds.map { hold in
      switch hold {
      case .routeLost: "\(lostPort?.panelName.lowercased() ?? "plug") unplugged"
      case .interruption: "interrupted"
      case .outputUnavailable: "sound device gone"
      case .noSuitableRoute: "nothing to play on"
      }
    }.joined(separator: ", ")
  }

  var trackWords: String {
    guard status.trackCount > 0 else { return "No music" }
    return "Track \(status.track.map(String.init) ?? "-") of \(status.trackCount)"
  }

  /// Title and artist, or the file's name.
  func titleWords(dash: String) -> String {
    guard status.trackCount > 0 else { return "No track was found in the music folders" }
    guard let title = status.tags.title, !title.isEmpty else { return status.file ?? "-" }
    guard let artist = status.tags.artist, !artist.isEmpty else { return title }
    return "\(title) \(dash) \(artist)"
  }

  var volumeWords: String {
    guard let volume = status.volume else { return "no port" }
    let port = board.ports.first { $0.output.port == status.route.port }
    guard let ceiling = port?.output.ceiling, ceiling < 100 else { return String(volume) }
    return "\(volume), at most \(ceiling)"
  }

  /// Seconds of the track that were heard, and its length where it is known.
  var elapsed: Int { max(0, status.frame) / max(1, board.rate) }
  var length: Int? { status.tags.frames.map { max(0, $0) / max(1, board.rate) } }

  var timeWords: String { "\(Self.clock(elapsed)) / \(length.map(Self.clock) ?? "-:--")" }

  /// How much of the track was heard, 0...1.
  var progress: Double {
    guard let frames = status.tags.frames, frames > 0 else { return 0 }
    return min(1, max(0, Double(status.frame) / Double(frames)))
  }

  /// The question after an unplug, in its longest form that fits into `columns` if one does.
  func promptWords(columns: Int) -> String {
    let lost = lostPort?.panelName ?? "Plug"
    let here = status.route.port.map { " here (\($0.panelName.lowercased()))" } ?? ""
    let forms = [
      "\(lost) unplugged. Press p to go on\(here), s to stop.", "\(lost) unplugged. Press p to go on here, s to stop.",
      "\(lost) out: p goes on, s stops", "p goes on, s stops",
    ]
    return forms.first { TerminalText.width($0) <= columns } ?? "p or s?"
  }

  /// `1:05`, or `1:00:05` from an hour on.
  private static func clock(_ seconds: Int) -> String {
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    let minutes = seconds / 60
    let tail = two(seconds % 60)
    return minutes < 60 ? "\(minutes):\(tail)" : "\(minutes / 60):\(two(minutes % 60)):\(tail)"
  }

  static let help = [
    "p, space   Play, or pause what plays; pressed twice: previous track",
    "P          Play held down for a second: next track",
    "s          Stop, and back to the start of the track",
    "n b        next, previous track; also Right and Left",
    "+ -        volume; also Up and Down",
    "h d        pull or plug in the headphones, the dock",
    "l ? q      draw again, this help on or off, quit; also Ctrl-C",
  ]
}

extension Port {
  /// As the panel and its prompt call it.
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
