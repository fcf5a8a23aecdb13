import Synchronization

/// Whether a library has asked for memory in vain in this process.
///
/// Of a process that has too little left, be it that a file has taken it or that a library has lost some with every file,
/// each further file would be refused as if it were bad.
public enum DecoderMemory {
  private static let isRefused = Atomic<Bool>(false)

  public static var isShort: Bool { isRefused.load(ordering: .relaxed) }

  static func refused() { isRefused.store(true, ordering: .relaxed) }
}
