import Board
import BoardFiles
import FrontPanel
import Glibc
import Jukebox
import Simulator

/// Reads keys from standard input, moves the simulated board's contacts and takes what keys say to the console. Control thread.
final class Keys {
  private let lines: VirtualLines
  private var decoder = KeyDecoder()
  private var controls: VirtualControls
  private let boardKeys: BoardKeys
  private var keyCommands = KeyCommands()
  private var commands: [String] = []
  /// nil after the end of the input: the board runs on without a keyboard.
  private(set) var descriptor: CInt? = STDIN_FILENO

  init(board: BoardDescription, lines: VirtualLines) {
    self.lines = lines
    controls = VirtualControls(board: board)
    boardKeys = BoardKeys(board)
  }

  var pollDescriptors: [PollDescriptor] {
    descriptor.map { [PollDescriptor(fileDescriptor: $0, events: CShort(POLLIN))] } ?? []
  }

  /// Lines of sockets and contacts that the keys have asserted.
  var closed: Set<LineID> { controls.closed }

  /// Returns the keys that have arrived; does not block.
  func read() -> [PanelKey] {
    var polled = pollfd(fd: STDIN_FILENO, events: CShort(POLLIN), revents: 0)
    guard descriptor != nil, poll(&polled, 1, 0) > 0 else { return [] }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = Glibc.read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else {
      if count == 0 || (errno != EINTR && errno != EAGAIN) { descriptor = nil }
      return []
    }
    return decoder.decode(bytes[..<count])
  }

  /// The digits of a number that Enter has not ended yet.
  var digits: String { keyCommands.digits }

  /// Moves the contact of a key, drops its coin, or takes it as a command or a part of one.
  func press(_ key: PanelKey) {
    lines.move(controls.makeEdges(for: key))
    if let line = controls.coinLine(of: key) { lines.dropCoin(line) }
    if let (knob, detents) = boardKeys.turn(of: key) { lines.turn(knob, by: detents) }
    if let command = keyCommands.take(key) { commands.append(command) }
  }

  var hasCommand: Bool { !commands.isEmpty }

  /// The console command that was typed next.
  func takeCommand() -> String? { commands.isEmpty ? nil : commands.removeFirst() }
}
