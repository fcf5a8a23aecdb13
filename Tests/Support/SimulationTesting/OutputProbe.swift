import AudioSession
import Glibc
import Simulator

/// Checks what one port plays, sample by sample, against what may be heard there and what must be.
struct OutputProbe {
  /// Something that must not be in the sound, or is missing from it.
  struct Artifact {
    var frame: Int
    var row: String
    var message: String
  }

  let rate: Int
  /// From this frame on there must be no music; nil: there may be.
  var musicEnd: Int? = 0
  /// From this frame on there must be no cue; nil: there may be.
  var cueEnd: Int? = 0
  /// From this frame on music must be heard without a gap; nil: it need not.
  var musicDue: Int?
  /// What the port plays on.
  var card = SimulatedCard.usual
  /// The frames between which an unplug may stop such a card in place of a fade (P14).
  var stop: ClosedRange<Int>?
  /// What the sides play of the channels.
  var channels = ChannelModel()
  /// The output runs at another rate than the board's, so that its sound is resampled.
  var isResampled = false
  /// The frame at which a fault took the output away: what it cuts off cannot fade.
  var cut: Int? { didSet { formerCut = oldValue } }
  /// The one before: a link that falls silent again at once has begun again by then, or will.
  private var formerCut: Int?
  private(set) var artifact: Artifact?
  /// The next frame.
  private(set) var position = 0
  /// The newest frames, left and right; less than `tailFrames` after a silence.
  private(set) var tail: [(left: Int, right: Int)] = []
  static let tailFrames = 100
  /// The last frame that was not silent.
  private(set) var lastSound = -1
  /// Frames in which music was audible.
  private(set) var musicFrames = 0
  /// The last of them, and the one since which it was audible without a gap.
  private(set) var lastMusic = -1
  private(set) var musicSince = 0

  /// How much more is queued on its card than at first (P14.3), at most: it is not known when that shrinks.
  var deeper = Duration.zero
  /// How long a change waits for what its card has fetched, or cannot rewind.
  var delay: Duration { card.delay + deeper }

  private var left = 0
  private var right = 0
  private var quiet = 0
  private var gain = 0.0
  /// Earlier gains that may still be heard, and the frame at which each was replaced.
  private var formerGains: [(gain: Double, end: Int)] = []
  /// The longest silence in music that must be heard: a fade out and the fade in again, and between them a restart of
  /// the card once it is known to have come to the end of what it cannot rewind. A change that meets this restart
  /// waits for its end, too.
  private var longestGap: Duration { .milliseconds(12) + delay * 2 }

  init(rate: Int) { self.rate = rate }

  /// Sets the gain of the volume, above which nothing may be from now on, except the ramp from the gain before. A
  /// change within a ramp goes on from wherever the ramp is.
  mutating func setGain(_ new: Double) {
    guard new != gain else { return }
    formerGains = formerGains.filter { isRamping(from: $0.end) }
    formerGains.append((gain, position))
    gain = new
  }

  private func isRamping(from change: Int) -> Bool {
    position <= change + (.milliseconds(100) + delay).frames(rate: rate)
  }

  private var loudest: Double { formerGains.reduce(gain) { isRamping(from: $1.end) ? max($0, $1.gain) : $0 } }

  mutating func report(_ frame: Int, _ row: String, _ message: String) {
    if artifact == nil { artifact = Artifact(frame: frame, row: row, message: message) }
  }

  /// The port was silent until this frame.
  mutating func skipSilence(until frame: Int) {
    guard frame > position else { return }
    if left != 0 || right != 0 { step(toLeft: 0, right: 0, at: position, limits) }
    left = 0
    right = 0
    tail = []
    quiet += frame - position
    position = frame
    checkGap()
  }

