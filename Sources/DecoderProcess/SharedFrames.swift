import CLinux
import Glibc

/// The memory that firmware and decoder share: a slot of frames for each open track, and texts of the last answers.
final class SharedFrames {
  /// Open tracks at once; a port has one of music.
  static let slots = 32
  /// Frames in a slot: a second and more at the rates of most boards.
  static let frames = 48_000
  /// The longest text, in bytes.
  static let textSize = 1_024
  /// Answers that may be on their way at once, each with three texts.
  static let answers = 8
  private static let texts = 3 * answers
  private static let slotSize = frames * 4
  private static let size = slots * slotSize + texts * textSize

  let descriptor: CInt
  private let base: UnsafeMutableRawPointer

  /// New memory; nil with `errno` where the system gives none. Pages that are never written take none.
  convenience init?() {
    let descriptor = decoder_share(UInt(Self.size))
    guard descriptor >= 0 else { return nil }
    self.init(descriptor: descriptor)
  }

  /// Takes over the descriptor of memory that another process has made; nil with `errno` if it cannot be mapped.
  init?(descriptor: CInt) {
    guard let base = mmap(nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), base != MAP_FAILED else {
      close(descriptor)
      return nil
    }
    self.descriptor = descriptor
    self.base = base
  }

  deinit {
    munmap(base, Self.size)
    close(descriptor)
  }

  /// The frames of a slot, interleaved stereo.
  func slot(_ index: Int) -> UnsafeMutablePointer<Int16> {
    (base + index * Self.slotSize).assumingMemoryBound(to: Int16.self)
  }

  /// Keeps a text, cut to `textSize` at the end of a character. Returns its bytes; -1 for nil.
  func write(_ text: String?, at index: Int) -> Int64 {
    guard let text else { return -1 }
    var bytes = Array(text.utf8.prefix(Self.textSize))
    if bytes.count < text.utf8.count {
      // What is left of a character that was cut: its last bytes but the first, and then that.
      while let last = bytes.last, last & 0xC0 == 0x80 { bytes.removeLast() }
      if let last = bytes.last, last >= 0x80 { bytes.removeLast() }
    }
    bytes.withUnsafeBytes { (self.text(index)).copyMemory(from: $0) }
    return Int64(bytes.count)
  }

  /// A text of `count` bytes, as far as there can be one; nil where there is none.
  func text(at index: Int, count: Int64) -> String? {
    guard (0...Int64(Self.textSize)).contains(count) else { return nil }
    return String(decoding: Array(UnsafeRawBufferPointer(text(index)).prefix(Int(count))), as: UTF8.self)
  }

  private func text(_ index: Int) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(
      start: base + Self.slots * Self.slotSize + index * Self.textSize, count: Self.textSize)
  }
}
