import Glibc
import TestSupport

/// A serial port whose device keeps its name when it is unplugged and plugged in again. A pseudo-terminal.
final class SerialPort {
  /// The path of the device.
  let path: String
  private var controller: CInt = -1
  /// Kept open, since the terminal would report a hang-up until the firmware has opened it.
  private var device: CInt = -1
  private(set) var received: [UInt8] = []

  init(in folder: TemporaryFolder) throws {
    path = "\(folder.path)/tty"
    try plugIn()
  }

  deinit { pull() }

  func plugIn() throws {
    var name = [CChar](repeating: 0, count: 64)
    guard openpty(&controller, &device, nil, nil, nil) == 0, ttyname_r(device, &name, name.count) == 0 else {
      throw Program.Failure("no terminal")
    }
    for descriptor in [controller, device] { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    received = []
    symlink(name, path)
  }

  /// Removes the adapter and its device.
  func pull() {
    for descriptor in [controller, device] where descriptor >= 0 { close(descriptor) }
    (controller, device) = (-1, -1)
    unlink(path)
  }

  /// Types a line; waits until the other side takes it.
  func type(_ text: String) {
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes { write(controller, $0.baseAddress, $0.count) }
      if count < 0 && errno != EINTR { return }
      sent += max(0, count)
    }
  }

  /// Reads until the input contains `text`.
  func wait(for text: String) throws {
    while !String(decoding: received, as: UTF8.self).contains(text) {
      var polled = pollfd(fd: controller, events: CShort(POLLIN), revents: 0)
      guard poll(&polled, 1, 60_000) > 0 else { throw Program.Failure("no \(text)") }
      var block = [UInt8](repeating: 0, count: 65_536)
      let count = read(controller, &block, block.count)
      guard count > 0 else { throw Program.Failure("the console ended without \(text)") }
      received += block[..<count]
    }
  }

  /// The lines received, without prompts.
  var lines: [String] {
    String(decoding: received, as: UTF8.self).split(separator: "\r\n").map(String.init).filter { !$0.hasPrefix("> ") }
  }
}
