/// A device beside the GPIO chips that has lines of a board, or is one of its readers: an input device, a sound card. It
/// may come and go. Control thread.
public protocol LineDevice: LineSource {
  /// A name for messages, such as `input device gpio-keys`.
  var name: String { get }
  /// The names of its lines.
  var lines: [String] { get }
  /// Throws `findLine` if the device is there but lacks one of the lines.
  func open() throws(LineError)
  /// Whether each of `lines` is asserted now. Throws when the device is gone.
  func levels() throws(LineError) -> [Bool]
  /// Whether it comes and goes as it likes, so that it is not reported.
  var isOptional: Bool { get }
  /// What the kernel calls that which is open.
  var claim: DeviceClaim? { get }
  /// Why another device than the one that is open may be meant.
  var ambiguity: String? { get }
  /// Differs whenever a device of its kind has come or gone. One that is there and does not fit, or that somebody else
  /// has, is opened again then, or a minute later, because each opening keeps the control thread from its lines; nil:
  /// it is opened every second.
  var arrival: Int64? { get }
}

/// An open device of the kernel, whatever name has led to it.
public struct DeviceClaim: Hashable, Sendable {
  /// The kernel's number of the device.
  public var number: UInt64
  /// Nobody else gets its events.
  public var isExclusive: Bool

  public init(number: UInt64, isExclusive: Bool) { (self.number, self.isExclusive) = (number, isExclusive) }
}

extension LineDevice {
  public var isOptional: Bool { false }
  public var claim: DeviceClaim? { nil }
  public var ambiguity: String? { nil }
  public var arrival: Int64? { nil }

  /// The one of `others` that is the same device as this one, where a reader has it for itself (T5).
  public func rival(among others: some Sequence<any LineDevice>) -> (any LineDevice)? {
    guard let claim else { return nil }
    return others.first { other in
      guard let theirs = other.claim, theirs.number == claim.number else { return false }
      return theirs.isExclusive || claim.isExclusive
    }
  }
}
