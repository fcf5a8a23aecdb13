import Board
import Glibc

/// A positive `errno` on its way to the `LineError` that knows what was tried and on which line.
struct SystemFailure: Error, Hashable {
  var code: CInt

  /// `ENOTSUPP`: the kernel's own code for what a chip's driver cannot do; no C library has words for it.
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
