import AudioSession
import Board
import RealtimeAudio

@testable import AudioEngine

/// Everything in a world that decides its future, in few bytes: the timeline relative to the cursor, rings relative to
/// the last decoded frame, time relative to now. Values too far back to matter are all the same.
struct MachineKey {
  private(set) var bytes: [UInt8] = []

  /// Further back than a device can rewind and a ring keeps.
  private static let past = -10

  init(_ world: MachineWorld, _ setup: MachineSetup) {
    bytes.reserveCapacity(160)
    let machine = world.machine
    add(machine, world)
    add(machine.state, world)
    add(call: world.call, world)
    for name in OutputMachine.both {
      add(machine[name], world[decoder: name], machine)
      add(world[decoder: name], machine[name].load)
      let hasHistory = !setup.edges.isEmpty || !setup.pauseCueEdges.isEmpty
      add(world[history: name], world[decoder: name].written, machine[name].load, hasHistory: hasHistory)
    }
    add(machine.music.gains.duck.steady() - machine.cursor)
    if let device = world.device {
      add(device, world)
    } else {
      add(99)
    }
    let history = world.history
    add(history.silences, history.cuePauses, history.rate / 100, history.began, history.refusals, history.futileStarts)
    add(
      history.wantsRelease, history.wantsMusic, history.hasFailed, history.isExplained, history.isLost, world.isPosted,
      history.isVacated, history.wasRefused, history.hasOverslept
    )
    add(world.sleeping.contains(.music), world.sleeping.contains(.cue))
    add(world.commandsNow)
    for command in world.ring { add(command, world) }
  }

  mutating func add(_ values: Int...) {
    for value in values { bytes.append(UInt8(truncatingIfNeeded: max(Self.past, min(110, value)))) }
  }

