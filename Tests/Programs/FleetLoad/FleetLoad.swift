import AudioSession
import FleetMessages
import Glibc
import MQTTClient

/// Many boards in one process, made of the program's own agent and client, against one broker at 127.0.0.1. They may be
/// part of a larger fleet, because a process has only so many descriptors. Does what standard input says, a line at a
/// time, and prints `done` with what it counted:
///
///     connect          all boards connect, and tell what a board tells that has started
///     day N            N changes of the state, each with its event, by one board after the other
///     cut              all connections end at once, and the wills are awaited
///     return           every board connects at its own time after a lost broker, as its bridge would
@main
struct FleetLoad {
  private static let batch = 50

  private let port: CInt
  private let connections = Connections()
  private var boards: [LoadBoard] = []

  static func main() {
    signal(SIGPIPE, SIG_IGN)
    let words = CommandLine.arguments
    let numbers = words.dropFirst().compactMap { Int($0) }
    guard numbers.count == 4, let port = CInt(exactly: numbers[0]), numbers[1] >= 0, numbers[1] <= numbers[2] else {
      say("usage: FleetLoad PORT FIRST END FLEET < commands")
      exit(2)
    }
    var load = FleetLoad(port: port)
    load.boards = (numbers[1]..<numbers[2]).map { LoadBoard(id: "board-\($0)", fleet: numbers[3]) }
    while let line = readLine() { load.obey(line.split(separator: " ").map(String.init)) }
  }

  private mutating func obey(_ words: [String]) {
    let begin = LoadBoard.now
    switch words.first {
    case "connect": connectAll()
    case "day": day(words.count > 1 ? Int(words[1]) ?? 0 : 0)
    case "cut": cut()
    case "return": comeBack()
    default: Self.say("unknown: \(words)")
    }
    let seconds = Double((LoadBoard.now - begin).wholeNanoseconds) / 1e9
    let messages = boards.reduce(0) { $0 + $1.published }
    Self.say("done seconds=\(seconds) up=\(boards.count { $0.isUp }) messages=\(messages)")
  }

  /// At once, whatever standard output is.
  private static func say(_ text: String) {
    let bytes = Array("\(text)\n".utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
  }

  private func connectAll() {
    for start in stride(from: 0, to: boards.count, by: Self.batch) {
      let some = boards[start..<min(start + Self.batch, boards.count)]
      for board in some { connections.connect(board, port) }
      pump { some.allSatisfy { $0.isUp && $0.isIdle } }
    }
  }

  private func day(_ changes: Int) {
    for index in 0..<changes {
      let board = boards[index % boards.count]
      board.change(index)
      connections.expect(board)
      if index % Self.batch == 0 { pump { true } }
    }
    pump { boards.allSatisfy(\.isIdle) }
  }

  /// Awaits the wills at one more client.
  private func cut() {
    let watcher = LoadBoard(id: "watcher-\(getpid())", fleet: 1)
    watcher.watched = Set(boards.map(\.statusTopic))
    connections.connect(watcher, port)
    let all = boards.count
    // The retained ones come first.
    pump { watcher.statuses >= all }
    for board in boards { connections.cut(board) }
    pump { watcher.statuses >= 2 * all }
  }

  private func comeBack() {
    let begin = LoadBoard.now
    for board in boards { connections.cut(board) }
    var waiting = boards.sorted { $0.firstRetry < $1.firstRetry }[...]
    while let next = waiting.first {
      let due = begin + .seconds(Int64(next.firstRetry))
      pump(until: due) { LoadBoard.now >= due }
      connections.connect(next, port)
      waiting = waiting.dropFirst()
    }
    pump { boards.allSatisfy { $0.isUp && $0.isIdle } }
  }

  /// Serves all connections until `isDone`, for 10 minutes at most.
  private func pump(until due: Instant? = nil, _ isDone: () -> Bool) {
    let end = LoadBoard.now + .seconds(600)
    repeat {
      let left = due.map { max(0, ($0 - LoadBoard.now).wholeNanoseconds / 1_000_000) } ?? 20
      connections.serve(waiting: min(left, 20))
    } while !isDone() && LoadBoard.now < end
  }
}
