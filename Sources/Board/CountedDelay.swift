import AudioSession

/// Whether a driver counts on between the steps of its position, by its bus or its clock, so that the delay that it reports
/// is exact to a millisecond: snd-usb-audio, snd_bcm2835, SOF and bluez-alsa do.
///
/// Of such a driver the frames that it counts behind the buffer fall while its position in the buffer stands. Where the
/// delay only mirrors the buffer, as with a DMA engine, or adds a fixed latency, they do not.
public struct CountedDelay: Hashable, Sendable {
  /// snd-usb-audio counts frames of the bus, the others count more finely. A FIFO of an interface, whose level some drivers
  /// add, holds less.
  public static let precision = Duration.milliseconds(1)

  /// Whether it was seen to.
  public private(set) var isCounted = false
  /// The most frames behind the buffer since the start.
  private var most = 0

  public init() {}

  /// Takes the frames behind the buffer of a device that runs; less than 0 where the driver takes off what was played since
  /// its position moved.
  public mutating func note(behind frames: Int, rate: Int) {
    most = max(most, frames)
    if most - frames >= max(1, Self.precision.frames(rate: rate)) { isCounted = true }
  }

  /// The device was stopped: nothing is behind its buffer.
  public mutating func restart() { most = 0 }
}
