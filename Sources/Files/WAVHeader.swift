/// The header of a WAV file of interleaved stereo S16: the 44 bytes before the first frame.
package enum WAVHeader {
  package static let bytes = 44
  package static let bytesPerFrame = 4
  /// The most frames that the format's 32-bit length allows: a little over six hours at 48 kHz.
  package static let mostFrames = (Int(UInt32.max) - bytes) / bytesPerFrame

  package static func encode(rate: Int, frames: Int) -> [UInt8] {
    var header: [UInt8] = []
    header.reserveCapacity(bytes)
    func word(_ value: Int) { withUnsafeBytes(of: UInt32(truncatingIfNeeded: value).littleEndian) { header += $0 } }
    func half(_ value: Int) { withUnsafeBytes(of: UInt16(truncatingIfNeeded: value).littleEndian) { header += $0 } }
    header += Array("RIFF".utf8)
    word(bytes - 8 + frames * bytesPerFrame)
    header += Array("WAVEfmt ".utf8)
    word(16)
    half(1)
    half(2)
    word(rate)
    word(rate * bytesPerFrame)
    half(bytesPerFrame)
    half(16)
    header += Array("data".utf8)
    word(frames * bytesPerFrame)
    return header
  }

  /// The rate, in Hz, in a header that `encode` made, whatever lengths are in it; nil for any other header.
  package static func rate(in header: [UInt8]) -> Int? {
    guard header.count >= bytes else { return nil }
    let rate = (24..<28).reversed().reduce(0) { $0 << 8 | Int(header[$1]) }
    let ours = encode(rate: rate, frames: 0)
    let isOurs = (0..<bytes).allSatisfy { (4..<8).contains($0) || (40..<44).contains($0) || header[$0] == ours[$0] }
    return isOurs && rate > 0 ? rate : nil
  }
}
