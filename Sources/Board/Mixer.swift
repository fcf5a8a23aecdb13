/// The volume control of a sound card that makes a port louder and softer: `mixer` of `[ports.NAME]`.
public struct MixerDescription: Hashable, Sendable {
  /// The card's id, such as `Headphones`.
  public var card: String
  /// The simple mixer control's name, as `amixer -c CARD scontrols` has it.
  public var control: String

  public init(card: String, control: String) {
    self.card = card
    self.control = control
  }
}

/// Opens volume controls. Mixer thread.
public protocol MixerOpener: Sendable {
  /// Throws `open` where the card is not there, which it may be later, and `find` where it is and has no such control,
  /// or one without decibels.
  func open(_ mixer: MixerDescription) throws(MixerError) -> any MixerControl
}

/// A volume control that is open. Mixer thread; a call may take as long as the card likes.
public protocol MixerControl: AnyObject {
  /// Readable when `check` has something to do.
  var pollDescriptors: [PollDescriptor] { get }
  /// Throws when the card is gone.
  func check() throws(MixerError)
  /// Sets the lowest level of the control that is not below `decibels` (at most 0), and opens its mute switch. Returns
  /// the level that it has now.
  func set(decibels: Double) throws(MixerError) -> Double
  /// Sets the lowest level, and closes the mute switch if there is one.
  func mute() throws(MixerError)
}

/// A failed call on a volume control.
public struct MixerError: Error, Hashable, Sendable, CustomStringConvertible {
  public enum Operation: String, Hashable, Sendable {
    case open = "open the card of"
    case find = "find mixer control"
    case set = "set mixer control"
    case check = "watch mixer control"
  }
  public var operation: Operation
  public var mixer: MixerDescription
  /// Positive `errno`; 0 where the call did not fail but found nothing.
  public var code: CInt
  public var message: String

  public init(operation: Operation, mixer: MixerDescription, code: CInt, message: String) {
    self.operation = operation
    self.mixer = mixer
    self.code = code
    self.message = message
  }

  public var description: String { "\(operation.rawValue) \(mixer.control) of \(mixer.card): \(message)" }
}
