import AudioSession
import Board
import Glibc
import Testing

@testable import Simulator

/// A device of 100 frames at 1000 Hz, so that a frame is a millisecond.
@Suite struct VirtualPCMTests {
  private let clock = VirtualClock()
  private let file: TemporaryFile
  private let tap: PortTap
  private let pcm: VirtualPCM

  init() throws {
    file = try TemporaryFile()
    tap = PortTap(port: .headphones, rate: 1_000, wav: try WAVWriter(path: file.path, rate: 1_000))
    pcm = VirtualPCM(format: PCMFormat(rate: 1_000, bufferFrames: 100), clock: clock, tap: tap)
  }

  private func wait(until milliseconds: Int) { clock.advance(to: .powerOn + .milliseconds(milliseconds)) }

  /// Frames with the samples `range`, left and right.
  @discardableResult
  private func write(_ range: ClosedRange<Int16>) -> Int {
    pcm.write(range.flatMap { [$0, $0] }, frames: range.count)
  }

  /// The sound until `end`.
  private func heard(until end: Int) throws -> [Int16] {
    try tap.finish(at: end)
    return file.left
  }

  @Test("nothing plays before the start, then one frame a millisecond")
  func position() throws {
    #expect(write(1...50) == 50)
    wait(until: 10)
    #expect(pcm.status() == PCMStatus(state: .prepared, queued: 50, at: clock.now))
    pcm.start()
    wait(until: 30)
    #expect(pcm.status() == PCMStatus(state: .running, queued: 30, at: clock.now))
    #expect(try heard(until: 40) == Array(repeating: 0, count: 10) + Array(1...20) + Array(repeating: 0, count: 10))
  }

  @Test("a full buffer takes no more, and what was played makes room, around its end too")
  func room() throws {
    #expect(write(1...99) == 99)
    #expect(write(100...150) == 1)
    pcm.start()
    wait(until: 60)
    #expect(write(101...200) == 60)
    wait(until: 150)
    #expect(pcm.status().queued == 10)
    #expect(try heard(until: 150) == Array(1...150))
  }

  @Test("rewind takes back the newest frames, but none that was heard")
  func rewind() throws {
    write(1...50)
    pcm.start()
    wait(until: 20)
    #expect(pcm.rewind(10, isUrgent: false) == 10)
    #expect(pcm.rewind(-1, isUrgent: false) == 0)
    #expect(pcm.status().queued == 20)
    write(900...904)
    wait(until: 22)
    #expect(pcm.rewind(1_000, isUrgent: false) == 23)
    write(800...801)
    wait(until: 24)
    #expect(pcm.status() == PCMStatus(state: .running, queued: 0, at: clock.now))
    #expect(try heard(until: 24) == Array(1...22) + [800, 801])
  }

  @Test("a device that runs dry stops, takes nothing, and plays on from where it is recovered")
  func underrun() throws {
    write(1...5)
    pcm.start()
    wait(until: 5)
    #expect(pcm.status().state == .running)
    wait(until: 6)
    #expect(pcm.status().state == .underrun)
    #expect(write(6...9) == 0)
    pcm.start()
    #expect(pcm.status().state == .underrun)
    pcm.recover()
    #expect(pcm.status() == PCMStatus(state: .prepared, queued: 0, at: clock.now))
    write(10...12)
    wait(until: 8)
    pcm.start()
    wait(until: 10)
    _ = pcm.status()
    #expect(try heard(until: 10) == [1, 2, 3, 4, 5, 0, 0, 0, 10, 11])
    #expect(tap.soundingFrames == 7)
  }

  @Test("a forced underrun affects only a running device")
  func forcedUnderrun() {
    write(1...50)
    #expect(!pcm.forceUnderrun())
    #expect(pcm.status().state == .prepared)
    pcm.start()
    wait(until: 10)
    #expect(pcm.forceUnderrun())
    #expect(!pcm.forceUnderrun())
    wait(until: 20)
    #expect(pcm.status() == PCMStatus(state: .underrun, queued: 40, at: clock.now))
    #expect(tap.soundingFrames == 10)
  }

  @Test("stop plays what is due and discards the rest; the device is prepared again")
  func stop() throws {
    write(1...50)
    pcm.start()
    wait(until: 20)
    pcm.stop()
    #expect(pcm.status() == PCMStatus(state: .prepared, queued: 0, at: clock.now))
    wait(until: 30)
    write(100...101)
    pcm.start()
    wait(until: 32)
    _ = pcm.status()
    #expect(try heard(until: 32) == Array(1...20) + Array(repeating: 0, count: 10) + [100, 101])
  }

  @Test("a lost device has played what was due, takes nothing and never comes back")
  func disconnect() throws {
    write(1...50)
    pcm.start()
    wait(until: 20)
    pcm.disconnect()
    wait(until: 30)
    #expect(pcm.status().state == .disconnected)
    #expect(write(1...5) == 0)
    pcm.recover()
    pcm.stop()
    pcm.start()
    #expect(pcm.status() == PCMStatus(state: .disconnected, queued: 0, at: clock.now))
    #expect(try heard(until: 30) == Array(1...20) + Array(repeating: 0, count: 10))
  }

