import AudioSession
import Glibc

/// The connections of all boards, of which only those are waited for that the broker owes something: what one of 10,000
/// boards does costs as much as with ten.
final class Connections {
  /// The time between two looks at all boards, which have to send signs of life.
  private static let lifeInterval = Duration.seconds(20)

  private var boards: [ObjectIdentifier: LoadBoard] = [:]
  private var awaited: [ObjectIdentifier: LoadBoard] = [:]
  private var signOfLife = LoadBoard.now + lifeInterval

  func connect(_ board: LoadBoard, _ port: CInt) {
    board.connect(port)
    boards[ObjectIdentifier(board)] = board
    awaited[ObjectIdentifier(board)] = board
  }

  func cut(_ board: LoadBoard) {
    boards[ObjectIdentifier(board)] = nil
    awaited[ObjectIdentifier(board)] = nil
    board.cut()
  }

  /// It has published something.
  func expect(_ board: LoadBoard) { awaited[ObjectIdentifier(board)] = board }

  func serve(waiting milliseconds: Int64) {
    let waiting = Array(awaited.values)
    var polled = waiting.map { board in
      pollfd(fd: board.descriptor, events: CShort(board.wantsWrite ? POLLIN | POLLOUT : POLLIN), revents: 0)
    }
    poll(&polled, nfds_t(polled.count), CInt(milliseconds))
    for (board, result) in zip(waiting, polled) where result.revents != 0 { serve(board) }
    if LoadBoard.now >= signOfLife {
      signOfLife = LoadBoard.now + Self.lifeInterval
      for board in boards.values { serve(board) }
    }
  }

  private func serve(_ board: LoadBoard) {
    board.serve()
    if board.isUp, board.isIdle, !board.isWatching { awaited[ObjectIdentifier(board)] = nil }
  }
}
