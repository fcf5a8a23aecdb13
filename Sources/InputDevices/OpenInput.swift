import Board
import CLinux
import Glibc

/// The calls on an open input device; tests use a pipe instead.
protocol OpenInput: AnyObject {
  /// Reads as `input_event`s without blocking.
  var descriptor: CInt { get }
  /// The kernel's number of the device; nil: not known.
  var number: UInt64? { get }
  /// Why another device may be meant.
  var ambiguity: String? { get }
  func has(_ code: InputCode) -> Bool
  /// Takes the device for this program alone. Throws a positive `errno`: `EBUSY` where another one has it.
  func grab() throws(InputFailure)
  /// Whether each of the keys and switches is asserted, by one reading of all keys and one of all switches. Each drops
  /// the events of its kind that wait, and the next one would not say what they said. Throws a positive `errno`.
  func areAsserted(_ codes: [InputCode]) throws(InputFailure) -> [Bool]
}

/// A positive `errno`.
struct InputFailure: Error, Hashable {
  var code: CInt
}

/// A device of the kernel: `/dev/input/eventN`. Closed with the last reference.
final class EventDevice: OpenInput {
  let descriptor: CInt
  let number: UInt64?
  var ambiguity: String?

  private init(adopting descriptor: CInt) {
    self.descriptor = descriptor
    var status = stat()
    number = fstat(descriptor, &status) == 0 ? UInt64(status.st_rdev) : nil
  }

  deinit { close(descriptor) }

  static func open(path: String) throws(InputFailure) -> EventDevice {
    let descriptor = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw InputFailure(code: errno) }
    return EventDevice(adopting: descriptor)
  }

  /// Makes the kernel stamp events by CLOCK_MONOTONIC, as all other edges. Fails before Linux 3.4 only.
  func stampMonotonic() throws(InputFailure) {
    if input_set_monotonic(descriptor) < 0 { throw InputFailure(code: errno) }
  }

  func has(_ code: InputCode) -> Bool {
    var bits = EventDevice.noBits
    guard input_codes(descriptor, UInt32(code.type), &bits, UInt(bits.count)) >= 0 else { return false }
    return EventDevice.isSet(code, in: bits)
  }

  func grab() throws(InputFailure) {
    if input_grab(descriptor) < 0 { throw InputFailure(code: errno) }
  }

  func areAsserted(_ codes: [InputCode]) throws(InputFailure) -> [Bool] {
    var states: [InputCode.Kind: [UInt8]] = [:]
    for kind in Set(codes.map(\.kind)) { states[kind] = try state(of: kind) }
    return codes.map { code in states[code.kind].map { EventDevice.isSet(code, in: $0) } ?? false }
  }

  private func state(of kind: InputCode.Kind) throws(InputFailure) -> [UInt8] {
    var bits = EventDevice.noBits
    let result =
      switch kind {
      case .key: input_keys(descriptor, &bits, UInt(bits.count))
      case .switch: input_switches(descriptor, &bits, UInt(bits.count))
      // What turns has no state.
      case .axis: CInt(0)
      }
    guard result >= 0 else { throw InputFailure(code: errno) }
    return bits
  }

  /// A bit for every key code, all clear.
  private static let noBits = [UInt8](repeating: 0, count: Int(KEY_CNT + 7) / 8)

  private static func isSet(_ code: InputCode, in bits: [UInt8]) -> Bool {
    let byte = Int(code.number / 8)
    return bits.indices.contains(byte) && bits[byte] & (1 << (code.number % 8)) != 0
  }
}

extension InputCode {
  /// The kernel's `EV_KEY`, `EV_SW` or `EV_REL`.
  var type: UInt16 {
    switch kind {
    case .key: UInt16(EV_KEY)
    case .switch: UInt16(EV_SW)
    case .axis: UInt16(EV_REL)
    }
  }
}
