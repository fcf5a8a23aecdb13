import Files

/// The temperature of the board's processor, if the kernel reports it. Control thread.
public struct Thermometer {
  private static let path = "/sys/class/thermal/thermal_zone0/temp"
  /// Thousandths of a degree. A sensor without a reading reports values outside of this.
  private static let plausible = -60_000...200_000

  private let path: String

  public init(path: String? = nil) { self.path = path ?? Self.path }

  /// The temperature in thousandths of a degree Celsius; nil if there is no thermometer.
  package func read() -> Int? {
    guard let bytes = try? FileAccess.read(path, atMost: 64) else { return nil }
    let word = String(decoding: bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    return Int(word).flatMap { Self.plausible.contains($0) ? $0 : nil }
  }
}
