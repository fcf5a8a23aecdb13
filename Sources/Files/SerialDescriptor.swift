import Glibc

/// An open serial device; closed when it goes out of scope.
package struct SerialDescriptor: ~Copyable {
  package let number: CInt

  private init(adopting number: CInt) { self.number = number }

  deinit { close(number) }

  /// Raw, 8N1, without flow control and without modem lines, never blocking.
  ///
  /// - Parameters:
  ///   - least: how many bytes wait before `poll` tells of them, 1 to 255. A read returns what is there.
  ///   - isExclusive: no other program of ours can open it meanwhile, nor any other but root's.
  package static func open(
    device: String, speed: Int, least: UInt8 = 1, isExclusive: Bool = false
  ) throws(SerialError) -> SerialDescriptor {
    guard let constant = SerialSpeed.constant(for: speed) else {
      let known = SerialSpeed.table.map { "\($0.speed)" }.joined(separator: ", ")
      throw SerialError(
        operation: .configure, device: device, code: EINVAL, message: "speed \(speed), expected one of \(known)")
    }
    let number = Glibc.open(device, O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard number >= 0 else { throw SerialError(.open, device, code: errno) }
    let descriptor = SerialDescriptor(adopting: number)
    // What another program reads would be missing here.
    if isExclusive, flock(number, LOCK_EX | LOCK_NB) < 0 || ioctl(number, UInt(TIOCEXCL)) < 0 {
      throw SerialError(.open, device, code: errno == EWOULDBLOCK ? EBUSY : errno)
    }
    try configure(number, device: device, speed: speed, constant, least)
    return descriptor
  }

  private static func configure(
    _ number: CInt, device: String, speed: Int, _ constant: speed_t, _ least: UInt8
  ) throws(SerialError) {
    var settings = termios()
    guard tcgetattr(number, &settings) == 0 else { throw SerialError(.configure, device, code: errno) }
    let frame = tcflag_t(CSIZE) | tcflag_t(PARENB) | tcflag_t(CSTOPB)
    cfmakeraw(&settings)
    settings.c_iflag &= ~(tcflag_t(IXOFF) | tcflag_t(IXANY) | tcflag_t(INPCK))
    settings.c_cflag &= ~(frame | tcflag_t(CRTSCTS))
    settings.c_cflag |= tcflag_t(CS8) | tcflag_t(CLOCAL) | tcflag_t(CREAD)
    // With a minimum of 0 bytes, a read of an idle line would return 0, as after a hang-up.
    withUnsafeMutableBytes(of: &settings.c_cc) {
      $0[Int(VMIN)] = least
      $0[Int(VTIME)] = 0
    }
    guard cfsetspeed(&settings, constant) == 0, tcsetattr(number, TCSANOW, &settings) == 0 else {
      throw SerialError(.configure, device, code: errno)
    }
    // tcsetattr succeeds even if it could make only one of the changes.
    var taken = termios()
    guard tcgetattr(number, &taken) == 0 else { throw SerialError(.configure, device, code: errno) }
    guard cfgetospeed(&taken) == constant, taken.c_cflag & frame == tcflag_t(CS8) else {
      throw SerialError(
        operation: .configure, device: device, code: EINVAL, message: "the device did not take \(speed) baud 8N1")
    }
  }
}

/// Baud rates that termios has a constant for.
package enum SerialSpeed {
  package static let table: [(speed: Int, constant: Int)] = [
    (300, Int(B300)), (600, Int(B600)), (1_200, Int(B1200)), (2_400, Int(B2400)), (4_800, Int(B4800)),
    (9_600, Int(B9600)), (19_200, Int(B19200)), (38_400, Int(B38400)), (57_600, Int(B57600)),
    (115_200, Int(B115200)), (230_400, Int(B230400)), (460_800, Int(B460800)), (500_000, Int(B500000)),
    (576_000, Int(B576000)), (921_600, Int(B921600)), (1_000_000, Int(B1000000)), (1_152_000, Int(B1152000)),
    (1_500_000, Int(B1500000)), (2_000_000, Int(B2000000)), (2_500_000, Int(B2500000)),
    (3_000_000, Int(B3000000)), (3_500_000, Int(B3500000)), (4_000_000, Int(B4000000)),
  ]

  static func constant(for speed: Int) -> speed_t? {
    table.first { $0.speed == speed }.map { speed_t($0.constant) }
  }
}
