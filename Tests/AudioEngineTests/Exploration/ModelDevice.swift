import Board

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
    var cue: Part?
    var isSilent: Bool { music == nil && cue == nil }
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

  /// By how many frames its position moves at once, and how many it has played since it moved last.
  var step = 0
  var unreported = 0

  /// How many frames it keeps behind its buffer, and how many are there.
  var latency = 0
  var onWay = 0

  /// What it reports to hold.
  var reported: Int { queue.count + unreported + (state == .running ? latency - onWay : 0) }
  var room: Int { state == .prepared || state == .running ? format.bufferFrames - queue.count - unreported + onWay : 0 }
  /// How many frames it gives back at most: those of a step it may have fetched.
  var loose: Int { state == .running && step > 0 ? max(0, reported - step) : queue.count - onWay }
  var isDry: Bool { queue.count == onWay }

  /// Takes the next frame out of its buffer. Returns the one that is heard then, once the first has come so far.
  mutating func playNext() -> Sound? {
    guard onWay == latency else {
      onWay += 1
      return nil
    }
    hasMoved = true
    if step > 0 { unreported = (unreported + 1) % step }
    return queue.removeFirst()
  }

  mutating func prepare() {
    queue = []
    deadFor = 0
    hasMoved = false
    unreported = 0
    onWay = 0
    isLinkSilent = false
    silentFor = 0
    if state != .disconnected { state = .prepared }
  }
}
