import Board
import CPCSC
import Glibc

/// What lies on a reader of PC/SC. One thread, which every call may hold.
final class PCSCWatch {
  /// What comes of asking a card for its UID.
  private enum Answer {
    case token(String)
    /// It has none, or does not answer.
    case none
    /// Somebody else has it for himself.
    case held
  }

  /// For the UID of a card without contacts, as every reader of those has it (PC/SC part 3, GET DATA).
  private static let question: [UInt8] = [0xFF, 0xCA, 0x00, 0x00, 0x00]
  private static let success: [UInt8] = [0x90, 0x00]
  /// The library wakes up as often by itself.
  private let longestWait = Duration.seconds(60)
  /// A reader that looks for cards by itself may find one that lies there a little after it has begun.
  private let firstLook = Duration.seconds(1)
  /// A card that lies askew may answer a little later, and it must not count as lifted before it has.
  private let pause = Duration.milliseconds(50)
  private let mostTries = 6
  private let pauseWhileHeld = Duration.seconds(1)

  private let reader: String
  private let device: String
  private let clock: any BoardClock
  private let service: any PCSCService
  /// Its whole name at pcscd.
  private var name = ""
  private var state = PCSCState()
  /// So often was the card that lies there asked for its UID.
  private var tries = 0
  private var isRead = false
  private var isHeld = false

  /// - Parameter device: how the reader's name at pcscd begins; empty: it is the only one.
  init(_ reader: String, device: String, clock: any BoardClock, service: any PCSCService) {
    (self.reader, self.device, self.clock, self.service) = (reader, device, clock, service)
  }

  func open() throws(LineError) {
    let names: [String]
    do throws(PCSCFailure) {
      try service.connect()
      names = try service.readers()
    } catch {
      throw lineError(.openDevice, error)
    }
    name = try find(among: names)
    state = PCSCState()
    forgetCard()
  }

  private func find(among names: [String]) throws(LineError) -> String {
    let found = names.filter { $0.hasPrefix(device) }
    if found.count == 1 { return found[0] }
    let list = names.joined(separator: "; ")
    if found.count > 1 {
      let advice = "expected `device` to begin as one of them does"
      throw lineError(.openDevice, ENOTUNIQ, "several readers are there, \(advice): \(list)")
    }
    throw lineError(.openDevice, ENODEV, names.isEmpty ? "no reader is there" : "is not there; there are: \(list)")
  }

  /// Returns what has come, and nil where that is nothing new. The first call returns what lies there already. Throws when
  /// the reader is gone.
  func next() throws(LineError) -> CardReading? {
    let isFirst = state == PCSCState()
    let isAsking = state.isCardThere && !isRead && tries < mostTries
    if let changed = try change(within: !isAsking ? longestWait : isHeld ? pauseWhileHeld : pause) {
      take(changed)
    } else if !isAsking {
      return nil
    }
    if isFirst && !state.isCardThere, let changed = try change(within: firstLook) { take(changed) }
    guard state.isCardThere else { return reading(nil) }
    if isRead || tries == mostTries { return nil }
    return try ask()
  }

  private func take(_ changed: PCSCState) {
    if changed.events != state.events || changed.isCardThere != state.isCardThere { forgetCard() }
    state = changed
  }

  private func forgetCard() { (tries, isRead, isHeld) = (0, false, false) }

  private func ask() throws(LineError) -> CardReading? {
    let answer = try answer()
    if case .held = answer {
      isHeld = true
      return nil
    }
    (isHeld, tries) = (false, tries + 1)
    if case .token(let token) = answer {
      isRead = true
      return reading(token)
    }
    // It lies where another one may have lain before.
    return tries == mostTries ? reading(nil) : nil
  }

  private func reading(_ token: String?) -> CardReading { CardReading(reader: reader, token: token, at: clock.now) }

  func close() { service.disconnect() }

  /// Nil: there is none within this time.
  private func change(within time: Duration) throws(LineError) -> PCSCState? {
    let found: PCSCState
    do throws(PCSCFailure) {
      found = try service.wait(for: name, otherThan: state, atMost: time)
    } catch {
      if error.is(CPCSC_TIMEOUT) { return nil }
      throw lineError(.readEdges, error)
    }
    if found.isGone { throw lineError(.readEdges, ENODEV, "is gone") }
    return found
  }

  private func answer() throws(LineError) -> Answer {
    do throws(PCSCFailure) {
      let answer = try service.transmit(Self.question, to: name)
      let token = answer.suffix(2) == Self.success[...] ? CardUID.token(of: answer.dropLast(2)) : nil
      return token.map { .token($0) } ?? .none
    } catch {
      if error.is(CPCSC_HELD) { return .held }
      // Nobody knows what lies on a reader that is gone, or whose pcscd is.
      let gone = [CPCSC_NOT_PERMITTED, CPCSC_NO_SERVICE, CPCSC_HUNG_UP, CPCSC_UNKNOWN_READER, CPCSC_READER_GONE]
      if gone.contains(error.code) { throw lineError(.readEdges, error) }
      return .none
    }
  }

  private func lineError(_ operation: LineError.Operation, _ failure: PCSCFailure) -> LineError {
    switch failure.code {
    case CPCSC_NO_LIBRARY:
      lineError(operation, ELIBACC, "libpcsclite.so.1 is not installed, expected Debian's package pcscd")
    case CPCSC_NO_SERVICE, CPCSC_HUNG_UP: lineError(operation, ECONNREFUSED, "pcscd does not answer")
    case CPCSC_NOT_PERMITTED: lineError(operation, EACCES, "pcscd does not permit it to this user")
    case CPCSC_UNKNOWN_READER, CPCSC_READER_GONE: lineError(operation, ENODEV, "is gone")
    default: lineError(operation, EIO, "error 0x\(String(failure.code, radix: 16)) of pcscd")
    }
  }

  private func lineError(_ operation: LineError.Operation, _ code: CInt, _ message: String) -> LineError {
    LineError(operation: operation, subject: device.isEmpty ? "PC/SC" : device, code: code, message: message)
  }
}