  /// Eight flags make a byte.
  private mutating func add(_ flags: Bool...) {
    for start in stride(from: 0, to: flags.count, by: 8) {
      let byte = flags[start..<min(start + 8, flags.count)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
      bytes.append(byte)
    }
  }

  mutating func add(time: Instant, _ world: MachineWorld) {
    add(Int((time.nanoseconds - world.instant.nanoseconds).clamped) / 1_000_000)
  }

  private mutating func add(_ machine: OutputMachine, _ world: MachineWorld) {
    add(
      machine.rate / 100, machine.output ?? -1, machine.futileStarts, machine.refusals,
      machine.pendingRoute.map { $0.output ?? -1 } ?? -2)
    if let ahead = machine.ahead {
      add(81, ahead.output, world.isAheadOpen ? 1 : 0)
      add(time: ahead.by, world)
    }
    if let openBy = machine.openBy {
      add(82)
      add(time: openBy, world)
    }
    if let late = machine.late {
      add(83, late.output)
      add(time: late.until, world)
    }
    add(world.ahead ?? -1, world.late ?? -1)
    add(machine.wantsRelease, machine.isReleased, machine.hasCue, machine.isCueReported, machine.isRevived)
    add(machine.progress.isOn, machine.progress.isUnpaced, machine.isAsked, machine.awaited != nil)
    if let awaited = machine.awaited {
      add(awaited.state, world)
      add(time: awaited.by, world)
    }
    switch world.asked {
    case nil: break
    case .opening(let index)?: add(60 + index)
    case .recovering?: add(70)
    }
    if let device = machine.device {
      add(device.format.bufferFrames, device.takesBack ? 1 : 0)
    } else {
      add(-1)
    }
    for margin in machine.margins {
      add(Int(margin.length.wholeNanoseconds) / 1_000_000)
      // The least margin does not shrink, and any other does once it was quiet for long enough.
      let oldest = world.instant - machine.timing.quiet
      if margin.length > machine.timing.leastMargin { add(time: max(margin.changedAt, oldest), world) }
    }
    add(machine.progress.isFilled)
    if machine.progress.isOn {
      add(machine.progress.start - machine.cursor, machine.progress.heard - machine.cursor, machine.progress.latency)
      add(time: machine.progress.at, world)
      if !machine.setup.stalls.isEmpty {
        add(machine.progress.unwritten - machine.cursor, machine.progress.mostLatency)
        add(time: machine.progress.acceptedAt, world)
      }
    }
    if let held = machine.held { add(held, world) } else { add(77) }
  }

  private mutating func add(_ voice: MixVoice, _ decoder: ModelDecoder, _ machine: OutputMachine) {
    let base = decoder.written
    add(voice.isAwaitingStream, voice.isForgotten, voice.early != nil, voice.startBy != nil, voice.awaitsSilence)
    add(voice.decoded - base, decoder.load - voice.load)
    if let startBy = voice.startBy { add(Int((startBy.nanoseconds - machine.now.nanoseconds).clamped) / 1_000_000) }
    if let early = voice.early { add(early.load - voice.load, early.index - base) }
    switch voice.state {
    case .silent, .priming: add(voice.isPriming ? 1 : 0, voice.place - base)
    case .sounding: add(2)
    case .fading(let fade):
      add(fade.goesOn ? 4 : 3, fade.last - machine.cursor, fade.resume - base)
      add(Int((fade.end.nanoseconds - machine.now.nanoseconds).clamped) / 1_000_000)
    }
    if voice.isOn {
      add(voice.passage.start - machine.cursor, voice.passage.index(at: machine.cursor) - base)
      let ramp = voice.gains.fade
      add(ramp.steady() - machine.cursor, Int(ramp.gain(at: ramp.steady())) >> 9)
      if ramp.steady() - machine.cursor > Self.past { add(Int(ramp.gain(at: ramp.steady() - 2)) >> 9) }
    }
    add(voice.boundaries.reported)
    for boundary in voice.boundaries.entries { add(boundary, base) }
    add(66)
  }

  private mutating func add(_ boundary: TrackBoundary, _ base: Int) {
    add(boundary.index - base, boundary.isEnd ? 2 : boundary.frame == 0 ? 1 : 0)
  }

  private mutating func add(_ decoder: ModelDecoder, _ load: Int) {
    switch decoder.phase {
    case .idle: add(0)
    case .opening(let track, _, let left): add(1, track, left)
    case .writing(let track, let left): add(2, track, left)
    case .ending: add(3)
    }
    add(decoder.released - decoder.written)
    for extent in decoder.extents {
      add(extent.load - load, extent.behind - decoder.written)
      add(extent.first.map { $0 - decoder.written } ?? 99, extent.end.map { $0 - decoder.written } ?? 99)
      for start in extent.starts { add(start - decoder.written) }
    }
    for boundary in decoder.boundaries { add(boundary, decoder.written); add(boundary.load - load) }
    add(decoder.wantsFrames)
  }

  private mutating func add(_ history: VoiceHistory, _ base: Int, _ load: Int, hasHistory: Bool) {
    add(history.isFresh, history.moves, history.mayClick, history.isOver, history.pin != nil, history.last != nil)
    add(history.last == nil ? 0 : history.load - load, Int(history.gain) >> 9)
    guard !history.isFresh else { return }
    add(history.low - base)
    if let pin = history.pin { add(pin - base) }
    if hasHistory { for then in history.recentLows { add(then - base) } }
  }

  private mutating func add(_ device: ModelDevice, _ world: MachineWorld) {
    let state =
      switch device.state {
      case .prepared: 0
      case .running: 1
      case .underrun: 2
      case .suspended: 3
      case .disconnected: 4
      }
    add(device.number, device.format.bufferFrames, state, device.hasMoved ? 1 : 0, device.deadFor)
    if device.isLinkSilent { add(100, device.silentFor) }
    if device.step > 0 { add(device.unreported) }
    if device.latency > 0 { add(device.onWay) }
    for sound in device.queue {
      for (part, base) in [(sound.music, world.music.written), (sound.cue, world.cue.written)] {
        add(part.map { $0.index - base } ?? 99, Int(part?.gain ?? 0) >> 9)
      }
    }
    add(55)
  }
}

extension Int64 {
  /// Clamped so that sums cannot overflow.
  var clamped: Int64 { Swift.max(-1_000_000_000, Swift.min(1_000_000_000, self)) }
}
