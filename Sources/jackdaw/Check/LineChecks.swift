import AudioSession
import BluetoothPorts
import Board
import BoardFiles
import CardReaders
import GPIOLines
import Glibc
import InputDevices

/// Whether the chips and lines of a board exist and can be opened.
struct LineChecks {
  var board: BoardDescription

  var findings: [Finding] {
    if board.isSimulated { return [.good("lines", "simulated: \(board.lines.count) lines, moved by keys")] }
    return LineChecks.lines(of: GPIOLineBackend().survey(board.lineRequests()), senses)
      + LineChecks.devices(RealLines.devices(of: board, patience: .seconds(5)))
  }

  /// The port of each sense line.
  private var senses: [String: Port] {
    Dictionary(
      board.ports.compactMap { port in
        if case .line(let name) = port.output.sense { (name, port.output.port) } else { nil }
      }
    ) { first, _ in first }
  }

  static func lines(of survey: LineSurvey, _ senses: [String: Port] = [:]) -> [Finding] {
    if survey.lines.isEmpty { return [] }
    guard survey.chips.isEmpty, survey.lines.allSatisfy({ $0.place == nil }) else {
      let plugged = survey.lines.contains { $0.place?.user == "jackdaw" } ? FirmwareState.plugged() : []
      return chips(survey)
        + survey.lines.map { found in
          let port = senses[found.request.name]
          return line(found, in: survey, senses: port, isPlugged: port.map(plugged.contains) ?? false)
        }
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

  /// - Parameters:
  ///   - port: the port whose plug the line senses.
  ///   - isPlugged: the running firmware, which has the line, takes the plug to be in.
  static func line(
    _ found: LineSurvey.Found, in survey: LineSurvey, senses port: Port? = nil, isPlugged: Bool = false
  ) -> Finding {
    let subject = "line \(found.request.name)"
    guard let place = found.place else {
      return .bad(subject, found.problem?.message ?? "not found", advice(found.request.name, survey))
    }
    if let contradiction = found.contradiction {
      return .bad(subject, contradiction, "the firmware runs, and has the line of that label")
    }
    let spot = "\(place.chip) offset \(place.offset), active \(found.request.activeLow ? "low" : "high")"
    switch place.user {
    case nil: break
    case "jackdaw"?:
      let finding = Finding.good(subject, "\(spot); the running firmware has it")
      return isPlugged ? pluggedIn(finding, port) : finding
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
      let lines = try GPIOLineBackend(consumer: "jackdaw check").open([found.request])
      defer { lines.close() }
      let finding = Finding.good(subject, "\(spot), bias \(bias.rawValue)")
      let isAsserted = try lines.levels()[found.request.name] == true
      if let problem = lines.takeNotices().first { return .bad(subject, problem, "its wires: SDA, SCL, power, ground") }
      return isAsserted ? pluggedIn(finding, port) : finding
    } catch {
      return .bad(
        subject, error.message,
        error.code == EACCES
          ? ProcessUser.join(groupOf: "/dev/\(place.chip)", usually: "gpio")
          : "bias = \"as-is\" in the board file and a resistor on the wire do without it")
    }
  }

  /// A switch that a plug opens reads as open where none is wired, too: a kiosk without that jack would be silent.
  static func pluggedIn(_ finding: Finding, _ port: Port?) -> Finding {
    guard let port else { return finding }
    var finding = finding
    finding.what += "; asserted: something is plugged in at \(port.rawValue), and the sound goes there"
    finding.advice = [
      "a pin to which nothing is wired reads the same: where there is no such jack, `unwired = [\"\(port.rawValue)\"]` "
        + "in the settings"
    ]
    return finding
  }

  private static func advice(_ name: String, _ survey: LineSurvey) -> String {
    let near = survey.nearest(to: name)
    let place = "give it `chip` and `offset` in the board file; gpioinfo lists all lines"
    if near.isEmpty { return place }
    return "nearest names: \(near.joined(separator: ", ")); or \(place)"
  }

  /// Keypads, knobs and keyboards come and go; a kiosk works without them.
  private static func isNotPluggedIn(_ device: any LineDevice, _ error: LineError) -> Bool {
    let isInput = device is KeyReader || device is AxisDevice || device is InputDevice || device is any CardReader
    return isInput && error.operation == .openDevice && [ENOENT, ENODEV, ENXIO].contains(error.code)
  }

  private static func isShared(_ device: any LineDevice) -> Bool { (device as? any CardReader)?.isShared == true }

  /// All stay open until the last one is, so that what one of them takes from another shows.
  static func devices(_ devices: [any LineDevice]) -> [Finding] {
    defer { for device in devices { device.close() } }
    return devices.indices.map { device(devices[$0], besides: devices[..<$0]) }
  }

  static func device(_ device: any LineDevice, besides others: ArraySlice<any LineDevice> = []) -> Finding {
    if let headsets = device as? BluetoothHeadsets { return BluetoothChecks.finding(headsets) }
    let lines = device.lines.joined(separator: ", ")
    do throws(LineError) {
      try device.open()
      if let rival = device.rival(among: others) {
        return .bad(device.name, "is taken by \(rival.name)", "another device for one of the two in the board file")
      }
      if let ambiguity = device.ambiguity {
        return .warning(device.name, ambiguity, "the path of the one that is meant, in the board file")
      }
      return .good(device.name, lines.isEmpty ? "can be taken" : lines)
    } catch  where device.isOptional && error.code != EACCES {
      return .missing(device.name, "not there now (\(lines))")
    } catch  where isNotPluggedIn(device, error) {
      let named = lines.isEmpty ? "" : " (\(lines))"
      return .warning(
        device.name, "not plugged in now\(named); the firmware takes it when it comes",
        "where it is plugged in: \(error.message)")
    } catch  where error.code == EBUSY && FirmwareState.isRunning {
      return .good(device.name, "in use; the firmware runs")
    } catch {
      let advice =
        switch error.code {
        case EACCES where isShared(device), ELIBACC, ECONNREFUSED, ENOTUNIQ: "PC/SC: board/readers.md"
        case EACCES where device is any CardReader: ProcessUser.join(groupOf: error.subject, usually: "dialout")
        case EACCES: ProcessUser.join(groupOf: "/dev/input/event0", usually: "input")
        case EBUSY: "end the firmware, or whoever else has it"
        case ETIMEDOUT where !isShared(device): "its cable and its switches: board/readers.md"
        default: "plug it in, or name another one in the board file"
        }
      let named = lines.isEmpty ? "" : " (\(lines))"
      return .bad(device.name, "\(error.subject): \(error.message)\(named)", advice)
    }
  }
}
