import Board
import CGPIOD

/// One requested line; released when it goes out of scope.
struct LineHandle: ~Copyable {
  private let line: OpaquePointer

  private init(adopting line: OpaquePointer) { self.line = line }

  deinit { cgpiod_line_close(line) }

  static func open(
    _ request: LineRequest, at place: LinePlace, consumer: String
  ) throws(SystemFailure) -> LineHandle {
    var settings = cgpiod_settings(request)
    var opened: OpaquePointer?
    let code = cgpiod_line_open(place.path, CUnsignedInt(clamping: place.offset), consumer, &settings, &opened)
    guard code == 0, let opened else { throw SystemFailure(code: code) }
    return LineHandle(adopting: opened)
  }

  /// Nil for an output.
  var descriptor: CInt? {
    let descriptor = cgpiod_line_descriptor(line)
    return descriptor < 0 ? nil : descriptor
  }

  func level() throws(SystemFailure) -> Bool {
    var asserted = false
    try check(cgpiod_line_level(line, &asserted))
    return asserted
  }

  func set(asserted: Bool) throws(SystemFailure) {
    try check(cgpiod_line_set(line, asserted))
  }

  /// Fills `edges` from its start, oldest first, and returns how many there were. Blocks when none waits.
  func readEdges(into edges: inout [cgpiod_edge]) throws(SystemFailure) -> Int {
    var count = 0
    try check(cgpiod_line_read_edges(line, &edges, edges.count, &count))
    return count
  }

  private func check(_ code: CInt) throws(SystemFailure) {
    if code != 0 { throw SystemFailure(code: code) }
  }
}

extension cgpiod_settings {
  init(_ request: LineRequest) {
    self.init()
    active_low = request.activeLow
    switch request.direction {
    case .input(let wanted):
      switch wanted {
      case .asIs: bias = CGPIOD_BIAS_AS_IS
      case .disabled: bias = CGPIOD_BIAS_DISABLED
      case .pullUp: bias = CGPIOD_BIAS_PULL_UP
      case .pullDown: bias = CGPIOD_BIAS_PULL_DOWN
      }
    case .output(let first):
      output = true
      asserted = first
    }
  }
}
