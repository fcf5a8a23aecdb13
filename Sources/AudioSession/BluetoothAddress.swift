/// The address of a Bluetooth device, such as `00:1A:7D:DA:71:13`.
public struct BluetoothAddress: Hashable, Sendable, CustomStringConvertible {
  /// Six bytes, the first one of the text first.
  private let bytes: [UInt8]

  /// nil unless `text` is six bytes of two hexadecimal digits each with colons between them.
  public init?(_ text: some StringProtocol) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    let digits = parts.allSatisfy { $0.count == 2 && $0.allSatisfy(\.isHexDigit) }
    guard parts.count == 6, digits else { return nil }
    bytes = parts.compactMap { UInt8($0, radix: 16) }
    guard bytes.count == 6 else { return nil }
  }

  public var description: String {
    bytes.map { String($0, radix: 16, uppercase: true).zeroPadded(to: 2) }.joined(separator: ":")
  }
}
