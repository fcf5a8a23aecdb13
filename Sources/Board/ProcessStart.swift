import Glibc

/// When this process was started, by the kernel's clock that counts from power on and in sleep, too.
enum ProcessStart {
  /// nil where the kernel does not say.
  static func nanoseconds() -> Int64? {
    let descriptor = open("/proc/self/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = read(descriptor, &bytes, bytes.count)
    let ticks = sysconf(CInt(_SC_CLK_TCK))
    guard count > 0, ticks > 0, let started = Self.ticks(bytes[..<count]) else { return nil }
    return started.multipliedReportingOverflow(by: 1_000_000_000 / Int64(ticks)).partialValue
  }

  /// The 22nd field of a process's `stat`. The second is a name in parentheses, which may hold blanks and parentheses.
  static func ticks(_ stat: some BidirectionalCollection<UInt8>) -> Int64? {
    guard let end = stat.lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = stat[end...].split(separator: UInt8(ascii: " "))
    return fields.count > 20 ? Int64(String(decoding: fields[20], as: UTF8.self)) : nil
  }
}
