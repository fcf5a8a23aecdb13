import Board
import BoardFiles
import Files
import Firmware
import GPIOLines
import Simulator

/// The lines of a board, each opened by itself, so that one that cannot be opened does not hide the others.
struct WatchedLines {
  private(set) var sets: [any LineSet] = []
  private(set) var rows: [LineTable.Row] = []
  private(set) var knobs: WatchedKnobs
  /// The level of each line, as it was when it was opened.
  private var levels: [String: Bool] = [:]

  /// - Parameters:
  ///   - virtual: the lines of a simulated board; nil for a real board.
  ///   - clock: that of the lines.
  init(_ board: BoardDescription, virtual: VirtualLines?, clock: any BoardClock) {
    knobs = WatchedKnobs(board)
    let begin = clock.now
    if let virtual {
      for line in board.lines { rows.append(row(line, place: "simulated", asserted: false)) }
      for name in board.knobContacts { rows.append(contact(name, place: "simulated", asserted: false)) }
      watch(virtual)
    } else {
      watchChips(board)
      watchDevices(board)
      showLights(board)
      watchReaders(board)
      watchAxes(board)
    }
    knobs.stand(levels, at: begin)
    for knob in board.knobs where !rows.contains(where: { $0.name == knob.knob.name }) {
      rows.append(
        LineTable.Row(
          name: knob.knob.name, role: LineTable.knob, place: knob.knob.use.word, asserted: nil, note: "turned by 0"))
    }
  }

  /// A line of a knob.
  private func contact(
    _ name: String, place: String, activeLow: Bool? = nil, asserted: Bool?, note: String = ""
  ) -> LineTable.Row {
    LineTable.Row(name: name, role: LineTable.knob, place: place, activeLow: activeLow, asserted: asserted, note: note)
  }

  private func row(_ line: LineDescription, place: String, asserted: Bool?, note: String = "") -> LineTable.Row {
    var activeLow: Bool?
    if case .gpio = line.source { activeLow = line.activeLow }
    return LineTable.Row(
      name: line.name, role: line.role.word, place: place, activeLow: activeLow, asserted: asserted, note: note)
  }

  private mutating func watchChips(_ board: BoardDescription) {
    let backend = GPIOLineBackend(consumer: "jackdaw lines")
    let survey = backend.survey(board.lineRequests())
    for found in survey.lines {
      let place = found.place.map { "\($0.chip) \($0.offset)" } ?? "-"
      guard let line = board.lines.first(where: { $0.name == found.request.name }) else {
        watchContact(found.request, place: place, backend)
        continue
      }
      guard case .input = found.request.direction else {
        // Requesting an output would drive it, and requesting it as an input would release the amplifier's mute.
        rows.append(row(line, place: place, asserted: nil, note: found.problem?.message ?? "output, left alone"))
        continue
      }
      do throws(LineError) {
        let set = try backend.open([found.request])
        rows.append(row(line, place: place, asserted: false))
        watch(set)
      } catch {
        rows.append(row(line, place: place, asserted: nil, note: error.message))
      }
    }
  }

  private mutating func watchContact(_ request: LineRequest, place: String, _ backend: GPIOLineBackend) {
    do throws(LineError) {
      let set = try backend.open([request])
      rows.append(contact(request.name, place: place, activeLow: request.activeLow, asserted: false))
      watch(set)
    } catch {
      rows.append(contact(request.name, place: place, asserted: nil, note: error.message))
    }
  }

  private mutating func watchAxes(_ board: BoardDescription) {
    for device in RealLines.axes(of: board) {
      do throws(LineError) {
        sets.append(try BoardLines(chips: GPIOLineBackend().open([]), devices: [device]))
      } catch {
        for request in device.requests {
          rows.append(
            LineTable.Row(
              name: request.name, role: LineTable.knob, place: device.name, asserted: nil, note: error.message))
        }
      }
    }
  }

  private mutating func watchDevices(_ board: BoardDescription) {
    for device in RealLines.devices(of: board) where !device.lines.isEmpty {
      let lines = board.lines.filter { device.lines.contains($0.name) }
      do throws(LineError) {
        let set = try BoardLines(chips: GPIOLineBackend().open([]), devices: [device])
        for line in lines { rows.append(row(line, place: place(of: line, on: device), asserted: false)) }
        watch(set)
      } catch {
        for line in lines {
          rows.append(row(line, place: place(of: line, on: device), asserted: nil, note: error.message))
        }
      }
    }
  }

  /// The lights of the kernel that are signals. Nothing is written to them.
  private mutating func showLights(_ board: BoardDescription) {
    for line in board.lines {
      guard case .led(let name) = line.source else { continue }
      let isThere = FileAccess.names(in: KernelLED.root).contains(name)
      rows.append(
        row(line, place: "LED \(name)", asserted: nil, note: isThere ? "output, left alone" : "there is no such light"))
    }
  }

  private func place(of line: LineDescription, on device: any LineDevice) -> String {
    guard case .headset(let address?) = line.source else { return device.name }
    return "\(device.name) \(address)"
  }

  /// Each in a row of its own, which shows what is typed, or what lies there.
  private mutating func watchReaders(_ board: BoardDescription) {
    let typing = board.readers.filter { $0.lift == nil && $0.device != nil }
    let laid = board.readers.filter { $0.speech != nil }
    let devices: [any LineDevice] = RealLines.readers(of: board) + RealLines.cardReaders(of: board)
    for (reader, device) in zip(typing + laid, devices) {
      var note = ""
      do throws(LineError) {
        sets.append(try BoardLines(chips: GPIOLineBackend().open([]), devices: [device]))
      } catch {
        note = error.message
      }
      let place = reader.device ?? (reader.speech == .pcsc ? "PC/SC" : "")
      rows.append(
        LineTable.Row(name: reader.name, role: LineTable.reader, place: place, asserted: nil, note: note))
    }
  }

  /// Watches lines, and takes their present levels.
  private mutating func watch(_ set: any LineSet) {
    sets.append(set)
    guard let found = try? set.levels() else { return }
    levels.merge(found) { _, new in new }
    for (name, asserted) in found {
      if let index = rows.firstIndex(where: { $0.name == name }) { rows[index].asserted = asserted }
    }
  }
}
