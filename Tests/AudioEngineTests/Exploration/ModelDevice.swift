import Board

@testable import AudioEngine

/// A playback device that may return whatever a real one could.
struct ModelDevice: Hashable {
  /// A frame of the timeline, as it was written.
  struct Sound: Hashable {
    struct Part: Hashable {
      var index: Int
      /// The gain of the fade alone, Q15.
      var gain: Int32
    }
    var music: Part?
    var clip: Part?
    var isSilent: Bool { music == nil && clip == nil }
  }

  var number: Int
  var format: PCMFormat
  var state = PCMStatus.State.prepared
  /// Frames written and not heard yet, oldest first.
  var queue: [Sound] = []
  /// Whether a frame left it in the last millisecond.
  var hasMoved = false
  /// Frames that it would have played since it stopped by itself, unseen.
  var deadFor = 0
  /// Whether its radio link is silent: it plays nothing and reports that it does; and how many frames it would have
  /// played.
  var isLinkSilent = false
  var silentFor = 0

  var room: Int { state == .prepared || state == .running ? format.bufferFrames - queue.count : 0 }

  mutating func prepare() {
    queue = []
    deadFor = 0
    hasMoved = false
    isLinkSilent = false
    silentFor = 0
    if state != .disconnected { state = .prepared }
  }
}
