import Board
import Glibc

/// The chip and offset of a line.
struct LinePlace: Hashable {
  /// The path that opens the chip.
  var path: String
  /// The chip's name.
  var chip: String
  var offset: Int
}

extension ChipInventory {
  /// The place of each request, in their order. Throws where two requests lead to the same place.
  func places(of requests: [LineRequest]) throws(LineError) -> [LinePlace] {
    var places: [LinePlace] = []
    for request in requests {
      let place = try place(of: request)
      if let same = places.firstIndex(of: place) {
        let other = requests[same].name
        throw LineError(
          operation: .findLine, subject: request.name, code: EBUSY,
          message: "\(place.chip) offset \(place.offset) is \(other) already, expected a line of its own")
      }
      places.append(place)
    }
    return places
  }

  /// Labels are not unique in the kernel: the first chip's first line counts.
  func place(of request: LineRequest) throws(LineError) -> LinePlace {
    for chip in chips where !request.name.isEmpty {
      if let offset = chip.lineLabels.firstIndex(of: request.name) { return place(on: chip, offset: offset) }
    }
    guard let fallback = request.fallback else {
      throw LineError(
        operation: .findLine, subject: request.name, code: 0,
        message: "\(labelNotFound), and no chip and offset are given to fall back on")
    }
    let chip = try chip(fallback.chip, for: request.name, offset: fallback.offset)
    guard chip.lineLabels.indices.contains(fallback.offset) else {
      throw LineError(
        operation: .findLine, subject: request.name, code: 0,
        message: "\(labelNotFound), and its fallback \(fallback.chip) offset \(fallback.offset) is not there: "
          + "expected an offset from 0 to \(chip.lineLabels.count - 1)")
    }
    return place(on: chip, offset: fallback.offset)
  }

  /// What is wrong with a request whose label and offset are of two lines of one chip: the label counts. It is no error,
  /// so that a kiosk in service plays on.
  func contradiction(of request: LineRequest) -> String? {
    guard let fallback = request.fallback, let place = try? place(of: request), place.offset != fallback.offset,
      let chip = chips.first(where: { $0.name == place.chip }), isNamed(chip, fallback.chip),
      chip.lineLabels[place.offset] == request.name
    else { return nil }
    let other = chip.lineLabels.indices.contains(fallback.offset) ? chip.lineLabels[fallback.offset] : ""
    let meant = other.isEmpty ? "" : "[lines.\(other)], or "
    return "\(request.name) is offset \(place.offset) of \(place.chip), so that offset = \(fallback.offset) has no "
      + "effect; expected \(meant)a name that is no label"
  }

  private func place(on chip: ChipSnapshot, offset: Int) -> LinePlace {
    LinePlace(path: chip.paths.first ?? "", chip: chip.name, offset: offset)
  }

  private func chip(_ text: String, for line: String, offset: Int) throws(LineError) -> ChipSnapshot {
    if let chip = chips.first(where: { isNamed($0, text) }) { return chip }
    let path = ChipName(text).path(in: directory)
    let failure = path.flatMap { failures[$0] } ?? SystemFailure(code: ENOENT)
    throw LineError(
      operation: .openChip, subject: text, code: failure.code,
      message: "\(failure.message); fallback of line \(line) (offset \(offset)), \(labelNotFound); "
        + "expected one of: \(known)")
  }

  private func isNamed(_ chip: ChipSnapshot, _ text: String) -> Bool {
    let name = ChipName(text)
    switch name {
    case .label(let label): return chip.label == label
    case .path, .name: return name.path(in: directory).map(chip.paths.contains) ?? false
    }
  }

  private var labelNotFound: String {
    var text = "no line of \(chips.isEmpty ? "any chip" : chips.map(\.name).joined(separator: ", ")) has this label"
    for (path, failure) in failures.sorted(by: { $0.key < $1.key }) where failure.code != ENOENT {
      text += "; \(path) was not searched (\(failure.message))"
    }
    return text
  }

  private var known: String {
    chips.isEmpty
      ? "none, \(directory) has no GPIO chip that can be used"
      : chips.map { "\($0.name) (\($0.label))" }.joined(separator: ", ")
  }
}