  @Test("closing a device while it plays discards what was not heard yet")
  func close() throws {
    write(1...50)
    pcm.start()
    wait(until: 3)
    pcm.close()
    wait(until: 9)
    #expect(try heard(until: 5) == [1, 2, 3, 0, 0])
  }
}

/// The traits of cards, on a device of 100 frames at 1000 Hz.
@Suite struct SimulatedCardTests {
  private let clock = VirtualClock()
  private let tap = PortTap(port: .headphones, rate: 1_000, wav: nil)

  /// A card that has played `frames` of the 100 that were written.
  private func running(_ card: SimulatedCard, for frames: Int) -> VirtualPCM {
    let pcm = VirtualPCM(format: PCMFormat(rate: 1_000, bufferFrames: 100), clock: clock, tap: tap, card: card)
    #expect(pcm.write([Int16](repeating: 7, count: 200), frames: 200) == 100)
    pcm.start()
    clock.advance(to: .powerOn + .milliseconds(frames))
    return pcm
  }

  @Test("P15: a position in steps lies behind by less than a step, which is not taken back, nor 2 ms")
  func steps() {
    let pcm = running(.steps, for: 29)
    #expect(pcm.cardClass == .stepped(10))
    #expect(pcm.status().queued == 80)
    #expect(pcm.rewind(1_000, isUrgent: false) == 68)
    #expect(pcm.status().queued == 12)
  }

  @Test("P14: a shallow card takes nothing back")
  func shallow() {
    let pcm = running(.shallow, for: 29)
    #expect(!pcm.takesBack)
    #expect(pcm.rewind(1_000, isUrgent: false) == 0)
    #expect(pcm.status().queued == 80)
  }

  @Test("P14: a faulty card loses what is on its way when its buffer runs dry")
  func faulty() {
    let pcm = running(.faulty, for: 100)
    #expect(pcm.status().state == .running)
    #expect(tap.soundingFrames == 93)
    clock.advance(to: .powerOn + .milliseconds(120))
    #expect(pcm.status().state == .underrun)
    #expect(tap.soundingFrames == 93)
    #expect(!pcm.takesBack)
  }

  @Test("P14: what a card keeps behind its buffer makes room, is counted, is heard later and is not taken back")
  func queued() {
    let pcm = running(.queued, for: 30)
    #expect(tap.soundingFrames == 0)
    #expect(pcm.status().queued == 88)
    #expect(tap.soundingFrames == 12)
    #expect(pcm.write([Int16](repeating: 7, count: 200), frames: 100) == 30)
    #expect(pcm.rewind(1_000, isUrgent: false) == 92)
    #expect(pcm.status().queued == 26)
    clock.advance(to: .powerOn + .milliseconds(38))
    #expect(pcm.status().state == .running)
    clock.advance(to: .powerOn + .milliseconds(39))
    #expect(pcm.status().state == .underrun)
  }
}

@Suite struct VirtualDevicesTests {
  private let clock = VirtualClock()
  private let tap = PortTap(port: .headphones, rate: 1_000, wav: nil)
  private let devices: VirtualDevices

  init() { devices = VirtualDevices(clock: clock, taps: [.headphones: tap]) }

  private func open(_ port: Port = .headphones) throws(PCMError) -> any PCM {
    try devices.open(port: port, name: "default", rate: 1_000, buffer: .milliseconds(100))
  }

  @Test("a device has the rate and the buffer that were asked for")
  func format() throws {
    #expect(try open().format == PCMFormat(rate: 1_000, bufferFrames: 100))
  }

  @Test("a port without a tap cannot be opened, nor any while the output fails")
  func failing() throws {
    let absent = PCMError(operation: .open, device: "default", code: ENODEV, message: "no such device")
    #expect(throws: absent) { try open(.usb) }
    let pcm = try open()
    #expect(devices.apply(.fail))
    #expect(try pcm.status().state == .disconnected)
    #expect(throws: absent) { try open() }
    #expect(devices.apply(.restore))
    #expect(try open().status().state == .prepared)
    #expect(try pcm.status().state == .disconnected)
  }

  @Test("an underrun and a power cut affect the open device; catching up plays what is due")
  func mishaps() throws {
    let pcm = try open()
    #expect(try pcm.write([1, 1, 2, 2, 3, 3, 4, 4], frames: 4) == 4)
    try pcm.start()
    clock.advance(to: .powerOn + .milliseconds(1))
    devices.catchUp()
    #expect(tap.soundingFrames == 1)
    #expect(devices.apply(.underrun))
    #expect(!devices.apply(.underrun))
    #expect(try pcm.status().state == .underrun)
    try pcm.recover()
    #expect(try pcm.write([1, 1, 2, 2, 3, 3, 4, 4], frames: 4) == 4)
    try pcm.start()
    clock.advance(to: .powerOn + .milliseconds(3))
    devices.cutPower()
    clock.advance(to: .powerOn + .milliseconds(9))
    devices.catchUp()
    #expect(tap.soundingFrames == 3)
  }
}
