import AudioSession
import Board
import BoardFiles
import Jukebox

/// The board's lines as the brain knows them: inputs by number, outputs by what they do. The first permanent failure is
/// kept, and ends the firmware. Control thread.
final class Wiring {
  private let lines: any LineSet
  private var numbers: [String: LineID] = [:]
  private var readers: [String: ReaderID] = [:]
  /// The line of each port that is reached by radio.
  private var headsets: [Port: String] = [:]
  private let knobs: KnobWiring
  private let coins: CoinWiring
  /// Where the knobs stood when the lines were read last.
  private var positions: [String: Bool] = [:]
  /// The keys, of which no press may be lost, the contacts of knobs, and coin lines.
  private let counted: Set<String>
  private let lamp: String?
  private let amplifier: String?
  private var edges: [LineEdge] = []
  private var turns: [AxisTurn] = []
  private var pace = EdgePace()
  private var outputs: OutputLines
  private var inputFailure: LineError?

  init(_ lines: any LineSet, of board: BoardDescription) {
    self.lines = lines
    outputs = OutputLines(lines)
    knobs = KnobWiring(board)
    coins = CoinWiring(board)
    counted = knobs.lines.union(board.lines.filter { $0.debounce == .zero }.map(\.name))
    lamp = board.lines.first { $0.role == .lamp }?.name
    amplifier = board.lines.first { $0.role == .ampMute }?.name
    for (index, line) in board.lines.enumerated() { numbers[line.name] = LineID(index) }
    for (index, reader) in board.readers.enumerated() { readers[reader.name] = ReaderID(index) }
    for setup in board.ports where setup.output.isWireless {
      if case .line(let name) = setup.output.sense { headsets[setup.output.port] = name }
    }
    edges.reserveCapacity(64)
  }

  /// Empty while the lines are not read because they chatter.
  var pollDescriptors: [PollDescriptor] { pace.restsUntil == nil ? lines.pollDescriptors : [] }

  /// The first failure that no retry will change.
  var failure: LineError? { inputFailure ?? outputs.failure }

  /// When to call `takeEdges` and `noteHandled` although no descriptor is ready; nil if that is not needed.
  var nextLook: Instant? { [pace.restsUntil, lines.nextLook, outputs.nextRetry].compactMap { $0 }.min() }

  /// The lines that are asserted now.
  func asserted() -> Set<LineID> {
    var asserted: Set<LineID> = []
    // If they cannot be read, nobody knows where the knobs stand.
    positions = [:]
    keep { () throws(LineError) in
      positions = try lines.levels()
      for (name, level) in positions where level {
        if let line = numbers[name] { asserted.insert(line) }
      }
    }
    return asserted
  }

  /// Where the knobs stand, by the levels that `asserted` has read at `now`.
  func knobPositions(at now: Instant) -> [Input] { knobs.positions(positions, at: now) }

  /// Returns the volumes that headsets have reported since the last call, the edges in order, and then the turns
  /// of axes, the keys that were typed and what lies on readers; of lines that chatter, only the edges that matter.
  func takeEdges() -> [Input] {
    edges.removeAll(keepingCapacity: true)
    keep { () throws(LineError) in try lines.readEdges(into: &edges) }
    turns = lines.takeTurns()
    let moves = knobs.inputs(of: pace.thinned(edges, except: counted)) { edge in
      if coins.lines.contains(edge.line) { return nil }
      return numbers[edge.line].map { Input.edge($0, asserted: edge.asserted, at: edge.at) }
    }
    // A headset's volume first: it is set before the first frame (B6).
    let volumes = lines.takeVolumes().flatMap { volume in
      headsets.filter { $0.value == volume.line }.map { Input.headsetVolume($0.key, level: volume.level) }
    }
    return volumes + moves + coins.inputs(of: edges) + knobs.inputs(of: turns)
      + lines.takeKeys().compactMap { typed in readers[typed.reader].map { .typed($0, typed.key) } }
      + lines.takeCards().compactMap { card in readers[card.reader].map { .card($0, token: card.token, at: card.at) } }
  }

  func noteSounding(_ isSounding: Bool) { lines.noteSounding(isSounding) }

  /// Call it when what `takeEdges` has returned is handled, before the thread waits for more.
  func noteHandled(at now: Instant) {
    pace.note(edges.count + turns.count, at: now)
    outputs.retry(at: now)
  }

  /// Returns the messages for the operator since the last call.
  func takeNotices() -> [String] { lines.takeNotices() + outputs.takeNotices() }

  /// Returns the number of edges that the kernel had no room for since the last call.
  func takeLostEdges() -> Int { lines.takeLostEdges() }

  func light(_ isLit: Bool) { drive(lamp, asserted: isLit) }

  func muteAmplifier(_ isMuted: Bool) { drive(amplifier, asserted: isMuted) }

  func setVolume(of port: Port, to level: Int) {
    if let line = headsets[port] { lines.setVolume(of: line, to: level) }
  }

  /// What could not be driven is tried once more: an amplifier is left muted.
  func close() {
    outputs.driveAgain(urgent: amplifier)
    lines.close()
  }

  func drive(_ line: String?, asserted: Bool) {
    if let line { outputs.drive(line, asserted: asserted) }
  }

  private func keep(_ body: () throws(LineError) -> Void) {
    do throws(LineError) {
      try body()
    } catch {
      inputFailure = inputFailure ?? error
    }
  }
}
