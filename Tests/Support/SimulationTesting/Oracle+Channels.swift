import AudioSession
import Jukebox
import Simulator

/// What the sides of the ports play of the channels (M rows).
extension Oracle {
  /// The log says that the channels of a port change: what is in its card, and the change itself, is heard before them.
  func applyChannels(_ event: Event) {
    demand(channelCommands.check(event))
    guard let port = port(event, "port"), let channels = channelCommands.current[port] else { return }
    let settled = settledFrame(port)
    probes[port]?.channels.set(channels, settledAt: settled)
  }

  private func settledFrame(_ port: Port) -> Int {
    (now + .milliseconds(100) + delay(of: port)).frame(rate: kiosk.board.rate)
  }

  func noteChannels(_ event: Event) {
    switch event.name {
    case .playbackPaused, .playbackStopped:
      let frame = now.frame(rate: kiosk.board.rate)
      for port in probes.keys { probes[port]?.channels.noteEnd(at: frame) }
    case .playbackStarted, .playbackResumed:
      for port in probes.keys {
        let settled = settledFrame(port)
        probes[port]?.channels.noteStart(settledAt: settled)
      }
    default: break
    }
  }

  /// At power on each port plays what the board file says.
  func resetChannels() {
    channelCommands.powerOn()
    for port in probes.keys { probes[port]?.channels = ChannelModel() }
  }

  /// M1 to M3: where music is steady, both sides have what the frame of the status has on its channels.
  /// - Parameter level: of the left channel, as it is to be heard.
  func checkSides(_ probe: OutputProbe, _ status: Status, level: Double, on port: Port) {
    let isCertain = status.cue == nil && now > levelSince + .seconds(3) && !mayRunDry
    guard level >= 100, isCertain, probe.channels.isSettled(at: probe.position - OutputProbe.tailFrames) else { return }
    for back in [1, 41, 81] {
      let (left, right) = probe.tail[OutputProbe.tailFrames - back]
      let share = level / Double(TestMusic.level)
      let expected = probe.channels.sides(
        left: level, right: Double(TestMusic.right(at: status.frame - back)) * share)
      // As where both are told apart: of a frame or two, and of the steps of the position (P15).
      let tolerance = Double(2 + probe.card.positionStep.frames(rate: kiosk.board.rate)) * 120 * share + 3 + level / 50
      let isRight = abs(Double(left) - expected.left) <= tolerance && abs(Double(right) - expected.right) <= tolerance
      demand(
        isRight, "M1",
        "\(port.rawValue): the sides play \(left) and \(right), expected \(Int(expected.left)) and \(Int(expected.right))"
      )
    }
  }
}
