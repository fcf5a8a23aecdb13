import Board
import CGPIOD

/// The calls that a set makes on a line; tests use descriptors of their own instead.
protocol OpenLine: AnyObject {
  var name: String { get }
  /// The path of its chip.
  var chip: String { get }
  /// Nil for an output.
  var descriptor: CInt? { get }
  func level() throws(SystemFailure) -> Bool
  func set(asserted: Bool) throws(SystemFailure)
  /// As `LineHandle.readEdges`.
  func readEdges(into edges: inout [cgpiod_edge]) throws(SystemFailure) -> Int
}

/// A line of a real chip.
final class ChipLine: OpenLine {
  let name: String
  let chip: String
  private let handle: LineHandle

  private init(name: String, chip: String, adopting handle: consuming LineHandle) {
    self.name = name
    self.chip = chip
    self.handle = handle
  }

  static func open(_ request: LineRequest, at place: LinePlace, consumer: String) throws(LineError) -> ChipLine {
    do throws(SystemFailure) {
      let handle = try LineHandle.open(request, at: place, consumer: consumer)
      return ChipLine(name: request.name, chip: place.path, adopting: handle)
    } catch {
      throw refusal(of: request, at: place, error)
    }
  }

  var descriptor: CInt? { handle.descriptor }
  func level() throws(SystemFailure) -> Bool { try handle.level() }
  func set(asserted: Bool) throws(SystemFailure) { try handle.set(asserted: asserted) }
  func readEdges(into edges: inout [cgpiod_edge]) throws(SystemFailure) -> Int {
    try handle.readEdges(into: &edges)
  }
}

/// The error of a refused request. The kernel only reports that a line is busy; the line's information names its user.
private func refusal(of request: LineRequest, at place: LinePlace, _ failure: SystemFailure) -> LineError {
  let line = try? ChipHandle.open(path: place.path).line(at: place.offset)
  return LineError(
    operation: .request, subject: request.name, code: failure.code,
    message: refusalText(request, place, failure, usedBy: line?.isUsed == true ? line?.consumer : nil))
}

func refusalText(
  _ request: LineRequest, _ place: LinePlace, _ failure: SystemFailure, usedBy consumer: String?
) -> String {
  let spot = "\(place.chip) offset \(place.offset)"
  if let consumer {
    return "\(spot) is busy, in use by \(consumer.isEmpty ? "the kernel" : consumer); expected a free line"
  }
  let polarity = request.activeLow ? "active low" : "active high"
  switch request.direction {
  case .input(let bias):
    return "\(spot): \(failure.message); asked for both edges, \(polarity), bias \(bias.rawValue)"
  case .output(let asserted):
    return "\(spot): \(failure.message); asked for an output, \(polarity), \(asserted ? "asserted" : "released")"
  }
}
