import CALSA
import PacedCards
import PacedPCM

/// A paced card with the traits of a driver, played to with the calls of libasound alone: 200 ms of buffer, S16, stereo,
/// 44.1 kHz.
final class ModelCard {
  let card: PacedCard
  private let pcm: OpaquePointer
  private(set) var written = 0

  /// nil where the card does not open so.
  /// - Parameter traits: as Tests/Plugins/PacedPCM/faults.c words them.
  init?(_ traits: String..., buffer: UInt32 = 200_000) {
    guard let card = PacedCard(), traits.allSatisfy({ card.suffer($0) }) else { return nil }
    guard let pcm = card.open(SND_PCM_STREAM_PLAYBACK).pcm else { return nil }
    self.card = card
    self.pcm = pcm
    let access = SND_PCM_ACCESS_RW_INTERLEAVED
    if snd_pcm_set_params(pcm, SND_PCM_FORMAT_S16, access, 2, 44_100, 0, buffer) < 0 { return nil }
  }

  deinit { snd_pcm_close(pcm) }

  var bufferFrames: Int { sizes.buffer }
  var periodFrames: Int { sizes.period }
  var state: snd_pcm_state_t { snd_pcm_state(pcm) }
  var canPause: Bool { snd_pcm_pause(pcm, 1) == 0 }

  private var sizes: (buffer: Int, period: Int) {
    var buffer: snd_pcm_uframes_t = 0
    var period: snd_pcm_uframes_t = 0
    snd_pcm_get_params(pcm, &buffer, &period)
    return (Int(buffer), Int(period))
  }

  /// Writes that many frames, which count on from those before.
  @discardableResult func write(_ count: Int) -> Int {
    let done = snd_pcm_writei(pcm, frames(written..<written + count), snd_pcm_uframes_t(count))
    written += max(0, done)
    return done
  }

  func start() -> Bool { snd_pcm_start(pcm) == 0 }
  func drop() -> Bool { snd_pcm_drop(pcm) == 0 }
  func rewind(_ count: Int) -> Int { snd_pcm_rewind(pcm, snd_pcm_uframes_t(count)) }

  /// How many frames have left the buffer, as the device reports them; negative: the error instead.
  var position: Int {
    let free = snd_pcm_avail(pcm)
    return free < 0 ? free : written - (bufferFrames - free)
  }

  /// How many of the frames in the buffer may be rewound.
  var rewindable: Int {
    _ = snd_pcm_avail(pcm)
    return snd_pcm_rewindable(pcm)
  }

  var delay: Int {
    var frames: snd_pcm_sframes_t = 0
    let result = snd_pcm_delay(pcm, &frames)
    return result < 0 ? Int(result) : frames
  }

  var heard: [Int16] { card.heard() }
}
