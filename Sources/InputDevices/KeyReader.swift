import AudioSession
import Board
import CLinux
import Glibc

/// A keypad, or a bar-code or card reader that types: one of the kernel's input devices (evdev), taken for this program
/// alone, so that a console or desktop does not get what is typed (T5). Control thread.
public final class KeyReader: LineDevice {
  private static let eventsAtOnce = 64
  private static let readsAtOnce = 4

  public var name: String { "reader \(reader)" }
  public let lines: [String] = []
  private let reader: String
  private let device: String
  private let find: (String) throws(LineError) -> any OpenInput
  private var input: (any OpenInput)?
  private var keys: [TypedKey] = []
  /// Events between a `SYN_DROPPED` and the next report are incomplete and must be ignored.
  private var isIncomplete = false
  private var lostEdges = 0
  private var buffer = [input_event](repeating: input_event(), count: eventsAtOnce)

  /// - Parameters:
  ///   - reader: its name in the board file.
  ///   - device: the input device's name, or its path.
  public convenience init(_ reader: String, device: String) {
    self.init(reader, device: device) { name throws(LineError) in
      try InputSearch().open(.device(name)) { input in KeyCodes.enters.contains(where: input.has) }
    }
  }

  init(_ reader: String, device: String, find: @escaping (String) throws(LineError) -> any OpenInput) {
    self.reader = reader
    self.device = device
    self.find = find
  }

  public var pollDescriptors: [PollDescriptor] {
    input.map { [PollDescriptor(fileDescriptor: $0.descriptor, events: CShort(POLLIN))] } ?? []
  }

  /// Throws also where another program has taken the device.
  public func open() throws(LineError) {
    let found = try find(device)
    guard KeyCodes.enters.contains(where: found.has) else {
      throw LineError(
        operation: .findLine, subject: reader, code: 0,
        message: "input device \(device) has no Enter key, so it cannot type")
    }
    do throws(InputFailure) {
      try found.grab()
    } catch {
      throw LineError(.openDevice, device, error, note: error.code == EBUSY ? ": another program has taken it" : "")
    }
    // What was typed before it went is not continued.
    keys = [.clear]
    isIncomplete = false
    input = found
  }

  public func levels() -> [Bool] { [] }

  public func readEdges(into edges: inout [LineEdge]) throws(LineError) {
    guard let input else { return }
    for _ in 0..<KeyReader.readsAtOnce {
      let bytes = buffer.withUnsafeMutableBytes { read(input.descriptor, $0.baseAddress, $0.count) }
      if bytes < 0 && (errno == EAGAIN || errno == EINTR) { return }
      guard bytes > 0 else {
        throw LineError(.readEdges, device, InputFailure(code: bytes < 0 ? errno : ENODEV))
      }
      let count = bytes / MemoryLayout<input_event>.size
      for event in buffer[..<count] { take(event) }
      if count < buffer.count { return }
    }
  }

  public func takeKeys() -> [ReaderKey] {
    defer { keys = [] }
    return keys.map { ReaderKey(reader: reader, key: $0) }
  }

  public func takeLostEdges() -> Int {
    defer { lostEdges = 0 }
    return lostEdges
  }

  public func close() { input = nil }

  private func take(_ event: input_event) {
    switch Int32(event.type) {
    case EV_SYN:
      if Int32(event.code) == SYN_DROPPED {
        isIncomplete = true
        lostEdges += 1
        keys.append(.lost)
      } else if Int32(event.code) == SYN_REPORT {
        isIncomplete = false
      }
    case EV_KEY:
      // 0 is a release, 2 the auto-repeat of a key that is held.
      guard !isIncomplete, event.value == 1, let key = KeyCodes.key(event.code) else { return }
      keys.append(key)
    default: break
    }
  }
}
