import AudioSession
import Board

@testable import AudioEngine

/// A machine with a device that may return anything, decoders that are late, a sender of commands, and a model of the
/// listener. Between two choices everything is determined.
struct MachineWorld {
  /// What may happen next: at a wait, or as the result of a call.
  enum Choice: Hashable {
    /// A millisecond passes.
    case tick
    /// A millisecond passes, and the thread is not woken although it is due.
    case oversleep
    /// The engine is woken, for a command or for nothing.
    case wake
    case decode(MixVoice.Name)
    /// A load is sent to the decoder, and not yet to the engine.
    case post
    case mishap(PCMStatus.State)
    case linkFails
    case result(OutputMachine.CallResult)
    /// The device starts and stops at once.
    case dies
    case command(EngineCommand)
    case load
    case speak
    case silence(edge: Int64)
    case pauseCue(edge: Int64)
    /// A command with an edge comes at a wait, after one that waits for the end of a fade.
    case queue(EngineCommand)
    /// Frames come before the decoder sees that they are waited for.
    case race(MixVoice.Name)
  }

  enum Asked: Hashable {
    case opening(Int)
    case recovering
  }

  var machine: OutputMachine
  var call: OutputMachine.Call
  var device: ModelDevice?
  /// What the device has not answered yet.
  var asked: Asked?
  /// The output whose device is being opened while another one plays, and whether it has answered.
  var ahead: Int?
  var isAheadOpen = false
  /// The output that was left while its device was being opened, and may be open by now.
  var late: Int?
  var now = 10
  var music: ModelDecoder
  var cue: ModelDecoder
  /// Decoders that have nothing to do until they are woken.
  var sleeping: Set<MixVoice.Name> = []
  var isPosted = false
  /// The command that came after one that waits; all others are chosen when they are taken.
  var ring: [EngineCommand] = []
  var commandsNow = 0
  var callsNow = 0
  var waits = 0
  var musicHistory = VoiceHistory()
  var cueHistory = VoiceHistory()
  var history = MachineHistory()
  var violations: [String] = []

  init(_ setup: MachineSetup) {
    machine = OutputMachine(setup.machine)
    music = ModelDecoder(capacity: setup.machine.musicCapacity)
    cue = ModelDecoder(capacity: setup.machine.cueCapacity)
    call = .wait(.signal)
  }

  var instant: Instant { .powerOn + .milliseconds(now) }

  subscript(decoder name: MixVoice.Name) -> ModelDecoder {
    get { name == .music ? music : cue }
    set { if name == .music { music = newValue } else { cue = newValue } }
  }

  subscript(history name: MixVoice.Name) -> VoiceHistory {
    get { name == .music ? musicHistory : cueHistory }
    set { if name == .music { musicHistory = newValue } else { cueHistory = newValue } }
  }

  mutating func demand(_ isTrue: Bool, _ violation: @autoclosure () -> String) {
    if !isTrue { violations.append(violation()) }
  }

  // MARK: - Choices

  func choices(_ setup: MachineSetup) -> [Choice] {
    switch call {
    case .wait(let wait): return waitChoices(wait, setup)
    case .takeCommand: return ring.first.map { [.result(.command($0))] } ?? commandChoices(setup)
    case .seekEdges: return [.result(.edges(edges))]
    case .takeBoundary(let name): return [.result(.boundary(self[decoder: name].boundaries.first))]
    case .ask(let name):
      return setup.isLate && couldDecode(name) ? [.result(.done), .race(name)] : [.result(.done)]
    case .open: return openChoices(setup) + pending(setup)
    case .answer:
      let answers = asked == .recovering ? [.result(.done)] + failure(.recover, setup) : openChoices(setup)
      return answers + pending(setup)
    case .close, .closeAhead: return [.result(.done)]
    case .openAhead: return [.result(.done)] + (ahead != nil && isAheadOpen ? [] : pending(setup))
    case .status: return statusChoices(setup) + failure(.status, setup)
    case .rewind(let frames, _): return rewindChoices(frames, setup)
    case .write(let frames): return writeChoices(frames, setup) + failure(.write, setup)
    case .stop: return [.result(.done)] + failure(.stop, setup)
    case .start: return [.result(.done)] + (setup.dies ? [.dies] : []) + failure(.start, setup)
    case .recover: return [.result(.done)] + failure(.recover, setup) + pending(setup)
    }
  }

  func couldDecode(_ name: MixVoice.Name) -> Bool { self[decoder: name].isBusy && !sleeping.contains(name) }

  private func failure(_ operation: PCMError.Operation, _ setup: MachineSetup) -> [Choice] {
    setup.failing.contains(operation) ? [.result(.failed)] : []
  }

