import AudioSession
import Board
import CLinux
import Glibc

/// A keypad, or a bar-code or card reader that types: one of the kernel's input devices (evdev), taken for this program
/// alone, so that a console or desktop does not get what is typed (T5). Control thread.
public final class KeyReader: EventReader, LineDevice {
  public var name: String { "reader \(reader)" }
  public let lines: [String] = []
  override class var isExclusive: Bool { true }
  private let reader: String
  private var keys: [TypedKey] = []

  /// - Parameters:
  ///   - reader: its name in the board file.
  ///   - device: the input device's name, or its path.
  public convenience init(_ reader: String, device: String) {
    self.init(reader, device: device) { name throws(LineError) in
      try InputSearch().open(.device(name)) { input in KeyCodes.signs.contains(where: input.has) }
    }
  }

  init(_ reader: String, device: String, find: @escaping (String) throws(LineError) -> any OpenInput) {
    self.reader = reader
    super.init(device, find: find)
  }

  /// Throws also where another program has taken the device.
  public func open() throws(LineError) {
    let found = try find(device)
    guard KeyCodes.typing.contains(where: found.has) else {
      throw LineError(
        operation: .findLine, subject: reader, code: 0,
        message: "input device \(device) has no key that types")
    }
    do throws(InputFailure) {
      try found.grab()
    } catch {
      throw LineError(.openDevice, device, error, note: error.code == EBUSY ? ": another program has taken it" : "")
    }
    // What was typed before it went is not continued.
    keys = [.clear]
    open(found)
  }

  public func levels() -> [Bool] { [] }

  public func readEdges(into edges: inout [LineEdge]) throws(LineError) {
    try read { reading in
      switch reading {
      case .event(let event, _): take(event)
      case .dropped: keys.append(.lost)
      case .complete: break
      }
    }
  }

  public func takeKeys() -> [ReaderKey] {
    defer { keys = [] }
    return keys.map { ReaderKey(reader: reader, key: $0) }
  }

  private func take(_ event: input_event) {
    // 0 is a release, 2 the auto-repeat of a key that is held.
    guard Int32(event.type) == EV_KEY, event.value == 1, let key = KeyCodes.key(event.code) else { return }
    keys.append(key)
  }
}
