import AudioSession
import Board
import CALSA
import Glibc
import PacedCards
import Testing

@testable import ALSADevices

extension ALSAPlayback {
  @Test("a device that does not exist is an error that names it, in the words that libasound would have printed")
  func unknownDevice() throws {
    let opener = ALSAOpener()
    let found = try #require(
      failure {
        try opener.open(port: .headphones, name: "no-such-jack", rate: 44_100, buffer: .milliseconds(200))
      })
    #expect(found.operation == .open)
    #expect(found.device == "no-such-jack")
    #expect(found.code == ENOENT)
    #expect(found.description.contains("Unknown PCM no-such-jack"))
  }

  @Test("rate and buffer are as asked where the device can")
  func asAsked() throws {
    let opener = ALSAOpener()
    let pcm = try opener.open(port: .headphones, name: "null", rate: 48_000, buffer: .milliseconds(100))
    #expect(pcm.format == PCMFormat(rate: 48_000, bufferFrames: 4_800))
    pcm.close()
    let usual = try ALSAPlaybackPCM.open("null", rate: 44_100)
    #expect(usual.format == PCMFormat(rate: 44_100, bufferFrames: 8_820))
    #expect(usual.layout == SampleLayout(encoding: .s16, channels: 2))
  }

  @Test("the nearest rate that the device has is used and told")
  func nearestRate() throws {
    let device = try #require(PacedCard())
    #expect(try device.open(rate: 400_000).format.rate == 192_000)
  }

  @Test("a device without stereo S16 gets what it has", arguments: SampleEncoding.allCases)
  func negotiation(encoding: SampleEncoding) throws {
    let device = try #require(PacedCard())
    #expect(try device.open(encoding.alsaFormat).layout == SampleLayout(encoding: encoding, channels: 2))
  }

  @Test("a device with a format that we cannot make is refused, with what it offers, and closed")
  func noCommonFormat() throws {
    let device = try #require(PacedCard())
    let found = try #require(failure { try device.open(SND_PCM_FORMAT_A_LAW) })
    #expect(found.operation == .configure)
    #expect(found.code == EINVAL)
    #expect(
      found.message.hasSuffix(
        "(asked: one of the formats S16, S32, FLOAT, S24_3LE, S24)"
          + "; offers A_LAW, 1 to 2 channels, 8000 to 192000 Hz"))
    #expect(device.counts.closings == 1)
  }

  @Test("a device whose output cannot be made says so")
  func unwritable() throws {
    let found = try #require(failure { try ALSAPlaybackPCM.open("unwritable", rate: 44_100) })
    #expect(found.operation == .configure)
    #expect(found.code == ENOENT)
    #expect(found.message.contains("missing/recorder.raw"))
  }

  @Test("closing gives the descriptors back, by close() and by letting go")
  func closing() throws {
    for letGo in [false, true] {
      let before = folder.openDescriptors(on: "recorder.raw")
      var pcm: ALSAPlaybackPCM? = try .open("recorder", rate: 44_100)
      #expect(folder.openDescriptors(on: "recorder.raw") == before + 1)
      if letGo { pcm = nil } else { pcm?.close() }
      #expect(folder.openDescriptors(on: "recorder.raw") == before)
      pcm?.close()
    }
  }

  @Test("a closed device returns an error and does not crash")
  func afterClosing() throws {
    let (device, pcm) = try PacedCard.opened()
    pcm.close()
    #expect(device.counts.closings == 1)
    #expect(failure { try pcm.status() }?.code == EBADF)
    #expect(failure { try pcm.writeAll(frames(0..<1)) }?.code == EBADF)
    #expect(failure { try pcm.start() }?.code == EBADF)
    #expect(failure { try pcm.stop() }?.code == EBADF)
    #expect(failure { try pcm.recover() }?.code == EBADF)
    #expect(pcm.rewind(10, isUrgent: false) == 0)
  }
}
