import AudioSession
import Testing

@testable import Jukebox
@testable import JukeboxTestSupport

/// A headset with absolute volume, seen from the brain. Its line is called JACK here, its ceiling is 80.
@Suite struct HeadsetVolumeRows {
  private func kiosk() -> Kiosk {
    let headset = OutputPort(
      port: .bluetooth, sense: .line("JACK"), priority: 30, isPrivate: true, ceiling: 80, isWireless: true)
    return Kiosk(ports: [headset] + Kiosk.allPorts.dropFirst()) { $0.visitGap = .zero }
  }

  /// Playing to a headset that obeys, at volume 50.
  private func playing() -> Kiosk {
    let kiosk = kiosk()
    kiosk.feed(.headsetVolume(.bluetooth, level: 127))
    obey(kiosk)
    kiosk.plug("JACK")
    kiosk.type("play")
    kiosk.type("volume 50")
    obey(kiosk)
    kiosk.wait(.seconds(2))
    kiosk.forget()
    return kiosk
  }

  private func obey(_ kiosk: Kiosk) {
    if let level = kiosk.headsetLevels.last { kiosk.feed(.headsetVolume(.bluetooth, level: level)) }
  }

  private func turn(_ kiosk: Kiosk, to level: Int) { kiosk.feed(.headsetVolume(.bluetooth, level: level)) }

  @Test("B1, B6: a headset is asked for the port's volume before it is the route")
  func connects() {
    let kiosk = kiosk()
    kiosk.feed(.headsetVolume(.bluetooth, level: 127))
    #expect(kiosk.headsetLevels == [HeadsetVolume.level(of: 60)])
    // Until it has that, the samples are attenuated by the difference.
    kiosk.plug("JACK")
    #expect(kiosk.commands.contains(.route(.bluetooth, volume: 60)))
    obey(kiosk)
    #expect(kiosk.commands.last == .volume(100))
    #expect(kiosk.status.volume == 60)
    #expect(kiosk.headsetLevels.count == 1)
    #expect(kiosk.last(.volumeChanged) == nil)
  }

  @Test("B6: what a headset that has just come was left at is no wish of anybody, also where it says so late")
  func left() {
    let kiosk = kiosk()
    // What BlueZ has kept is what the port has.
    kiosk.feed(.headsetVolume(.bluetooth, level: HeadsetVolume.level(of: 60)))
    kiosk.plug("JACK")
    #expect(kiosk.headsetLevels == [])
    turn(kiosk, to: 20)
    #expect(kiosk.headsetLevels == [HeadsetVolume.level(of: 60)])
    obey(kiosk)
    #expect(kiosk.status.volume == 60 && kiosk.last(.volumeChanged) == nil)
    kiosk.wait(.seconds(3))
    turn(kiosk, to: 20)
    #expect(kiosk.status.volume == 16)
  }

  @Test("B6: the first 2 s of a headset end, whatever it is asked for in them")
  func arrival() {
    for late in [Duration.milliseconds(1_990), .milliseconds(2_010)] {
      let kiosk = kiosk()
      kiosk.feed(.headsetVolume(.bluetooth, level: HeadsetVolume.level(of: 60)))
      kiosk.plug("JACK")
      let plugged = kiosk.now
      kiosk.wait(late - (plugged - .powerOn))
      turn(kiosk, to: 20)
      #expect(kiosk.status.volume == (late < .seconds(2) ? 60 : 16))
      obey(kiosk)
      kiosk.wait(.milliseconds(500))
      turn(kiosk, to: 40)
      #expect(kiosk.status.volume == 32)
    }
  }

  @Test("B6: a volume set at the board is made by the headset, and its answer is no echo")
  func board() {
    let kiosk = playing()
    kiosk.type("volume 70")
    #expect(kiosk.headsetLevels == [88])
    obey(kiosk)
    kiosk.wait(.seconds(5))
    #expect(kiosk.headsetLevels == [88])
    #expect(kiosk.names(.volumeChanged).map { $0["volume"] } == ["70"])
    #expect(!kiosk.commands.contains { if case .volume = $0 { true } else { false } })
  }

