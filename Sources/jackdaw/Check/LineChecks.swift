import BluetoothPorts
import Board
import BoardFiles
import GPIOLines
import Glibc

/// Whether the chips and lines of a board exist and can be opened.
struct LineChecks {
  var board: BoardDescription

  var findings: [Finding] {
    if board.isSimulated { return [.good("lines", "simulated: \(board.lines.count) lines, moved by keys")] }
    return LineChecks.lines(of: GPIOLineBackend().survey(board.lineRequests()))
      + RealLines.devices(of: board).map(LineChecks.device)
  }

  static func lines(of survey: LineSurvey) -> [Finding] {
    if survey.lines.isEmpty { return [] }
    guard survey.chips.isEmpty, survey.lines.allSatisfy({ $0.place == nil }) else {
      return chips(survey) + survey.lines.map { line($0, in: survey) }
    }
    let names = survey.lines.map(\.request.name).joined(separator: ", ")
    return chips(survey) + [.bad("lines", "without a chip none can be looked for: \(names)")]
  }

  static func chips(_ survey: LineSurvey) -> [Finding] {
    var findings = survey.chips.map { Finding.good("chip \($0.name)", "\($0.label), \($0.lineCount) lines") }
    for (path, problem) in survey.unreadable.sorted(by: { $0.key < $1.key }) {
      findings.append(.bad("chip \(path)", problem, ProcessUser.join(groupOf: path, usually: "gpio")))
    }
    if !findings.isEmpty { return findings }
    return [
      .bad("chips", "there is no GPIO chip in /dev", "a board without its own: --board sim, which has keys for lines")
    ]
  }

  static func line(_ found: LineSurvey.Found, in survey: LineSurvey) -> Finding {
    let subject = "line \(found.request.name)"
    guard let place = found.place else {
      return .bad(subject, found.problem?.message ?? "not found", advice(found.request.name, survey))
    }
    let spot = "\(place.chip) offset \(place.offset), active \(found.request.activeLow ? "low" : "high")"
    switch place.user {
    case nil: break
    case "jackdaw"?: return .good(subject, "\(spot); the running firmware has it")
    case let user?:
      let owner = user.isEmpty ? "the kernel" : user
      return .bad(
        subject, "\(spot); in use by \(owner)",
        user.isEmpty
          ? "a device tree overlay has taken it (gpio-keys, a HAT): remove that, or use another line"
          : "end \(owner) first")
    }
    guard case .input(let bias) = found.request.direction else { return .good(subject, "\(spot), output, free") }
    do throws(LineError) {
      // Only a request shows whether the chip supports the bias.
      try GPIOLineBackend(consumer: "jackdaw check").open([found.request]).close()
      return .good(subject, "\(spot), bias \(bias.rawValue)")
    } catch {
      return .bad(
        subject, error.message,
        error.code == EACCES
          ? ProcessUser.join(groupOf: "/dev/\(place.chip)", usually: "gpio")
          : "bias = \"as-is\" in the board file and a resistor on the wire do without it")
    }
  }

  private static func advice(_ name: String, _ survey: LineSurvey) -> String {
    let near = survey.nearest(to: name)
    let place = "give it `chip` and `offset` in the board file; gpioinfo lists all lines"
    if near.isEmpty { return place }
    return "nearest names: \(near.joined(separator: ", ")); or \(place)"
  }

  private static func device(_ device: any LineDevice) -> Finding {
    if let headsets = device as? BluetoothHeadsets { return BluetoothChecks.finding(headsets) }
    defer { device.close() }
    let lines = device.lines.joined(separator: ", ")
    do throws(LineError) {
      try device.open()
      return .good(device.name, lines.isEmpty ? "can be taken" : lines)
    } catch  where device.isOptional && error.code != EACCES {
      return .missing(device.name, "not there now (\(lines))")
    } catch {
      let advice =
        switch error.code {
        case EACCES: ProcessUser.join(groupOf: "/dev/input/event0", usually: "input")
        case EBUSY: "end the firmware, or whoever else has it"
        default: "plug it in, or name another one in the board file"
        }
      let named = lines.isEmpty ? "" : " (\(lines))"
      return .bad(device.name, "\(error.subject): \(error.message)\(named)", advice)
    }
  }
}
