import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

@Suite struct VolumeControlTests {
  private var control: VolumeControl { VolumeControl(ports: Kiosk.allPorts, start: 60) }

  @Test("R13: every port has its own volume, never above its ceiling")
  func perPort() {
    var control = control
    #expect(control.volume(of: .headphones) == 60)
    #expect(control.volume(of: .speaker) == 50)
    #expect(control.set(70, for: .headphones) == (60, 70))
    #expect(control.set(90, for: .headphones) == (70, 80))
    #expect(control.set(-5, for: .speaker) == (50, 0))
    #expect(control.volume(of: .headphones) == 80)
    #expect(control.volume(of: .lineOut) == 60)
    #expect(control.chosen == [.headphones: 80, .speaker: 0])
  }

  @Test("W1: what was saved is clamped and only known ports are restored")
  func restores() {
    var control = control
    control.restore([.headphones: 1_000, .lineOut: -3, .usb: 20])
    #expect(control.chosen == [.headphones: 80, .lineOut: 0])
  }

  @Test("V2: a port that is reset has its start volume, whoever had set it")
  func resets() {
    var control = control
    _ = control.set(10, for: .headphones)
    #expect(control.reset(.headphones) == (10, 60))
    #expect(control.reset(.headphones) == (60, 60))
    #expect(control.volume(of: .headphones) == 60)
    #expect(control.chosen.isEmpty)
  }
}
