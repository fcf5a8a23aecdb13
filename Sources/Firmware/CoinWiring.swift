import Board
import BoardFiles
import Jukebox

/// The coin lines of a board as the brain knows them. Control thread.
struct CoinWiring {
  private var numbers: [String: LineID] = [:]
  /// Their names: every edge of them counts.
  let lines: Set<String>

  init(_ board: BoardDescription) {
    for (index, line) in board.lines.enumerated() where line.role.isCoin { numbers[line.name] = LineID(index) }
    lines = Set(numbers.keys)
  }

  /// All edges of one line are one input, so that a storm costs no more than a few edges. When those of other lines came
  /// makes no difference to a coin.
  func inputs(of edges: [LineEdge]) -> [Input] {
    if numbers.isEmpty { return [] }
    var found: [(line: LineID, edges: [CoinEdge])] = []
    for edge in edges {
      guard let line = numbers[edge.line] else { continue }
      let index = found.firstIndex { $0.line == line } ?? found.count
      if index == found.count { found.append((line, [])) }
      found[index].edges.append(CoinEdge(edge.asserted, at: edge.at, followsLoss: edge.followsLoss))
    }
    return found.map { .coin($0.line, $0.edges) }
  }
}
