import AudioSession
import Board
import CLinux
import Glibc

/// One of the kernel's input devices (evdev), and its events as far as all of them were read. Control thread.
public class EventReader {
  /// What comes of an event.
  enum Reading {
    /// A key, a switch or an axis says something.
    case event(input_event, at: Instant)
    /// The kernel dropped events (`SYN_DROPPED`), and those up to the next report are incomplete and left out (see
    /// Documentation/input/event-codes.rst).
    case dropped
    /// The report that ends those: what is asked for now is the state.
    case complete(at: Instant)
  }

  private static let eventsAtOnce = 64
  /// A contact that chatters without end must not keep the control thread busy.
  private static let readsAtOnce = 4

  /// Its name, or its path.
  let device: String
  let find: (String) throws(LineError) -> any OpenInput
  /// nil: closed.
  private(set) var input: (any OpenInput)?
  private var isIncomplete = false
  private var lostEdges = 0
  private var buffer = [input_event](repeating: input_event(), count: eventsAtOnce)

  init(_ device: String, find: @escaping (String) throws(LineError) -> any OpenInput) {
    (self.device, self.find) = (device, find)
  }

  public var pollDescriptors: [PollDescriptor] {
    input.map { [PollDescriptor(fileDescriptor: $0.descriptor, events: CShort(POLLIN))] } ?? []
  }

  func open(_ input: any OpenInput) { (self.input, isIncomplete) = (input, false) }

  public func close() { input = nil }

  /// Whether nobody else gets its events.
  class var isExclusive: Bool { false }

  public var claim: DeviceClaim? {
    input?.number.map { DeviceClaim(number: $0, isExclusive: Self.isExclusive) }
  }

  public var ambiguity: String? { input?.ambiguity }

  public var arrival: Int64? { InputSearch().arrival }

  /// Counts one for each time that the kernel dropped events, because it does not say how many.
  public func takeLostEdges() -> Int {
    defer { lostEdges = 0 }
    return lostEdges
  }

  /// Passes on what has arrived, in order; none while it is closed.
  ///
  /// - Parameter isStateAsked: `take` asks for the state where events were dropped. That is newer than the events behind
  ///   them that were read already, which are left out.
  func read(isStateAsked: Bool = false, _ take: (Reading) throws(LineError) -> Void) throws(LineError) {
    guard let input else { return }
    for _ in 0..<Self.readsAtOnce {
      let bytes = buffer.withUnsafeMutableBytes { Glibc.read(input.descriptor, $0.baseAddress, $0.count) }
      if bytes < 0 && (errno == EAGAIN || errno == EINTR) { return }
      guard bytes > 0 else {
        throw LineError(.readEdges, device, InputFailure(code: bytes < 0 ? errno : ENODEV))
      }
      let count = bytes / MemoryLayout<input_event>.size
      var isOld = false
      for event in buffer[..<count] {
        switch reading(of: event) {
        case .event where isOld: break
        case .complete(let at):
          try take(.complete(at: at))
          isOld = isStateAsked
        case let reading?: try take(reading)
        case nil: break
        }
      }
      if count < buffer.count { return }
    }
  }

  private func reading(of event: input_event) -> Reading? {
    let at = Instant(nanoseconds: Int64(event.time.tv_sec) * 1_000_000_000 + Int64(event.time.tv_usec) * 1_000)
    guard Int32(event.type) == EV_SYN else { return isIncomplete ? nil : .event(event, at: at) }
    switch Int32(event.code) {
    case SYN_DROPPED:
      isIncomplete = true
      lostEdges += 1
      return .dropped
    case SYN_REPORT where isIncomplete:
      isIncomplete = false
      return .complete(at: at)
    default: return nil
    }
  }
}