  @Test("B6: a volume turned at the headset is the port's, logged, remembered, and not sent back")
  func turned() {
    let kiosk = playing()
    turn(kiosk, to: 80)
    #expect(kiosk.status.volume == 63)
    let event = kiosk.last(.volumeChanged)
    #expect(["port", "volume", "from", "cause"].map { event?[$0] } == ["bluetooth", "63", "50", "headset"])
    kiosk.wait(.seconds(5))
    #expect(kiosk.headsetLevels == [])
    #expect(kiosk.saves.last?.volumes == [.bluetooth: 63])
    // The next step of the board goes on from there.
    kiosk.press(.volumeUp)
    #expect(kiosk.headsetLevels == [HeadsetVolume.level(of: 68)])
  }

  @Test("B6: a headset turned above the ceiling is set back once, and the samples are softer until it is")
  func ceiling() {
    let kiosk = playing()
    turn(kiosk, to: 127)
    #expect(kiosk.status.volume == 80)
    #expect(kiosk.headsetLevels == [101])
    #expect(kiosk.commands.last == .volume(80))
    obey(kiosk)
    #expect(kiosk.commands.last == .volume(100))
    kiosk.wait(.seconds(5))
    #expect(kiosk.headsetLevels == [101])
    // Also where the port's volume does not change by it.
    kiosk.forget()
    turn(kiosk, to: 127)
    #expect(kiosk.headsetLevels == [101])
    #expect(kiosk.last(.volumeChanged) == nil)
  }

  @Test("B6: of a headset that does not obey, the samples make what is above the port's volume")
  func refuses() {
    let kiosk = playing()
    turn(kiosk, to: 127)
    kiosk.wait(.seconds(30))
    #expect(kiosk.headsetLevels == [101, 101])
    #expect(kiosk.commands.last == .volume(80))
    kiosk.type("volume 30", then: .seconds(30))
    #expect(kiosk.commands.last == .volume(30))
    kiosk.type("volume 0")
    #expect(kiosk.commands.last == .volume(0))
  }

  @Test("B6: without absolute volume, and after the headset has gone, the samples make all of it")
  func none() {
    let kiosk = playing()
    kiosk.feed(.headsetVolume(.bluetooth, level: nil))
    #expect(kiosk.commands.last == .volume(50))
    kiosk.wait(.seconds(5))
    kiosk.type("volume 40")
    #expect(kiosk.commands.last == .volume(40))
    #expect(kiosk.headsetLevels == [])
    // It comes back with a volume of its own, which counts for nothing.
    kiosk.forget()
    turn(kiosk, to: 127)
    #expect(kiosk.headsetLevels == [HeadsetVolume.level(of: 40)])
    #expect(kiosk.last(.volumeChanged) == nil)
  }

  @Test("B6, K8: the idle reset puts the headset back, too")
  func idle() {
    let kiosk = playing()
    kiosk.type("stop")
    turn(kiosk, to: 20)
    kiosk.wait(.seconds(601))
    #expect(kiosk.status.volume == 60)
    #expect(kiosk.headsetLevels.last == HeadsetVolume.level(of: 60))
  }

  @Test("H1.3, B6: a headset that is turned while it is closed is turned back, and nobody is there by that")
  func closed() {
    let headset = OutputPort(
      port: .bluetooth, sense: .line("JACK"), priority: 30, isPrivate: true, ceiling: 80, isWireless: true)
    let kiosk = Kiosk(ports: [headset] + Kiosk.allPorts.dropFirst(), hours: HoursRows.closed) {
      $0.hours = HoursSettings(WeekCalendar(), closing: .now, opening: .nothing)
    }
    kiosk.feed(.headsetVolume(.bluetooth, level: 127))
    obey(kiosk)
    kiosk.plug("JACK", then: .seconds(10))
    kiosk.forget()
    turn(kiosk, to: 120)
    kiosk.wait(.seconds(10))
    #expect(kiosk.names(.volumeChanged).isEmpty && kiosk.names(.visitBegan).isEmpty)
    #expect(kiosk.headsetLevels.last.map { $0 < 120 } == true)
  }
}
