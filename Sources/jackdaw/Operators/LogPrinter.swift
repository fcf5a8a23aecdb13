import AudioSession
import Board
import Jukebox
import JukeboxRuntime
import SimulatedBoard

/// Nobody at a terminal: the event log on standard output, keys from standard input where the board is simulated.
///
/// Keys that come all at once, as from a pipe, are pressed one after the other, far enough apart that two are not taken
/// for a double press.
final class LogPrinter: Operator {
  private static let keyDistance = Duration.milliseconds(500)

  private let keys: Keys?
  private var pending: [PanelKey] = []
  private var nextKey = Instant.powerOn
  private var isEnding = false

  init(keys: Keys?) { self.keys = keys }

  var pollDescriptors: [PollDescriptor] { keys?.pollDescriptors ?? [] }
  var nextDraw: Instant? { pending.isEmpty ? nil : nextKey }
  var wantsToEnd: Bool { isEnding }

  func serve() { pending += keys?.read() ?? [] }

  func log(_ event: Event, at now: Instant) { Console.say(event.line(at: now)) }

  func note(_ text: String) { Console.complain(text) }

  func draw(_ status: Status, at now: Instant) {
    guard let key = pending.first, now >= nextKey else { return }
    pending.removeFirst()
    nextKey = now + Self.keyDistance
    if key == .quit { isEnding = true } else { keys?.press(key) }
  }

  func resize() {}

  func end() {}
}
