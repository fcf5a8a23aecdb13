import Board

/// A reader that says whether a card lies on it.
public protocol CardReader: LineDevice {
  /// Whether pcscd has it, for others, too.
  var isShared: Bool { get }
}

/// The card readers that the firmware reads itself.
public enum CardReaders {
  /// How long the first `open` may wait for pcscd at a start.
  public static let patience = Duration.milliseconds(500)

  /// The device of each, closed. Control thread.
  ///
  /// - Parameter patience: how long the first `open` may wait for pcscd.
  public static func devices(
    for requests: [CardReaderRequest], clock: any BoardClock, patience: Duration
  ) -> [any LineDevice] {
    requests.map { device(for: $0, clock, patience) }
  }

  private static func device(
    for request: CardReaderRequest, _ clock: any BoardClock, _ patience: Duration
  ) -> any LineDevice {
    switch request.speech {
    case .rdm6300: SerialCardReader<RDM6300>(request.name, device: request.device, clock: clock)
    case .pn532: SerialCardReader<PN532>(request.name, device: request.device, clock: clock)
    case .pcsc: PCSCReader(request.name, device: request.device, clock: clock, patience: patience)
    }
  }
}
