import Board
import CALSA
import Glibc
import PacedCards
import PacedPCM
import Testing

@testable import ALSADevices

extension ALSAPlayback {
  /// The models of Tests/Plugins/PacedPCM/models.c that take S16.
  static let models = [
    "bcm2835", "usb", "usb-queued", "i2s", "i2s-periods", "virtio", "virtio-indirect", "bluealsa",
  ]

  @Test("every model plays what is written, once and in order, also when it is filled up again", arguments: models)
  func modelPlays(model: String) throws {
    let model = try #require(ModelCard("model \(model)"))
    #expect(model.write(4_000) == 4_000 && model.start())
    model.card.setTime(50_000_000)
    #expect(model.write(2_000) == 2_000)
    model.card.setTime(1_000_000_000)
    #expect(model.position == -Int(EPIPE) && model.card.counts.underruns == 1)
    // What is behind the buffer is lost in an underrun.
    let same = model.heard == frames(0..<6_000 - Int(model.card.traits.latency))
    #expect(same)
  }

  @Test("bcm2835 takes S16 up to 48 kHz, 128 KiB and periods from 10 ms on, and does not pause")
  func jackLimits() throws {
    let model = try #require(ModelCard("model bcm2835", buffer: 2_000_000))
    #expect(model.bufferFrames <= 131_072 / 4)
    #expect(model.write(100) == 100 && model.start() && !model.canPause)
    let small = try #require(ModelCard("model bcm2835", buffer: 5_000))
    #expect(small.periodFrames >= 441)

    let device = try #require(PacedCard())
    #expect(device.suffer("model bcm2835"))
    #expect(device.traits.format == SND_PCM_FORMAT_S16_LE)
    let fast = try device.open(rate: 96_000)
    #expect(fast.format.rate == 48_000)
    fast.close()
  }

  @Test("HDMI takes its own format only, which libasound's plug-in makes, and gives frames back through it")
  func screenFormat() throws {
    folder.write("0\n", to: "clock")
    #expect(throws: PCMError.self) { try ALSAPlaybackPCM.open("hdmi", rate: 44_100) }
    let pcm = try ALSAPlaybackPCM.open("plug-hdmi", rate: 44_100)
    #expect(try pcm.writeAll(frames(0..<1_000)) == 1_000)
    #expect(pcm.rewind(400, isUrgent: false) == 400)
    pcm.close()
  }

  @Test("HDMI without a screen is no device, until there is one")
  func noScreen() throws {
    let device = try #require(PacedCard())
    #expect(device.suffer("model hdmi-dark"))
    #expect(device.open(SND_PCM_STREAM_PLAYBACK).code == ENODEV)
    #expect(device.suffer("absent 0"))
    let (pcm, code) = device.open(SND_PCM_STREAM_PLAYBACK)
    #expect(code == 0)
    if let pcm { snd_pcm_close(pcm) }
  }

  @Test("a trait that is unknown, or has no such value, is refused")
  func unknownTraits() throws {
    let device = try #require(PacedCard())
    for trait in [
      "model gramophone", "take_back maybe", "delay late", "position_step", "position_step half", "most_rate 0",
      "in_flight -1",
    ] {
      #expect(!device.suffer(trait), "\(trait)")
    }
  }
}
