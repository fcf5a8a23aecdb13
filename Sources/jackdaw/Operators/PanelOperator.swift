import AudioSession
import Board
import BoardFiles
import CLinux
import Files
import Firmware
import FrontPanel
import Glibc
import Jukebox
import SerialConsole

/// The operator of a simulated board on a terminal: draws the front panel and reads its keys. Control thread.
final class PanelOperator: Operator {
  /// How often the panel is drawn while something on it moves.
  private static let frameTime = Duration.milliseconds(250)

  private let keys: Keys
  private let board: BoardDescription
  private let output: String
  private let view: PanelView
  private let terminal: TerminalMode
  private let quiet = QuietErrors()
  private var state: PanelState?
  /// Log lines from before the first picture.
  private var early: [String] = []
  /// The reply to the last command of the keys.
  private var message = ""
  private var isSpoilt = false
  private(set) var nextDraw: Instant?
  private(set) var wantsToEnd = false

  init(keys: Keys, board: BoardDescription, output: String) throws(CommandError) {
    self.keys = keys
    self.board = board
    self.output = output
    view = PanelView(unicode: Environment.isUTF8, colour: getenv("NO_COLOR") == nil)
    terminal = try CommandError.about { () throws(SerialError) in try TerminalMode.raw() }
  }

  var pollDescriptors: [PollDescriptor] { keys.pollDescriptors }

  func serve() {
    for key in keys.read() {
      switch key {
      case .quit: wantsToEnd = true
      case .help: state?.showsHelp.toggle()
      case .redraw: isSpoilt = true
      case .play, .playHeld, .stop, .volumeUp, .volumeDown, .next, .previous, .record, .cue, .page, .mute,
        .headphones, .dock, .coin, .seekBack, .seekOn, .previousPlaylist, .nextPlaylist, .digit, .letter, .enter:
        message = ""
        keys.press(key)
      }
    }
    // Without its terminal nobody could quit the panel, so it ends.
    if keys.descriptor == nil { wantsToEnd = true }
  }

  func takeCommand() -> String? { keys.takeCommand() }

  func reply(_ text: String) { message = text }

  func log(_ event: Event, at now: Instant) {
    if state == nil {
      early.append(event.line(at: now, unicode: view.unicode))
    } else {
      state?.note(event, at: now, unicode: view.unicode)
    }
  }

  func note(_ text: String) {
    for line in text.split(separator: "\n") {
      if state == nil { early.append(String(line)) } else { state?.note(String(line)) }
    }
  }

  func draw(_ status: Status, at now: Instant) {
    let start = state == nil ? PanelView.enter : isSpoilt ? PanelView.clear : ""
    var picture = state ?? PanelState(status: status, board: board, now: now, output: output)
    for line in early { picture.note(line) }
    early = []
    picture.status = status
    picture.now = now
    picture.closed = keys.closed
    picture.message = keys.digits.isEmpty ? message : "Track \(keys.digits): Enter plays it"
    state = picture
    let isMoving =
      status.state == .playing || ![.off, .on].contains(status.lamp) || status.recordingSince != nil
    nextDraw = isMoving ? now + Self.frameTime : nil
    let size = Terminal.size ?? (80, 24)
    let text = view.update(picture, columns: size.columns, rows: size.rows)
    Terminal.print(start + text)
    isSpoilt = false
  }

  func resize() { isSpoilt = true }

  func end() {
    if state != nil { Terminal.print(PanelView.leave) }
    terminal.restore()
    quiet.end()
  }
}
