import Jukebox
import Testing

@testable import KioskTestSupport

/// Events between the first edge of a contact and the moment it counts.
@Suite struct DebounceWindowTests {
  let stage = ScenarioSetup()

  @Test("R3, P1: a public port that takes over while the plug is on its way out gets no sound")
  func publicPortTakesOver() throws {
    var stage = stage
    stage.board.ports[1].output.priority = 40
    stage.board.ports[1].output.isPrivate = false
    let played = try stage.play(
      """
      at 0s plug headphones
      at 1s press play
      at 4.99s plug dock
      at 5s unplug headphones
      at 5.5s expect silence dock silence headphones state paused hold route-lost prompt on route dock
      at 6s press play
      at 6.5s expect sound dock
      at 7s end
      """)
    #expect(played.outcome.failures == [])
    #expect(played.events("playback.paused").count == 1)
  }

  @Test("R3, R8: a route forced while the plug is on its way out pauses all the same")
  func forcedMeanwhile() throws {
    let played = try stage.play(
      """
      at 0s plug headphones
      at 1s press play
      at 5s unplug headphones
      at 5.01s route speaker
      at 5.5s expect silence speaker silence headphones state paused hold route-lost prompt on
      at 6s end
      """)
    #expect(played.outcome.failures == [])
  }

  @Test("R3, P1, P3: a skip while the plug is on its way out moves the track, and the loss is a loss all the same")
  func skipMeanwhile() throws {
    let played = try stage.play(
      """
      at 0s plug headphones
      at 1s press play
      at 5s unplug headphones
      at 5.01s console "next"
      at 5.5s expect state paused hold route-lost prompt on track 2 silence headphones silence speaker
      at 7s plug headphones
      at 7.5s expect sound headphones state playing track 2 prompt off event playback.resumed frame=0
      at 9s end
      """)
    #expect(played.outcome.failures == [])
    #expect(played.events("playback.paused").first?.hasSuffix("frame=0") == true)
  }

  @Test("R5, K5: a start that bounce held back is logged when it is heard")
  func startsLate() throws {
    let played = try stage.play(
      """
      at 0s plug headphones
      at 5s line JACK_SENSE 0
      at 5.01s console "play"
      at 5.02s line JACK_SENSE 1
      at 6s expect state playing sound headphones event playback.started cause=user
      at 7s console "play"
      at 7.1s expect state paused event playback.paused
      at 8s line JACK_SENSE 0
      at 8.01s console "play"
      at 8.02s line JACK_SENSE 1
      at 9s expect state playing event playback.resumed cause=user
      at 10s end
      """)
    #expect(played.outcome.failures == [])
  }

  @Test("a newer movement of a contact ends its older bounce")
  func newerMovement() throws {
    let played = try stage.play(
      """
      at 1s plug headphones bounce 50ms
      at 1.01s unplug headphones
      at 2s expect route speaker
      at 3s plug headphones
      at 4s unplug headphones bounce 50ms
      at 4.01s line JACK_SENSE 1
      at 5s expect route headphones
      at 6s end
      """)
    #expect(played.outcome.failures == [])
  }
}
