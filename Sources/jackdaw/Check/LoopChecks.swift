import ALSADevices
import AudioSession
import Board
import BoardFiles
import Files
import Firmware
import Glibc

/// What `jackdaw check --measure` finds out about an output by a cable to an input.
struct LoopChecks {
  private let port: Port
  private let pcm: String
  private let input: String
  private let board: BoardDescription

  /// - Parameter words: `PORT=PCM`.
  init(_ words: String, board: BoardDescription) throws(CommandError) {
    let ports = board.ports.map(\.output.port.rawValue)
    guard let sign = words.firstIndex(of: "="), words.index(after: sign) < words.endIndex,
      let found = board.ports.first(where: { $0.output.port.rawValue == words[..<sign] })
    else {
      throw CommandError(
        "jackdaw: --measure \(Wording.oneLine(words)): expected PORT=PCM, a port (\(ports.joined(separator: ", "))) and the "
          + "input that a cable leads to from it")
    }
    port = found.output.port
    pcm = found.pcm
    input = String(words[words.index(after: sign)...])
    self.board = board
  }

  var findings: [Finding] {
    let subject = "output \(port.rawValue)"
    do throws(PCMError) {
      guard let figures = try measureCalls(), let unplug = try measureUnplug() else {
        return [
          .bad(
            subject, "nothing of the tone on \(pcm) came in on \(input)",
            "the cable, `alsamixer` for the level of both cards, and the amplifier, which is off without the firmware")
        ]
      }
      return LoopChecks.findings(figures, unplug: unplug, of: port)
    } catch {
      return [.bad(subject, error.description, "`arecord -L` and `aplay -L` list the PCMs")]
    }
  }

  /// What the card makes of the single calls.
  private func measureCalls() throws(PCMError) -> LoopFigures? {
    let output = try ALSAOpener().open(port: port, name: pcm, rate: board.rate, buffer: board.buffer)
    defer { output.close() }
    let capture = try openInput()
    defer { capture.close() }
    return try LoopMeasurement(output: output, input: capture, wait: LoopChecks.wait).run()
  }

  /// What the firmware makes of the card.
  private func measureUnplug() throws(PCMError) -> Duration? {
    let capture = try openInput()
    defer { capture.close() }
    return try UnplugMeasurement(
      port, device: pcm, devices: ALSAOpener(known: board.knownCards), rate: board.rate, buffer: board.buffer,
      input: capture, clock: MonotonicClock(startsNow: false), wait: LoopChecks.wait
    ).run()
  }

  private func openInput() throws(PCMError) -> any CapturePCM {
    try ALSACaptureOpener().open(input: .lineIn, name: input, rate: board.rate, buffer: .milliseconds(500))
  }

  static func findings(_ figures: LoopFigures, unplug: Duration, of port: Port) -> [Finding] {
    let subject = port.rawValue
    var findings = [
      Finding.good("\(subject) edge", "silent at most \(milliseconds(unplug)) after it"),
      Finding.good("\(subject) start", "heard \(milliseconds(figures.start)) after it"),
      Finding.good("\(subject) stop", "silent \(milliseconds(figures.silence)) after it"),
      Finding.good(
        "\(subject) takes back",
        figures.takesBack ? "yes: the buffer delays nothing" : "no: little is kept queued in it"),
    ]
    guard let queue = figures.safeQueue else {
      return findings + [.bad("\(subject) queue", "ran dry with every queue that was tried", "a quieter machine")]
    }
    findings.append(.good("\(subject) queue", "\(milliseconds(queue)) did not run dry"))
    findings.append(.good("board file", figures.takesBack ? "nothing to write" : "take_back = false"))
    return findings
  }

  private static func milliseconds(_ time: Duration) -> String {
    "\(Int((time / .milliseconds(1)).rounded(.up))) ms"
  }

  private static func wait(_ time: Duration) { usleep(UInt32(time / .microseconds(1))) }
}
