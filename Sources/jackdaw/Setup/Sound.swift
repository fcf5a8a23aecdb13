import ALSADevices
import AudioSession
import Board
import BoardFiles
import Files
import Simulator

/// The devices that the ports play to, chosen by `--output` and the board file.
struct Sound {
  var devices: any PCMOpener
  /// The device of each port.
  var names: [Port: String]
  /// The devices, for the front panel.
  var description: String
  /// The rate that the devices really run at, Hz.
  var rate: Int
  /// A notice about the choice for the operator; nil for none.
  var notice: String?
  private var tap: PortTap?

  static func choose(
    _ output: String?, _ board: BoardDescription, clock: MonotonicClock
  ) throws(CommandError) -> Sound {
    if let output, output.hasPrefix("file:") {
      let path = String(output.dropFirst(5))
      if path.isEmpty { throw CommandError("jackdaw: --output file: has no path, expected file:PATH") }
      let wav = try CommandError.about { () throws(FileError) in try WAVWriter(path: path, rate: board.rate) }
      return paced(board, clock, wav, path, notice: nil)
    }
    if output == nil && !board.isSimulated {
      // Not opened before the firmware runs: a driver that does not answer must not hold up the start, and a card may
      // appear later.
      return Sound(
        devices: opener(board, clock), names: names(nil, board), description: "ALSA", rate: board.rate)
    }
    do throws(PCMError) {
      return try alsa(output, board, clock)
    } catch {
      if let output { throw CommandError("jackdaw: --output \(output): \(error.operation.rawValue): \(error.message)") }
      let notice = "no sound device, playing silently; --output file:x.wav keeps what is heard (\(error))"
      return paced(board, clock, nil, "silent", notice: notice)
    }
  }

  private static func opener(_ board: BoardDescription, _ clock: MonotonicClock) -> ALSAOpener {
    ALSAOpener(origin: clock.start, known: board.knownCards)
  }

  private static func names(_ output: String?, _ board: BoardDescription) -> [Port: String] {
    Dictionary(board.ports.map { ($0.output.port, output ?? $0.pcm) }) { first, _ in first }
  }

  /// Opens the first port's device once, to learn its rate.
  private static func alsa(
    _ output: String?, _ board: BoardDescription, _ clock: MonotonicClock
  ) throws(PCMError) -> Sound {
    let opener = opener(board, clock)
    var rate = board.rate
    if let first = board.ports.first {
      let name = output ?? first.pcm
      rate = try Probe.run(on: name) { () throws(PCMError) in
        let probe = try opener.open(port: first.output.port, name: name, rate: board.rate, buffer: board.buffer)
        defer { probe.close() }
        return probe.format.rate
      }
    }
    return Sound(
      devices: opener, names: names(output, board), description: "ALSA \(output ?? board.ports.first?.pcm ?? "")",
      rate: rate, notice: rate == board.rate ? nil : "the device runs at \(rate) Hz, not at \(board.rate) Hz")
  }

  /// Lets all ports play into one tap, at the pace of the clock.
  private static func paced(
    _ board: BoardDescription, _ clock: any BoardClock, _ wav: WAVWriter?, _ description: String, notice: String?
  ) -> Sound {
    let tap = PortTap(port: .speaker, rate: board.rate, wav: wav)
    let ports = board.ports.map(\.output.port)
    return Sound(
      devices: VirtualDevices(clock: clock, taps: Dictionary(ports.map { ($0, tap) }) { first, _ in first }),
      names: Dictionary(ports.map { ($0, $0.rawValue) }) { first, _ in first }, description: description,
      rate: board.rate, notice: notice, tap: tap)
  }

  /// Completes the WAV of `--output file:`. Call it after the audio thread has ended.
  func finish(at now: Instant) throws(CommandError) {
    try CommandError.about { () throws(FileError) in try tap?.finish(at: now.frame(rate: rate)) }
  }
}