  private func pending(_ setup: MachineSetup) -> [Choice] { setup.isSlow ? [.result(.pending)] : [] }

  private func waitChoices(_ wait: EngineWait, _ setup: MachineSetup) -> [Choice] {
    let decoders = OutputMachine.both.filter { couldDecode($0) }.map { Choice.decode($0) }
    if !setup.isLate, let first = decoders.first { return [first] }
    var choices = decoders
    if wait != .signal { choices.append(.tick) }
    if setup.oversleeps, device?.state == .running, let due = wait.due, due <= instant + .milliseconds(1) {
      choices.append(.oversleep)
    }
    if !setup.commands.isEmpty || device != nil { choices.append(.wake) }
    if machine.held != nil && ring.isEmpty { choices += edgeChoices(setup) }
    if setup.posts && !isPosted { choices.append(.post) }
    if setup.stalls, let device, device.state == .running, !device.isLinkSilent { choices.append(.linkFails) }
    if let device, device.state == .running || device.state == .prepared {
      choices += setup.mishaps.filter { $0 != .underrun || device.state == .running }.map { .mishap($0) }
    }
    return choices
  }

  private func commandChoices(_ setup: MachineSetup) -> [Choice] {
    var choices = [Choice.result(.command(nil))]
    guard commandsNow < setup.maxCommands else { return choices }
    choices += setup.commands.map { .command($0) }
    choices += setup.edges.map { .silence(edge: $0) } + setup.pauseCueEdges.map { .pauseCue(edge: $0) }
    if setup.loads { choices.append(.load) }
    if setup.speaks { choices.append(.speak) }
    return choices
  }

  /// The edges in the ring.
  var edges: OutputMachine.Edges {
    var edges = OutputMachine.Edges()
    for command in ring { edges.note(command) }
    return edges
  }

  private func edgeChoices(_ setup: MachineSetup) -> [Choice] {
    setup.edges.map { .queue(.silence(edge: moment(of: $0))) }
      + setup.pauseCueEdges.map { .queue(.pauseCue(edge: moment(of: $0))) }
  }

  private func openChoices(_ setup: MachineSetup) -> [Choice] {
    let devices = setup.formats.map {
      OutputMachine.Device(
        format: $0, margin: setup.margin, cardClass: setup.cardClass, polls: setup.polls)
    }
    return devices.map { .result(.opened($0)) } + failure(.open, setup)
  }

  private func statusChoices(_ setup: MachineSetup) -> [Choice] {
    guard let device else { return [.result(.failed)] }
    let isOut = device.state != .running && device.state != .prepared
    let held = device.state == .running ? device.reported : device.queue.count
    let queued = isOut && setup.forgets ? 0 : max(0, held - device.silentFor)
    let uncertainty = device.state == .running ? device.unreported : 0
    var choices = [
      Choice.result(.status(PCMStatus(state: device.state, queued: queued, uncertainty: uncertainty, at: instant)))
    ]
    if setup.hasOldStamps && device.state == .running && device.hasMoved {
      let old = PCMStatus(
        state: .running, queued: queued + device.format.rate / MachineSetup.rate, at: instant - .milliseconds(1))
      choices.append(.result(.status(old)))
    }
    if let known = stepped(device, queued) { choices.append(.result(.status(known))) }
    return choices
  }

  /// The status of a device between two steps of its position, where it is known how far it has come.
  private func stepped(_ device: ModelDevice, _ queued: Int) -> PCMStatus? {
    guard device.state == .running, device.unreported > 0, queued >= device.unreported else { return nil }
    return PCMStatus(state: .running, queued: queued - device.unreported, lag: device.unreported, at: instant)
  }

  private func rewindChoices(_ frames: Int, _ setup: MachineSetup) -> [Choice] {
    guard let device, device.state == .running || device.state == .prepared else { return [.result(.count(0))] }
    if setup.refuses { return [.result(.refused)] }
    let most = min(frames, device.loose)
    var counts: [Int] = []
    for count in setup.rewinds.map({ min($0, most) }) where !counts.contains(count) { counts.append(count) }
    return counts.map { .result(.count($0)) }
  }

  private func writeChoices(_ frames: Int, _ setup: MachineSetup) -> [Choice] {
    let most = min(frames, device?.room ?? 0)
    var counts = [most]
    if setup.takesLess { for count in [1, 0] where count < most { counts.append(count) } }
    return counts.map { .result(.count($0)) }
  }
}

extension EngineWait {
  var due: Instant? {
    switch self {
    case .signal: nil
    case .until(let due), .device(let due): due
    }
  }
}
