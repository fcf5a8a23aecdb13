import AudioSession
import Board
import CLinux
import Glibc
import Jukebox
import RealtimeAudio
import Testing

@testable import AudioEngine
@testable import Firmware
@testable import KioskTestSupport
@testable import Simulator
@testable import Threads

/// The samples and a sound card make one volume between them. The headphones have a mixer, the speaker has none.
@Suite struct PortVolumesTests {
  private let fakeMixer = FakeMixer()
  private let signal = Signal()
  private let thread: MixerThread
  private let portVolumes: PortVolumes

  init() {
    thread = MixerThread(
      [.headphones: MixerDescription(card: "Device", control: "PCM")], opener: fakeMixer, reportSignal: signal)
    portVolumes = PortVolumes(controls: thread, ports: thread.ports)
  }

  /// The changes after the card has responded, however long that takes.
  private func answer() -> [Port: Int32] {
    var polled = pollfd(fd: signal.fileDescriptor, events: CShort(POLLIN), revents: 0)
    ppoll(&polled, 1, nil, nil)
    signal.clear()
    return portVolumes.takeChanges()
  }

  @Test("R13: the samples make a volume until the card reports that it does")
  func handsOver() {
    thread.start()
    defer { thread.stop() }
    #expect(portVolumes.setRoute(.headphones, volume: 60) == VolumeCurve.gain(60))
    #expect(answer() == [.headphones: GainRamp.unity])
    // The card was left at this volume, so it is right at once.
    #expect(portVolumes.setRoute(.headphones, volume: 60) == GainRamp.unity)
    #expect(fakeMixer.moves == [-20])
  }

  @Test("R13: a route whose card was left at another volume is never too loud")
  func entersSoftly() {
    thread.start()
    defer { thread.stop() }
    _ = portVolumes.setRoute(.headphones, volume: 80)
    _ = answer()
    #expect(portVolumes.setRoute(.headphones, volume: 78) == VolumeCurve.gain(78))
    #expect(answer() == [.headphones: GainRamp.unity])
    #expect(fakeMixer.moves == [-10, -10.5, -11])
  }

  @Test("a volume changed while it plays is made by the card alone, except 0")
  func turns() {
    thread.start()
    defer { thread.stop() }
    _ = portVolumes.setRoute(.headphones, volume: 60)
    _ = answer()
    #expect(portVolumes.setVolume(of: .headphones, to: 61) == GainRamp.unity)
    #expect(answer() == [.headphones: GainRamp.unity])
    #expect(portVolumes.setVolume(of: .headphones, to: 0) == 0)
  }

  @Test("what the card is too coarse for is left to the samples")
  func rest() {
    fakeMixer.change { $0.least = -10 }
    thread.start()
    defer { thread.stop() }
    _ = portVolumes.setRoute(.headphones, volume: 60)
    #expect(answer() == [.headphones: VolumeCurve.gain(80)])
  }

  @Test("the volume of a port without a mixer is made in the samples, and no port has no sound")
  func software() {
    #expect(portVolumes.setRoute(.speaker, volume: 60) == VolumeCurve.gain(60))
    #expect(portVolumes.setVolume(of: .speaker, to: 0) == 0)
    #expect(portVolumes.setRoute(nil, volume: 0) == 0)
  }

  @Test("a card that fails leaves the whole volume to the samples, and it is reported once")
  func falls() {
    thread.start()
    defer { thread.stop() }
    _ = portVolumes.setRoute(.headphones, volume: 60)
    _ = answer()
    fakeMixer.change { $0.isPlugged = false }
    #expect(portVolumes.setVolume(of: .headphones, to: 58) == GainRamp.unity)
    #expect(answer() == [.headphones: VolumeCurve.gain(58)])
    #expect(
      portVolumes.takeNotices()
        == ["watch mixer control PCM of Device: No such device; the volume of headphones is made in software"])
    fakeMixer.change { $0.isPlugged = true }
    #expect(answer() == [.headphones: GainRamp.unity])
    #expect(portVolumes.takeNotices() == [])
  }

  @Test("a player sends its engine the gain of its own port only")
  func player() {
    let clock = VirtualClock()
    let player = Player(
      outputs: [.headphones, .speaker].map { AudioEngine.Output(port: $0, device: "d") },
      devices: VirtualDevices(clock: clock, taps: [:]), tracks: CountingTracks([:]), cueFiles: CountingTracks([:]),
      rate: 48_000,
      buffer: .milliseconds(200), library: Library(), cues: [], portVolumes: portVolumes)
    player.obey(.route(.headphones, volume: 60))
    #expect(player.engine.commands.pop() == .route(0, gain: VolumeCurve.gain(60)))
    player.applyGains([.headphones: 5, .speaker: 6])
    #expect(player.engine.commands.pop() == .gain(5))
    player.obey(.route(.speaker, volume: 60))
    _ = player.engine.commands.pop()
    player.applyGains([.headphones: 7])
    #expect(player.engine.commands.pop() == nil)
  }
}
