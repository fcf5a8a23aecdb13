import Board
import CALSA
import Glibc

/// Opens the control device of a card by its id. Returns 0 or a negative `errno`, as `snd_ctl_open`. Tests pass their
/// own.
typealias ControlOpener = @Sendable (_ card: String, _ control: inout OpaquePointer?) -> CInt

/// Owns one open `snd_ctl_t` and closes it on every path.
struct ControlHandle: ~Copyable {
  let pointer: OpaquePointer

  private init(adopting pointer: OpaquePointer) { self.pointer = pointer }

  deinit { snd_ctl_close(pointer) }

  /// Opens a card of the kernel without waiting for it.
  static let kernel: ControlOpener = { card, control in
    snd_ctl_open(&control, "hw:\(card)", SND_CTL_NONBLOCK)
  }

  static func open(_ card: String, with opener: ControlOpener) throws(ALSAFailure) -> ControlHandle {
    calsa_keep_messages()
    calsa_clear_message()
    var pointer: OpaquePointer?
    let result = opener(card, &pointer)
    guard result >= 0, let pointer else { throw ALSAFailure(result) }
    return ControlHandle(adopting: pointer)
  }

  /// Gives the open control to the caller, who closes it.
  consuming func take() -> OpaquePointer {
    let taken = pointer
    discard self
    return taken
  }
}

/// The descriptors of a control or mixer; `fill` is libasound's call for them.
func descriptors(
  _ count: CInt, _ fill: (UnsafeMutablePointer<pollfd>?, CUnsignedInt) -> CInt
) -> [PollDescriptor] {
  var polled = [pollfd](repeating: pollfd(fd: -1, events: 0, revents: 0), count: max(0, Int(count)))
  let filled = polled.withUnsafeMutableBufferPointer { fill($0.baseAddress, CUnsignedInt($0.count)) }
  return polled.prefix(max(0, Int(filled))).map { PollDescriptor(fileDescriptor: $0.fd, events: $0.events) }
}

/// A negative result of libasound, with its message on this thread if there was one.
struct ALSAFailure: Error {
  /// Positive `errno`.
  var code: CInt
  var message: String

  init(_ result: CInt) {
    code = -result
    message = String(cString: snd_strerror(result)) + ALSAFailure.libraryMessage
  }

  /// libasound's message on this thread since it was last cleared, as the end of a message of ours.
  static var libraryMessage: String {
    let text = String(cString: calsa_message())
    return text.isEmpty ? "" : ": \(text)"
  }

  /// Something was not found, though no call failed: the code is 0.
  init(nothing message: String) {
    code = 0
    self.message = message
  }

  static func check(_ result: CInt) throws(ALSAFailure) {
    if result < 0 { throw ALSAFailure(result) }
  }
}
