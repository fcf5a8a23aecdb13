import AudioSession
import Testing

@testable import Jukebox

@Suite struct PlaybackLogTests {
  private static let loss = RouteLoss(
    hold: Hold(since: .powerOn, frame: 1), from: .headphones)

  /// A log that has logged a start by the operator.
  private func playing() -> PlaybackLog {
    var log = PlaybackLog()
    #expect(log.takeLine(for: .playing, isHeard: true, after: .asked(.user, isStart: true)) == .started(.user))
    return log
  }

  @Test("K5: what the log already has is not logged again")
  func nothingNew() {
    var log = playing()
    #expect(log.takeLine(for: .playing, isHeard: true, after: nil) == nil)
    #expect(log.takeLine(for: .playing, isHeard: true, after: .freed(.interruptionEnded)) == nil)
    #expect(log.takeLine(for: .held, isHeard: false, after: .paused(.interruption)) == .paused(.interruption))
    #expect(log.takeLine(for: .held, isHeard: false, after: .paused(.output)) == nil)
    #expect(log.takeLine(for: .playing, isHeard: true, after: .freed(.outputRestored)) == .resumed(.outputRestored))
  }

  @Test("K5: contact bounce is no pause")
  func bounce() {
    var log = playing()
    #expect(log.takeLine(for: .doubtful, isHeard: false, after: nil) == nil)
    #expect(log.takeLine(for: .playing, isHeard: true, after: nil) == nil)
  }

  @Test("K5: a start that is held back is logged once it is heard, with its own cause, however often it is asked for")
  func heldStart() {
    var log = PlaybackLog()
    #expect(log.takeLine(for: .held, isHeard: false, after: .asked(.user, isStart: true)) == nil)
    #expect(log.takeLine(for: .held, isHeard: false, after: .asked(.user, isStart: false)) == nil)
    #expect(log.takeLine(for: .playing, isHeard: true, after: .freed(.routeConnected)) == .started(.user))
  }

  @Test("K5: what never began has no line when its port is lost, but one when it is paused")
  func neverBegan() {
    var log = PlaybackLog()
    #expect(log.takeLine(for: .held, isHeard: false, after: .asked(.user, isStart: true)) == nil)
    #expect(log.takeLine(for: .unplugged, isHeard: false, after: .paused(.unplugged(Self.loss))) == nil)
    #expect(log.takeLine(for: .paused, isHeard: false, after: .paused(.user)) == .paused(.user))
    #expect(log.takeLine(for: .playing, isHeard: true, after: .asked(.user, isStart: false)) == .started(.user))
  }

  @Test("I7: what is held already and loses its port, too, has a line for that")
  func unplugged() {
    var log = playing()
    #expect(log.takeLine(for: .held, isHeard: false, after: .paused(.interruption)) == .paused(.interruption))
    let line = log.takeLine(for: .unplugged, isHeard: false, after: .paused(.unplugged(Self.loss)))
    #expect(line == .paused(.unplugged(Self.loss)))
    #expect(log.takeLine(for: .unplugged, isHeard: false, after: .freed(.interruptionEnded)) == nil)
  }

  @Test("I3: an interruption that begins when another one has ended for good pauses nothing")
  func endedForGood() {
    var log = playing()
    #expect(log.takeLine(for: .held, isHeard: false, after: .paused(.interruption)) == .paused(.interruption))
    #expect(log.takeLine(for: .paused, isHeard: false, after: .paused(.interruption)) == nil)
    #expect(log.takeLine(for: .stopped, isHeard: false, after: .stopped(.user)) == .stopped(.user))
    #expect(log.takeLine(for: .playing, isHeard: true, after: .asked(.user, isStart: true)) == .started(.user))
  }
}
