import AudioSession
import Board
import CALSA
import Glibc
import PacedCards
import Testing

@testable import ALSADevices

extension ALSAPlayback {
  @Test("a full buffer neither starts the device nor takes more")
  func full() throws {
    let (device, pcm) = try PacedCard.opened()
    #expect(try pcm.writeAll(frames(0..<10_000)) == 8_820)
    #expect(try pcm.writeAll(frames(0..<1)) == 0)
    let status = try pcm.status()
    #expect(status.state == .prepared)
    #expect(status.queued == 8_820)
    #expect(device.play(1) == 0)
    // A full device returns 0 before it plays and EAGAIN while it plays.
    try pcm.start()
    #expect(try pcm.writeAll(frames(0..<1)) == 0)
  }

  @Test("a playing device is filled to the last frame, even with less room than would wake us")
  func topUp() throws {
    let (device, pcm) = try PacedCard.opened()
    try pcm.startPlaying(8_820)
    device.play(100)
    #expect(try pcm.writeAll(frames(8_820..<9_820)) == 100)
    #expect(try pcm.status().queued == 8_820)
  }

  @Test(
    "a device that stopped by itself reports the frames that were not heard",
    arguments: ["underrun", "suspend", "unplug", "halt"])
  func stoppedShort(fault: String) throws {
    let (device, pcm) = try PacedCard.opened()
    #expect(try pcm.writeAll(frames(0..<1_000)) == 1_000)
    device.suffer("at 300 \(fault)")
    try pcm.start()
    #expect(device.play(500) == 300)
    let status = try pcm.status()
    #expect(status.state != .running && status.queued == 700)
  }

  @Test("the status of a playing device is stamped and counts down")
  func counting() throws {
    let (device, pcm) = try PacedCard.opened()
    try pcm.startPlaying(1_000)
    device.play(300)
    let before = monotonicNow()
    let status = try pcm.status()
    #expect(status.state == .running)
    #expect(status.queued == 700)
    #expect(status.at >= before)
    #expect(status.at <= monotonicNow())
  }

  @Test("a device that ran dry says so, takes nothing, and plays again after recovery")
  func underrun() throws {
    let (device, pcm) = try PacedCard.opened()
    try pcm.startPlaying(100)
    #expect(device.play(200) == 100)
    #expect(try pcm.writeAll(frames(100..<200)) == 0)
    #expect(try pcm.status().state == .underrun)
    #expect(pcm.rewind(10, isUrgent: false) == 0)
    try pcm.recover()
    #expect(try pcm.status().state == .prepared)
    #expect(try pcm.writeAll(frames(100..<200)) == 100)
    try pcm.start()
    device.play(100)
    #expect(device.heard() == frames(0..<200))
  }

  @Test("a device that was stopped by somebody else is recovered like one that ran dry")
  func stopped() throws {
    let (device, pcm) = try PacedCard.opened()
    device.suffer("halt")
    #expect(try pcm.writeAll(frames(0..<100)) == 0)
    #expect(try pcm.status().state == .underrun)
    try pcm.recover()
    #expect(try pcm.status().state == .prepared)
  }

  @Test("a device that slept says so, takes nothing, and is woken and empty after recovery")
  func suspend() throws {
    let (device, pcm) = try PacedCard.opened()
    try pcm.startPlaying(100)
    device.suffer("suspend")
    #expect(try pcm.writeAll(frames(100..<200)) == 0)
    #expect(try pcm.status().state == .suspended)
    try pcm.recover()
    #expect(device.counts.resumptions == 1)
    let status = try pcm.status()
    #expect(status.state == .prepared)
    #expect(status.queued == 0)
  }

  @Test("a device that is gone says so in its status and in every other call")
  func disconnected() throws {
    let (device, pcm) = try PacedCard.opened()
    try pcm.startPlaying(100)
    device.suffer("unplug")
    let error = failure { try pcm.writeAll(frames(100..<200)) }
    #expect(error?.code == ENODEV)
    #expect(try pcm.status().state == .disconnected)
    #expect(failure { try pcm.recover() }?.code == ENODEV)
  }

  @Test("stopping forgets what is queued, and the device takes frames again once it is recovered")
  func stop() throws {
    let (device, pcm) = try PacedCard.opened()
    try pcm.startPlaying(1_000)
    device.play(10)
    try pcm.stop()
    #expect(try pcm.writeAll(frames(1_000..<1_010)) == 0)
    try pcm.recover()
    let status = try pcm.status()
    #expect(status.state == .prepared && status.queued == 0)
    #expect(try pcm.writeAll(frames(2_000..<2_010)) == 10)
    try pcm.start()
    device.play(10)
    #expect(device.heard() == frames(0..<10) + frames(2_000..<2_010))
  }

  @Test("starting a device without frames, or twice, is an error")
  func startTwice() throws {
    let device = try #require(PacedCard())
    let pcm = try device.open()
    #expect(failure { try pcm.start() }?.code == EPIPE)
    try pcm.startPlaying(10)
    #expect(failure { try pcm.start() }?.operation == .start)
  }

  @Test("a wake-up means readiness only when three quarters of the buffer are free, and is used up by asking")
  func readiness() throws {
    let (device, pcm) = try PacedCard.opened()
    try pcm.startPlaying(8_820)
    device.play(6_000)
    device.wake()
    #expect(answers(pcm) == [POLLIN: false])
    #expect(answers(pcm) == [0: false])
    device.play(615)
    device.wake()
    #expect(answers(pcm) == [POLLIN: true])
  }

  /// What `poll` returns for the one descriptor of `pcm` now, and whether the device takes it for readiness.
  private func answers(_ pcm: ALSAPlaybackPCM) -> [CInt: Bool] {
    var entries = pcm.pollDescriptors.map { pollfd(fd: $0.fileDescriptor, events: $0.events, revents: 0) }
    poll(&entries, nfds_t(entries.count), 0)
    let revents = entries.map(\.revents)
    return [CInt(revents.first ?? -1): revents.withUnsafeBufferPointer { pcm.isReady($0) }]
  }

  @Test("null takes everything, is never dry, has nothing to take back and nothing to wait for")
  func null() throws {
    let pcm = try ALSAPlaybackPCM.open("null", rate: 44_100)
    #expect(try pcm.writeAll(frames(0..<30_000)) == 30_000)
    let before = try pcm.status()
    #expect(before.state == .prepared)
    #expect(before.queued == 0)
    #expect(pcm.rewind(100, isUrgent: false) == 0)
    try pcm.start()
    let after = try pcm.status()
    #expect(after.state == .running)
    #expect(after.queued == 0)
    #expect(after.at >= before.at)
    #expect(after.at <= monotonicNow())
    #expect(pcm.rewind(100, isUrgent: false) == 0)
    #expect(pcm.pollDescriptors.isEmpty)
    #expect(try ALSAPlaybackPCM.open("recorder", rate: 44_100).pollDescriptors.isEmpty)
  }

  @Test("a status without a usable time stamp is of now")
  func stamps() {
    let now = Instant(nanoseconds: 5_000_000_000)
    #expect(Instant(stamp: timespec(tv_sec: 4, tv_nsec: 7), readBefore: now) == Instant(nanoseconds: 4_000_000_007))
    #expect(Instant(stamp: timespec(tv_sec: 0, tv_nsec: 0), readBefore: now) == now)
    #expect(Instant(stamp: timespec(tv_sec: 1_700_000_000, tv_nsec: 0), readBefore: now) == now)
  }
}
