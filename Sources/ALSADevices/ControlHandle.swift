import CALSA
import Glibc

/// Opens the control device of a card by its id: as `snd_ctl_open`, 0 or a negative `errno`. Tests open cards of theirs.
typealias ControlOpener = @Sendable (_ card: String, _ control: inout OpaquePointer?) -> CInt

/// Owns one open `snd_ctl_t` and closes it on every path.
struct ControlHandle: ~Copyable {
  let pointer: OpaquePointer

  private init(adopting pointer: OpaquePointer) { self.pointer = pointer }

  deinit { snd_ctl_close(pointer) }

  /// Opens a card of the kernel's without waiting for it.
  static let kernel: ControlOpener = { card, control in
    snd_ctl_open(&control, "hw:\(card)", SND_CTL_NONBLOCK)
  }

  static func open(_ card: String, with opener: ControlOpener) throws(ALSAFailure) -> ControlHandle {
    calsa_silence()
    calsa_forget_words()
    var pointer: OpaquePointer?
    let result = opener(card, &pointer)
    guard result >= 0, let pointer else { throw ALSAFailure(result) }
    return ControlHandle(adopting: pointer)
  }

  /// The caller closes it.
  consuming func take() -> OpaquePointer {
    let taken = pointer
    discard self
    return taken
  }
}

/// A negative answer of libasound, and its own words on this thread where it had any.
struct ALSAFailure: Error {
  /// Positive `errno`.
  var code: CInt
  var message: String

  init(_ result: CInt) {
    code = -result
    let said = String(cString: calsa_words())
    message = String(cString: snd_strerror(result)) + (said.isEmpty ? "" : ": \(said)")
  }

  /// What was looked for is not there, though no call failed: a code of 0.
  init(nothing message: String) {
    code = 0
    self.message = message
  }

  static func check(_ result: CInt) throws(ALSAFailure) {
    if result < 0 { throw ALSAFailure(result) }
  }
}
