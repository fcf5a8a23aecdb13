import AudioSession
import Board
import Firmware
import Jukebox
import SerialConsole

/// The control socket beside another operator: commands come from both, and each reply goes where its command came from.
/// Control thread.
final class SocketOperator: Operator {
  private let base: any Operator
  private let socket: ControlSocket
  private let clock: any BoardClock

  init(_ socket: ControlSocket, beside base: any Operator, clock: any BoardClock) {
    self.socket = socket
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

  func log(_ event: Event, at now: Instant) { base.log(event, at: now) }
  func note(_ text: String) { base.note(text) }
  func draw(_ status: Status, at now: Instant) { base.draw(status, at: now) }
  func takeDropped() -> Int { base.takeDropped() }
  func resize() { base.resize() }
  func end() { base.end() }
}
