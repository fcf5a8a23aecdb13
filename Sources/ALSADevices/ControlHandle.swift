import Board
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

/// The descriptors of a control or mixer: so many, as libasound fills them in.
func descriptors(
  _ count: CInt, _ fill: (UnsafeMutablePointer<pollfd>?, CUnsignedInt) -> CInt
) -> [PollDescriptor] {
  var polled = [pollfd](repeating: pollfd(fd: -1, events: 0, revents: 0), count: max(0, Int(count)))
  let filled = polled.withUnsafeMutableBufferPointer { fill($0.baseAddress, CUnsignedInt($0.count)) }
  return polled.prefix(max(0, Int(filled))).map { PollDescriptor(fileDescriptor: $0.fd, events: $0.events) }
}

/// A negative answer of libasound, and its own words on this thread where it had any.
struct ALSAFailure: Error {
  /// Positive `errno`.
  var code: CInt
  var message: String

  init(_ result: CInt) {
    code = -result
    message = String(cString: snd_strerror(result)) + ALSAFailure.said
  }

  /// What libasound has said on this thread since it was last forgotten, as the end of a message.
  static var said: String {
    let words = String(cString: calsa_words())
    return words.isEmpty ? "" : ": \(words)"
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
