import AudioSession

@testable import Jukebox

extension Kiosk {
  /// Lets the decoder have come to the end of the stream, if what is left to be heard is so little.
  func decodeEnd() {
    guard engine.isClosed else { return }
    let frames = engine.tracks.reduce(0) { $0 + (times[$1] ?? Self.trackTime).frames(rate: Self.rate) }
    let left = frames - (heard?.frame ?? 0)
    if left <= decodedAhead.frames(rate: Self.rate) { engine.isEndDecoded = true }
  }
}
