import AudioSession
import Board
import CALSA
import PacedCards

@testable import ALSADevices

/// Opens paced cards with the real adapter, as `ALSAOpener` does what a configuration names.
final class PacedOutputs: PCMOpener {
  /// The cards keep the test's clock, and wait for nothing.
  var answersAtOnce: Bool { true }
  let cards: [Port: PacedCard]
  private let clock: any BoardClock
  private let known: KnownCard

  init(_ cards: [Port: PacedCard], clock: any BoardClock, known: KnownCard = KnownCard()) {
    self.cards = cards
    self.known = known
    self.clock = clock
  }

  func open(port: Port, name: String, rate: Int, buffer: Duration) throws(PCMError) -> any PCM {
    let (found, code) = cards[port]?.open(SND_PCM_STREAM_PLAYBACK) ?? (nil, 2)
    guard let found else { throw PCMError(.open, name, -code, asked: "playback") }
    let opened = try ALSAPlaybackPCM.configure(
      PCMHandle(adopting: found), device: name, rate: rate, buffer: buffer, known: known)
    return PacedOutput(opened, clock: clock)
  }
}

/// The real adapter, whose status is of the test's clock: libasound stamps with its own.
private final class PacedOutput: PCM {
  private let pcm: ALSAPlaybackPCM
  private let clock: any BoardClock

  init(_ pcm: ALSAPlaybackPCM, clock: any BoardClock) {
    self.pcm = pcm
    self.clock = clock
    pcm.clock = { clock.now }
  }

  var format: PCMFormat { pcm.format }
  var pollDescriptors: [PollDescriptor] { pcm.pollDescriptors }
  var margin: Int { pcm.margin }
  var cardClass: CardClass { pcm.cardClass }

  func isReady(_ revents: UnsafeBufferPointer<CShort>) -> Bool { pcm.isReady(revents) }

  func status() throws(PCMError) -> PCMStatus {
    var status = try pcm.status()
    status.at = clock.now
    return status
  }

  func write(_ samples: UnsafePointer<Int16>, frames: Int) throws(PCMError) -> Int {
    try pcm.write(samples, frames: frames)
  }

  func rewind(_ frames: Int, isUrgent: Bool) -> Int { pcm.rewind(frames, isUrgent: isUrgent) }
  func start() throws(PCMError) { try pcm.start() }
  func stop() throws(PCMError) { try pcm.stop() }
  func recover() throws(PCMError) { try pcm.recover() }
  func close() { pcm.close() }
}
