import AudioSession
import Board
import Files
import Firmware
import FrontPanel
import Glibc
import Jukebox
import SerialConsole

/// The operator without a terminal: prints the event log on standard output, and reads keys from standard input where the
/// board is simulated. Control thread.
///
/// Keys that arrive all at once, as from a pipe, are pressed one after the other, far enough apart not to make a double
/// press. In the journal, each line has its priority. A reader that is slow or stuck misses lines, which are counted (K6).
final class LogPrinter: Operator {
  private static let keyDistance = Duration.milliseconds(500)
  /// The most keys that wait here; the rest stays in the pipe.
  private static let mostPending = 64

  private let keys: Keys?
  private let output = LineOutput(STDOUT_FILENO)
  private let notes = LineOutput(STDERR_FILENO)
  private let isInJournal = Journal.isStream(STDOUT_FILENO)
  private let isUTF8 = Environment.isUTF8
  private let areNotesInJournal = Journal.isStream(STDERR_FILENO)
  private var pending: [PanelKey] = []
  private var nextKey = Instant.powerOn
  private var isEnding = false
  /// Lines that were logged as dropped, until `takeDropped` passes them on.
  private var uncounted = 0

  init(keys: Keys?) { self.keys = keys }

  var pollDescriptors: [PollDescriptor] {
    (hasRoom ? keys?.pollDescriptors ?? [] : []) + [output, notes].compactMap(\.pollDescriptor)
  }
  var nextDraw: Instant? { pending.isEmpty && keys?.hasCommand != true ? nil : nextKey }
  var wantsToEnd: Bool { isEnding }

  func serve() {
    if hasRoom { pending += keys?.read() ?? [] }
    output.flush()
    notes.flush()
  }

  private var hasRoom: Bool { pending.count < Self.mostPending }

  func log(_ event: Event, at now: Instant) {
    if isInJournal && event.isQuestion { return }
    output.write(line: (isInJournal ? Journal.prefix(event.level) : "") + event.line(at: now, unicode: isUTF8))
  }

  func note(_ text: String) {
    notes.write(line: (areNotesInJournal ? Journal.prefix(.notice) : "") + Wording.oneLine(text))
  }

  func draw(_ status: Status, at now: Instant) {
    let dropped = output.takeDropped() + notes.takeDropped()
    uncounted += dropped
    if dropped > 0 { log(Event(.logDropped, .warn, ["n": String(dropped)]), at: now) }
    guard let key = pending.first, now >= nextKey else { return }
    pending.removeFirst()
    nextKey = now + Self.keyDistance
    if key == .quit { isEnding = true } else { keys?.press(key) }
  }

  func takeCommand() -> String? { keys?.takeCommand() }

  func reply(_ text: String) { note(text) }

  func takeDropped() -> Int {
    defer { uncounted = 0 }
    return uncounted
  }

  func resize() {}

  func end() {
    output.finish()
    notes.finish()
  }
}
