import AudioSession
import Board

@testable import AudioEngine

/// The part of the key for the machine's state and its pending call.
extension MachineKey {
  mutating func add(_ status: PCMStatus, _ world: MachineWorld) {
    add(status.state == .running ? 1 : 0, status.queued)
    add(time: status.at, world)
  }

  mutating func add(_ state: OutputMachine.MachineState, _ world: MachineWorld) {
    func number(_ name: MixVoice.Name?) -> Int { name == .music ? 1 : name == .cue ? 2 : 0 }
    switch state {
    case .waiting: add(0)
    case .asking(let name): add(1, number(name))
    case .gathering(let name): add(2, number(name))
    case .commanding(let status):
      add(3)
      if let status { add(status, world) }
    case .hastening(let status):
      add(43)
      add(status, world)
    case .preparing(let status):
      add(44)
      add(status, world)
    case .abandoning(let command, let status):
      add(45)
      add(command, world)
      add(status, world)
    case .closing(let closing):
      switch closing {
      case .release: add(4)
      case .switching: add(5)
      case .leaving(let route): add(6, route.output ?? -1)
      case .revival(let revival): add(7, revival.former.bufferFrames, revival.wasPlaying ? 1 : 0)
      case .loss: add(8)
      case .forgetting: add(46)
      }
    case .opening(let opening):
      switch opening {
      case .route: add(9)
      case .reopen: add(10)
      case .revival(let revival): add(11, revival.former.bufferFrames, revival.wasPlaying ? 1 : 0)
      }
    case .filling(let filling):
      let purpose =
        switch filling.purpose {
        case .start: 0
        case .fade: 1
        case .keep: 2
        case .prove: 3
        }
      add(12, purpose, filling.room, filling.isFull ? 1 : 0)
    case .starting: add(13)
    case .started: add(14)
    case .refused: add(15)
    case .emptying: add(16)
    case .looking: add(17)
    case .ending(let ending):
      add(18, ending.heard - world.machine.cursor, ending.isMusicOver ? 1 : 0, ending.isCueOver ? 1 : 0)
    case .recovering(let isUnderrun): add(19, isUnderrun ? 1 : 0)
    case .joining(let name, let status):
      add(20, number(name))
      add(status, world)
    case .changing(let command):
      add(21)
      add(command, world)
    case .fading(let fading): add(22, fading, world)
    case .cutting(let ending):
      add(23, ending.heard - world.machine.cursor, ending.isMusicOver ? 1 : 0, ending.isCueOver ? 1 : 0)
    case .stopping: add(24)
    case .starving(let name, let hasCome): add(26, number(name), hasCome ? 1 : 0)
    case .resting(let isFull): add(27, isFull ? 1 : 0)
    }
  }

  private mutating func add(_ code: Int, _ fading: OutputMachine.Fading, _ world: MachineWorld) {
    add(code, fading.voice == nil ? 0 : fading.voice == .music ? 1 : 2)
    add(fading.heard - world.machine.cursor, fading.isDated ? 1 : 0)
    add(fading.status, world)
  }

  mutating func add(call: OutputMachine.Call, _ world: MachineWorld) {
    switch call {
    case .wait(.signal): add(0)
    case .wait(.until(let due)):
      add(1)
      add(time: due, world)
    case .wait(.device(let due)):
      add(2)
      add(time: due, world)
    case .rewind(let frames, let isUrgent): add(isUrgent ? 6 : 3, frames)
    case .write(let frames): add(4, frames)
    case .takeCommand, .seekEdges, .takeBoundary, .ask, .open, .answer, .close, .openAhead, .closeAhead, .status, .stop,
      .start, .recover:
      add(5)
    }
  }

  private func age(of edge: Instant?, _ world: MachineWorld) -> Int {
    edge.map { Int(($0.nanoseconds - world.instant.nanoseconds).clamped) / 1_000_000 } ?? -9
  }

  mutating func add(_ command: EngineCommand, _ world: MachineWorld) {
    switch command {
    case .load(_, let number, _): add(1, number - world.machine.music.load)
    case .play: add(2)
    case .silence(let edge): add(3, age(of: edge, world))
    case .route(let index, _): add(4, index ?? -1)
    case .gain: add(5)
    case .reopen: add(6)
    case .release: add(7)
    case .duck: add(8)
    case .speak(_, let number, _): add(9, number - world.machine.cue.load)
    case .pauseCue(let edge): add(10, age(of: edge, world))
    case .resumeCue: add(11)
    case .vacate(let index): add(12, index)
    case .channels(let index, _): add(13, index)
    }
  }
}
