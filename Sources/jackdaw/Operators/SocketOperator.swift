import AudioSession
import Board
import Firmware
import JSON
import Jukebox
import SerialConsole

/// The control socket beside another operator: commands come from both, and each reply goes where its command came from.
/// Watchers of the socket get every line of the log and every change of the state (F1). Control thread.
final class SocketOperator: Operator {
  private let base: any Operator
  private let socket: ControlSocket
  private let clock: any BoardClock
  /// What does not change while the firmware runs.
  private let board: JSONValue
  /// What those that watch were sent last, without its clocks; nil while nobody watches.
  private var sent: Status?

  /// - Parameter board: an object, the first that a watcher gets.
  init(_ socket: ControlSocket, board: JSONValue, beside base: any Operator, clock: any BoardClock) {
    self.socket = socket
    self.board = board
    self.base = base
    self.clock = clock
  }

  var pollDescriptors: [PollDescriptor] { base.pollDescriptors + socket.pollDescriptors }
  var nextDraw: Instant? { [base.nextDraw, socket.nextTurn].compactMap { $0 }.min() }
  var wantsToEnd: Bool { base.wantsToEnd }

  func serve() {
    base.serve()
    socket.serve(at: clock.now)
  }

  func takeCommand() -> String? { socket.takeCommand(at: clock.now) ?? base.takeCommand() }

  func reply(_ text: String) {
    if socket.isAsking { socket.reply(text) } else { base.reply(text) }
  }

  func log(_ event: Event, at now: Instant) {
    base.log(event, at: now)
    if socket.isWatched { socket.push(Self.typed("event", event.json(at: now))) }
  }

  func note(_ text: String) { base.note(text) }

  func draw(_ status: Status, at now: Instant) {
    base.draw(status, at: now)
    guard socket.isWatched else { return sent = nil }
    let state = status.withoutClocks
    if state != sent || socket.awaitsState {
      let line = Self.typed("state", .object([.init("time", .number(now.logStamp))] + status.json.members))
      if state != sent { socket.push(line) }
      socket.catchUp(with: [Self.typed("board", board), line])
    }
    sent = state
  }

  private static func typed(_ type: String, _ object: JSONValue) -> JSONValue {
    .object([JSONValue.Member("type", .string(type))] + object.members)
  }

  func takeDropped() -> Int { base.takeDropped() + socket.takeDropped() }
  func resize() { base.resize() }
  func end() { base.end() }
}