  mutating func read(_ samples: UnsafePointer<Int16>, frames: Int, at start: Int) {
    skipSilence(until: start)
    let limits = limits
    let musicEnd = musicEnd ?? .max
    // If the two cannot be told apart, what may be a cue counts neither as music nor as a gap in it.
    let isBlurred = channels.isBlurred(at: start)
    let vagueEnd = isBlurred ? cueEnd ?? .max : 0
    let cueEnd = max(musicEnd, cueEnd ?? .max)
    var index = start
    for place in 0..<frames {
      let l = Int(samples[2 &* place])
      let r = Int(samples[2 &* place &+ 1])
      if abs(l &- left) > limits.left || abs(r &- right) > limits.right || abs(l) > limits.level {
        step(toLeft: l, right: r, at: index, limits)
      }
      let heard = channels.channels(left: l, right: r, at: index)
      if heard.left != 0 && (!isBlurred || index < musicEnd) {
        if quiet > 0 { checkGap() }
        if quiet > 0 || index < vagueEnd { musicSince = index }
        quiet = 0
        if index >= vagueEnd { musicFrames &+= 1 }
        lastMusic = index
        if index >= musicEnd { report(index, "R3", "music is heard where it must not be") }
      } else {
        quiet &+= 1
      }
      if let mismatch = channels.check(left: l, right: r, at: index) { report(index, "M1", mismatch) }
      if heard.right != 0 && index >= cueEnd { report(index, "D7", "a cue is heard where it must not be") }
      if l != 0 || r != 0 { lastSound = index }
      left = l
      right = r
      index &+= 1
    }
    position = index
    checkGap()
    let kept = min(frames, Self.tailFrames)
    for place in frames - kept..<frames { tail.append((Int(samples[2 * place]), Int(samples[2 * place + 1]))) }
    if tail.count > Self.tailFrames { tail.removeFirst(tail.count - Self.tailFrames) }
  }

  private mutating func checkGap() {
    guard let musicDue else { return }
    let gap = min(quiet, position - musicDue)
    if gap > longestGap.frames(rate: rate) {
      report(position, "P2", "music has been silent for \(gap) frames, though playback runs")
    }
  }

  // MARK: - Steps

  private struct Limits {
    /// Between two frames.
    var left: Int
    var right: Int
    /// The level of the left channel.
    var level: Int
  }

  /// The steps of the signal itself, of a fade of 4 ms, and of a ramp of the volume, 20 ms, all at the same time.
  private var limits: Limits {
    let gain = loudest
    let looser = isResampled ? 2.0 : 1.0
    func moving(_ level: Int) -> Double {
      Double(level) / Double(Duration.milliseconds(4).frames(rate: rate))
        + Double(level) / Double(Duration.milliseconds(20).frames(rate: rate))
    }
    // A side changes from one channel to the other in 20 ms (M4).
    let mixing = Double(TestMusic.level + TestMusic.loudestRight) / Double(Duration.milliseconds(20).frames(rate: rate))
    let left = Double(TestMusic.ownStep.left) + moving(TestMusic.level)
    let right = Double(TestMusic.ownStep.right) + moving(TestMusic.loudestRight)
    if !channels.isStereo(at: position) { return limits(Double(TestMusic.loudestRight), right + mixing, gain * looser) }
    return Limits(
      left: Int(left * gain * looser) + 4, right: Int(right * gain * looser) + 4,
      level: Int(Double(TestMusic.level) * gain * (isResampled ? 1.2 : 1)) + 3)
  }

  /// Where each side may play either channel.
  private func limits(_ level: Double, _ step: Double, _ gain: Double) -> Limits {
    Limits(left: Int(step * gain) + 4, right: Int(step * gain) + 4, level: Int(level * gain) + 3)
  }

  private mutating func step(toLeft l: Int, right r: Int, at frame: Int, _ limits: Limits) {
    if abs(l) > limits.level {
      report(frame, "R13", "the music's level is \(abs(l)), louder than the volume allows: \(limits.level)")
    }
    let isClick = abs(l - left) > limits.left || abs(r - right) > limits.right
    let isCut = [cut, formerCut].contains { $0.map { abs(frame - $0) <= 8 } ?? false }
    guard isClick, !isCut, stop?.contains(frame) != true else { return }
    report(frame, "P12", "a click: from \(left), \(right) to \(l), \(r); at most \(limits.left), \(limits.right)")
  }
}

/// 0.5 dB per step; 0 is silence.
func gain(ofVolume volume: Int) -> Double { volume <= 0 ? 0 : pow(10, Double(min(volume, 100) - 100) / 40) }
