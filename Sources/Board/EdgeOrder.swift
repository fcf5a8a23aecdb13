/// Orders the edges from `first` on by time; those of one instant stay in the order in which they were read, and so do those
/// of one line. By insertion where there are few, as there are as a rule: it takes no memory.
package func sortOldestFirst<Edge, Time: Comparable>(
  _ edges: inout [Edge], from first: Int = 0, by time: (Edge) -> Time
) {
  if edges.count - first > 64 {
    let order = (first..<edges.count).sorted { (time(edges[$0]), $0) < (time(edges[$1]), $1) }
    edges.replaceSubrange(first..., with: order.map { edges[$0] })
    return
  }
  for sorted in edges.indices.dropFirst(first + 1) {
    var index = sorted
    while index > first, time(edges[index]) < time(edges[index - 1]) {
      edges.swapAt(index, index - 1)
      index -= 1
    }
  }
}
