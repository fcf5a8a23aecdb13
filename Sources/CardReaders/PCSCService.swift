import AudioSession
import CPCSC
import Glibc

/// What a reader asks of pcscd. One thread; every call may wait for it as long as that takes.
protocol PCSCService: AnyObject {
  func connect() throws(PCSCFailure)
  /// The names of all readers that are there.
  func readers() throws(PCSCFailure) -> [String]
  /// Waits until the reader's state is another one, for this long at most. Before the first wait it is `PCSCState()`.
  func wait(for reader: String, otherThan state: PCSCState, atMost: Duration) throws(PCSCFailure) -> PCSCState
  /// Sends a command to the card that lies there; returns its answer.
  func transmit(_ command: [UInt8], to reader: String) throws(PCSCFailure) -> [UInt8]
  func disconnect()
}

/// What a reader says, as pcscd has it.
struct PCSCState: Hashable {
  var bits: UInt32 = 0

  /// Counts the cards that come and go, so that no other card is taken for the one before it.
  var events: UInt32 { bits >> 16 }
  var isCardThere: Bool { cpcsc_is_present(bits) }
  var isGone: Bool { cpcsc_is_gone(bits) }
}

struct PCSCFailure: Error, Hashable {
  /// One of libpcsclite's.
  var code: UInt32

  func `is`(_ known: UInt32) -> Bool { code == known }
}

/// Debian's pcscd, by libpcsclite.
final class PCSCDaemon: PCSCService {
  private let longestAnswer = 258
  private var service: OpaquePointer?

  deinit { disconnect() }

  func connect() throws(PCSCFailure) {
    disconnect()
    try check(cpcsc_open(&service))
  }

  func readers() throws(PCSCFailure) -> [String] {
    let service = try connected()
    var list: UnsafeMutablePointer<CChar>?
    let code = cpcsc_readers(service, &list)
    if code == CPCSC_NO_READERS { return [] }
    try check(code)
    defer { free(list) }
    var names: [String] = []
    var next = list
    while let name = next, name.pointee != 0 {
      names.append(String(cString: name))
      next = name + strlen(name) + 1
    }
    return names
  }

  func wait(for reader: String, otherThan state: PCSCState, atMost: Duration) throws(PCSCFailure) -> PCSCState {
    let service = try connected()
    var bits = state.bits
    try check(cpcsc_wait(service, reader, UInt32(atMost.wholeNanoseconds / 1_000_000), &bits))
    return PCSCState(bits: bits)
  }

  func transmit(_ command: [UInt8], to reader: String) throws(PCSCFailure) -> [UInt8] {
    let service = try connected()
    var answer = [UInt8](repeating: 0, count: longestAnswer)
    var size = answer.count
    try check(cpcsc_transmit(service, reader, command, command.count, &answer, &size))
    return Array(answer.prefix(size))
  }

  func disconnect() {
    if let service { cpcsc_close(service) }
    service = nil
  }

  private func connected() throws(PCSCFailure) -> OpaquePointer {
    guard let service else { throw PCSCFailure(code: CPCSC_NO_SERVICE) }
    return service
  }

  private func check(_ code: UInt32) throws(PCSCFailure) {
    if code != 0 { throw PCSCFailure(code: code) }
  }
}
