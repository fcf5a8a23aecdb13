import AudioSession
import Jukebox
import Testing

@testable import Driver
@testable import KioskTestSupport

/// The mute line of the amplifier, in virtual time.
@Suite struct AmplifierTests {
  private func stage(settle: Duration = .zero, serves: Port? = nil) -> ScenarioSetup {
    var stage = ScenarioSetup()
    for index in stage.board.lines.indices where stage.board.lines[index].role == .ampMute {
      stage.board.lines[index].settle = settle
      stage.board.lines[index].serves = serves
    }
    return stage
  }

  @Test("P2: without a settling time a switch of the route leaves the amplifier open")
  func plain() throws {
    let played = try stage().play(
      """
      at 1s     press play
      at 2s     expect amplifier open
      at 2s     plug headphones
      after 30ms expect amplifier open route headphones
      after 1s  expect amplifier open
      """)
    #expect(played.outcome.failures == [])
  }

  @Test("with one, it is muted from the switch on for that long")
  func settles() throws {
    let played = try stage(settle: .milliseconds(50)).play(
      """
      at 1s      press play
      at 2s      expect amplifier open
      at 2s      plug headphones
      after 29ms expect amplifier open route speaker
      after 1ms  expect amplifier muted route headphones
      after 49ms expect amplifier muted sound headphones
      after 1ms  expect amplifier open
      after 1s   press stop
      after 50ms expect amplifier muted
      after 1s   unplug headphones
      after 30ms expect amplifier muted
      after 1s   press play
      after 50ms expect amplifier open sound speaker
      """)
    #expect(played.outcome.failures == [])
  }

  @Test("I11: it is muted before the output is released, and while it is opened again")
  func reopens() throws {
    var stage = stage(settle: .milliseconds(50))
    stage.settings.interruptionPolicy = .recreate
    let played = try stage.play(
      """
      at 1s      press play
      at 2s      interrupt begin page
      after 20ms expect amplifier muted
      at 3s      interrupt end page resume
      after 49ms expect amplifier muted
      after 1ms  expect amplifier open state playing
      """)
    #expect(played.outcome.failures == [])
  }

  @Test("one that serves the speaker is muted while the sound goes elsewhere, and serves a multi-route")
  func serves() throws {
    let played = try stage(serves: .speaker).play(
      """
      at 1s      press play
      at 2s      expect amplifier open sound speaker
      at 2s      plug headphones
      after 80ms expect amplifier muted sound headphones
      at 3s      unplug headphones
      after 1s   expect amplifier muted prompt on route speaker
      after 1ms  press play
      after 50ms expect amplifier open sound speaker
      """)
    #expect(played.outcome.failures == [])
  }

  @Test("in a multi-route it is open when its port is any of them")
  func others() {
    var amplifier = Amplifier(stage(serves: .speaker).board)
    amplifier.prepare(for: .route(.headphones, volume: 1), at: .powerOn)
    amplifier.mute(false, at: .powerOn)
    #expect(amplifier.isMuted)
    amplifier.prepare(for: .others([.speaker: 1]), at: .powerOn)
    #expect(!amplifier.isMuted)
    amplifier.prepare(for: .others([:]), at: .powerOn)
    #expect(amplifier.isMuted)
  }
}
