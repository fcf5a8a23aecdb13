import Board
import TrackDecoding

/// What the firmware asks of the process that decodes: one message of fixed size. The file of `open` and `inspect` comes
/// with it, as a descriptor.
package struct DecoderRequest: BitwiseCopyable {
  package enum Work: Int64 {
    /// Open a file as a track, and read from `frame` on.
    case open
    /// Go to another frame than the next, and read from there.
    case seek
    /// Read on.
    case read
    /// No answer follows.
    case close
    /// Tags and exact length.
    case inspect
    /// Tags, and the length that the headers give where it agrees with the file's size, else the exact one.
    case inspectHeaders
  }

  private var rawWork: Int64
  private var rawGain: Int64
  /// Comes back with the answer.
  private(set) package var number: UInt64
  /// The slot of one of the open tracks.
  var slot: Int64
  /// Output rate, Hz.
  var rate: Int64
  var frame: Int64
  /// The most frames to give.
  var frames: Int64
  /// The file's size in bytes.
  var size: Int64
  /// Which of the shared texts are its own: these three.
  var place: Int64 = 0
  /// Another request follows at once, and one message wakes who waits for both: the answer goes out with the next.
  var holdsAnswer: Int64 = 0

  init(
    _ work: Work, number: UInt64, slot: Int, rate: Int = 0, frame: Int = 0, frames: Int = 0, size: Int = 0,
    gain: ReplayGain = .off
  ) {
    rawWork = work.rawValue
    rawGain = Int64(ReplayGain.allCases.firstIndex(of: gain) ?? 0)
    self.number = number
    self.slot = Int64(slot)
    self.rate = Int64(rate)
    self.frame = Int64(frame)
    self.frames = Int64(frames)
    self.size = Int64(size)
  }

  /// For a message that is still to be received.
  package init() { self.init(.close, number: 0, slot: -1) }

  package var work: Work { Work(rawValue: rawWork) ?? .close }
  var gain: ReplayGain {
    let all = ReplayGain.allCases
    return all.indices.contains(Int(rawGain)) ? all[Int(rawGain)] : .off
  }
}

/// What the process answers. Texts are in the shared memory. All of it comes from a process that a file may have taken
/// over: the firmware checks every value before it uses it.
package struct DecoderAnswer: BitwiseCopyable {
  package var number: UInt64 = 0
  /// 0: it worked; 1: it failed, and the first text says why; 2: it failed because the storage cannot be read; 3: it needs
  /// `libraries`, which the process has not loaded and can no longer load; 4: it is on its way to the frame, and goes on
  /// when it is asked again.
  package var failed: Int64 = 0
  package var libraries: UInt32 = 0
  /// Frames of the track that are now in the slot; 0 at its end.
  package var frames: Int64 = 0
  // The track's format and length, after `open` and `inspect` and where decoding has found another length; otherwise the
  // rate is 0.
  package var rate: Int64 = 0
  package var channels: Int64 = 0
  /// Its length in frames; -1 where it is not known.
  package var length: Int64 = -1
  /// The bytes of the shared texts; -1 for none.
  package var texts: (Int64, Int64, Int64) = (-1, -1, -1)

  package init() {}

  /// Whether all of it can be true. A process that was not taken over keeps to these bounds: it gives no more than it was
  /// asked for, refuses files of other rates or channels, does not know lengths beyond the most, cuts texts, and misses
  /// none but the libraries that decode.
  /// - Parameter asked: the most frames to give.
  func isPlausible(asked: Int) -> Bool {
    let text = -1...Int64(SharedFrames.textSize)
    let isDescribed = rate != 0
    return (0...4).contains(failed) && (failed != 4 || frames == 0)
      && DecoderLibraries(rawValue: libraries).isSubset(of: .all)
      && (0...Int64(asked)).contains(frames)
      && (!isDescribed || TrackInfo.rates.contains(Int(rate)))
      && ((isDescribed ? 1 : 0)...Int64(TrackInfo.mostChannels)).contains(channels)
      && (-1...Int64(TrackInfo.mostFrames)).contains(length)
      && text.contains(texts.0) && text.contains(texts.1) && text.contains(texts.2)
  }
}
