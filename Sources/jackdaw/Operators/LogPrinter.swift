import AudioSession
import Board
import Glibc
import Jukebox
import JukeboxRuntime
import SimulatedBoard

/// Nobody at a terminal: the event log on standard output, keys from standard input where the board is simulated.
///
/// Keys that come all at once, as from a pipe, are pressed one after the other, far enough apart that two are not taken
/// for a double press. In the journal, each line has its priority.
final class LogPrinter: Operator {
  private static let keyDistance = Duration.milliseconds(500)

  private let keys: Keys?
  private let isInJournal = Journal.takes(STDOUT_FILENO)
  private let areNotesInJournal = Journal.takes(STDERR_FILENO)
  private var pending: [PanelKey] = []
  private var nextKey = Instant.powerOn
  private var isEnding = false

  init(keys: Keys?) { self.keys = keys }

  var pollDescriptors: [PollDescriptor] { keys?.pollDescriptors ?? [] }
  var nextDraw: Instant? { pending.isEmpty ? nil : nextKey }
  var wantsToEnd: Bool { isEnding }

  func serve() { pending += keys?.read() ?? [] }

  func log(_ event: Event, at now: Instant) {
    Console.say((isInJournal ? Journal.prefix(event.level) : "") + event.line(at: now))
  }

  func note(_ text: String) { Console.complain((areNotesInJournal ? Journal.prefix(.notice) : "") + text) }

  func draw(_ status: Status, at now: Instant) {
    guard let key = pending.first, now >= nextKey else { return }
    pending.removeFirst()
    nextKey = now + Self.keyDistance
    if key == .quit { isEnding = true } else { keys?.press(key) }
  }

  func resize() {}

  func end() {}
}
