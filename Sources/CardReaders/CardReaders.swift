import Board

/// A reader that says whether a card lies on it.
public protocol CardReader: LineDevice {}

/// The card readers that the firmware reads itself.
public enum CardReaders {
  /// The device of each, closed. Control thread.
  public static func devices(for requests: [CardReaderRequest], clock: any BoardClock) -> [any LineDevice] {
    requests.map { device(for: $0, clock) }
  }

  private static func device(for request: CardReaderRequest, _ clock: any BoardClock) -> any LineDevice {
    switch request.speech {
    case .rdm6300: SerialCardReader<RDM6300>(request.name, device: request.device, clock: clock)
    case .pn532: SerialCardReader<PN532>(request.name, device: request.device, clock: clock)
    }
  }
}
