import Glibc

/// A positive `errno`, which the caller turns into a `LineError` with the operation and the line.
struct SystemFailure: Error, Hashable {
  var code: CInt
  /// A bus that does not answer has held the call, or would have held it.
  var isHeld = false

  /// `ENOTSUPP`: the kernel's own code for what a chip's driver cannot do; no C library has a message for it.
  private static let notSupported: CInt = 524

  var message: String {
    switch code {
    case ENOENT: "no such chip"
    case ENOTTY, ENODEV: "not a GPIO chip, or gone"
    case EACCES: "permission denied; expected a user of the group that owns the chip, usually gpio"
    case SystemFailure.notSupported: "not supported by this chip"
    default: String(cString: strerror(code))
    }
  }
}
