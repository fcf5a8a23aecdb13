import Board
import CALSA
import Glibc

/// Owns one open `snd_pcm_t` and closes it on every path.
struct PCMHandle: ~Copyable {
  /// `nil` once closed.
  private(set) var pointer: OpaquePointer?

  init(adopting pointer: OpaquePointer) { self.pointer = pointer }

  deinit {
    if let pointer { snd_pcm_close(pointer) }
  }

  /// Opens the PCM `device` without waiting for it: a busy one is an error (`EBUSY`).
  static func open(
    _ device: String, for stream: snd_pcm_stream_t = SND_PCM_STREAM_PLAYBACK
  ) throws(PCMError) -> PCMHandle {
    calsa_keep_messages()
    calsa_clear_message()
    var pointer: OpaquePointer?
    let result = snd_pcm_open(&pointer, device, stream, CInt(SND_PCM_NONBLOCK))
    guard result >= 0, let pointer else {
      let asked = stream == SND_PCM_STREAM_PLAYBACK ? "playback" : "capture"
      throw PCMError(.open, device, result, asked: asked)
    }
    return PCMHandle(adopting: pointer)
  }

  /// The pointer for a call; clears libasound's message, so that an error has its own. Throws once closed.
  borrowing func pointer(for operation: PCMError.Operation, of device: String) throws(PCMError) -> OpaquePointer {
    guard let pointer else { throw PCMError.closed(operation, device) }
    calsa_clear_message()
    return pointer
  }

  mutating func close() {
    guard let open = pointer else { return }
    pointer = nil
    snd_pcm_close(open)
  }
}

extension PCMError {
  /// The error for a negative libasound result, with the library's message on this thread if there was one.
  init(_ operation: Operation, _ device: String, _ result: CInt, asked: String) {
    let reason = String(cString: snd_strerror(result))
    self.init(
      operation: operation, device: device, code: -result,
      message: "\(reason) (asked: \(asked))\(ALSAFailure.libraryMessage)")
  }

  static func check(
    _ result: CInt, _ operation: Operation, _ device: String, asked: @autoclosure () -> String
  ) throws(PCMError) {
    if result < 0 { throw PCMError(operation, device, result, asked: asked()) }
  }
}
