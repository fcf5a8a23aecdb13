/// Orders the edges from `first` on by time; those of one instant stay in the order in which they were read, and so do
/// those of one line. The usual few edges are sorted by insertion, which allocates nothing.
package func sortOldestFirst(_ edges: inout [LineEdge], from first: Int = 0) {
  if edges.count - first > 64 {
    let order = (first..<edges.count).sorted { (edges[$0].at, $0) < (edges[$1].at, $1) }
    edges.replaceSubrange(first..., with: order.map { edges[$0] })
    return
  }
  for sorted in edges.indices.dropFirst(first + 1) {
    var index = sorted
    while index > first, edges[index].at < edges[index - 1].at {
      edges.swapAt(index, index - 1)
      index -= 1
    }
  }
}
